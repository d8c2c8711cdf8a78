// The page of a step: its tree opens, its times go on, and it is fetched again when the step has ended.
import { startClock } from "./clock.js";
import { startCopy } from "./copy.js";
import { isOpen } from "./live.js";
import { followOutput } from "./output.js";
import { startTree } from "./tree.js";

startTree();
startCopy();
const overview = document.getElementById("overview");
if (overview.querySelector(".state.running") && overview.dataset.status === "running") {
  startClock();
  const step = decodeURIComponent(location.pathname).replace(/^\/runs\//, "").replace("/steps/", "/");
  followOutput(`/runs/${overview.dataset.run}/output/${step.slice(step.indexOf("/") + 1)}`, () => false);
  const source = new EventSource(`/runs/${overview.dataset.run}/events`);
  source.addEventListener("step", (event) => {
    const news = JSON.parse(event.data);
    if (news.step === step && news.status !== "running") location.reload();
  });
  source.addEventListener("state", (event) => {
    if (!isOpen(JSON.parse(event.data).status)) source.close();
  });
}
