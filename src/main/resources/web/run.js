// Makes the page of a run live.
import { startChoosing } from "./chosen.js";
import { setClock, startClock, tick } from "./clock.js";
import { follow, replace } from "./live.js";
import { followOutput } from "./output.js";
import { growing, put, startTree } from "./tree.js";

const overview = document.getElementById("overview");
const run = overview.dataset.run;
const isOver = () => overview.dataset.status !== "running";

// The user is about to cancel, or writes a note.
const isUsed = (place) => place.querySelector("details[open]") || place.querySelector("input")?.value;

const address = () => `/runs/${run}/live?${growing().map((phase) => `phase=${encodeURIComponent(phase)}`).join("&")}`;

function show(fresh) {
  for (const place of overview.children) {
    const next = fresh.getElementById(place.id);
    if (next && !(isUsed(place) && next.querySelector("form"))) {
      place.hidden = next.hidden;
      replace(place, next);
    }
  }
  overview.dataset.status = fresh.getElementById("overview").dataset.status;
  setClock(fresh.getElementById("overview"));
  fresh.querySelectorAll("#steps > li").forEach(put);
  tick();
  return isOver();
}

startTree();
startChoosing();
if (!isOver()) {
  startClock();
  follow(address, show);
  followOutput(`/runs/${run}/output`, isOver);
}
