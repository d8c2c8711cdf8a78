// The page of a step: its tree opens, its times go on, and it is fetched again when the step has ended.
import { startClock } from "./clock.js";
import { isOpen } from "./live.js";
import { startTree } from "./tree.js";

startTree();
const overview = document.getElementById("overview");
if (overview.querySelector(".state.running") && overview.dataset.status === "running") {
  startClock();
  const step = decodeURIComponent(location.pathname).replace(/^\/runs\//, "").replace("/steps/", "/");
  const source = new EventSource(`/runs/${overview.dataset.run}/events`);
  source.addEventListener("step", (event) => {
    const news = JSON.parse(event.data);
    if (news.step === step && news.status !== "running") location.reload();
  });
  source.addEventListener("state", (event) => {
    if (!isOpen(JSON.parse(event.data).status)) source.close();
  });
}
