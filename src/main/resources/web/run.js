// Makes the page of a run live: the server says which steps changed, and the parts that show them are fetched again.
import { startChoosing } from "./chosen.js";
import { setClock, startClock, tick } from "./clock.js";
import { atMostEvery, isOpen, part, replace } from "./live.js";
import { followOutput } from "./output.js";
import { catchUp, parentOf, put, shownList, startTree } from "./tree.js";

const overview = document.getElementById("overview");
const run = overview.dataset.run;
const changed = new Set();
let missed = false;

// The user is about to cancel, or writes a note.
const isUsed = (place) => place.querySelector("details[open]") || place.querySelector("input")?.value;

const refresh = atMostEvery(1000, async () => {
  const steps = [...changed].slice(0, 60);
  steps.forEach((step) => changed.delete(step));
  const shown = steps.filter((step) => shownList(parentOf(step)));
  const fresh = await part(`/runs/${run}/live?${shown.map((step) => `step=${encodeURIComponent(step)}`).join("&")}`);
  for (const place of overview.children) {
    const next = fresh.getElementById(place.id);
    if (next && !(isUsed(place) && next.querySelector("form"))) {
      place.hidden = next.hidden;
      replace(place, next);
    }
  }
  overview.dataset.status = fresh.getElementById("overview").dataset.status;
  setClock(fresh.getElementById("overview"));
  for (const item of [...fresh.querySelectorAll("#changed > li")]) await put(item, run);
  if (missed) {
    missed = false;
    await catchUp(run);
  }
  tick();
  if (changed.size > 0) refresh();
});

function listen() {
  const source = new EventSource(`/runs/${run}/events`);
  source.addEventListener("state", (event) => {
    missed = true;
    refresh();
    if (!isOpen(JSON.parse(event.data).status)) source.close();
  });
  source.addEventListener("step", (event) => {
    const step = JSON.parse(event.data).step;
    changed.add(step.slice(run.length + 1));
    refresh();
  });
}

startTree();
startChoosing();
if (overview.dataset.status === "running") {
  startClock();
  listen();
  followOutput(`/runs/${run}/output`, () => overview.dataset.status !== "running");
}
