// The page of a step: its tree opens, its times go on, and it is loaded again when the step has ended.
import { startClock } from "./clock.js";
import { startCopy } from "./copy.js";
import { follow } from "./live.js";
import { followOutput } from "./output.js";
import { startTree } from "./tree.js";

const overviewOf = (page) => page.getElementById("overview");
const isOpen = (page) => overviewOf(page).querySelector(".state.running") !== null;
const isOver = (page) => overviewOf(page).dataset.status !== "running";

startTree();
startCopy();
if (isOpen(document) && !isOver(document)) {
  startClock();
  const step = location.pathname.replace(/^\/runs\/[^/]+\/steps\//, "");
  followOutput(`/runs/${overviewOf(document).dataset.run}/output/${step}`, () => false);
  follow(() => location.pathname, (fresh) => {
    if (!isOpen(fresh)) location.reload();
    return isOver(fresh) || !isOpen(fresh);
  });
}
