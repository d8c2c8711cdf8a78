// Makes the list of runs live.
import { setClock, startClock, tick } from "./clock.js";
import { follow, replace } from "./live.js";

const runs = document.getElementById("runs");
const rowsOf = (list) => [...list.querySelectorAll("tbody tr")];
const stateOf = (row) => row.querySelector(".state");

/** Says which run has ended, for those who do not see the list. */
function tell(fresh) {
  const old = document.getElementById(fresh.id);
  const ended = old && stateOf(old).matches(".running") && !stateOf(fresh).matches(".running");
  if (ended) document.getElementById("news").textContent = `${fresh.querySelector("a").textContent}: ${stateOf(fresh).textContent}`;
}

startClock();
follow(() => location.pathname + location.search, (page) => {
  const fresh = page.getElementById("runs");
  setClock(fresh);
  rowsOf(fresh).forEach(tell);
  if (rowsOf(runs).map((row) => row.id).join() === rowsOf(fresh).map((row) => row.id).join()) {
    rowsOf(runs).forEach((row, i) => replace(row, rowsOf(fresh)[i]));
  } else {
    replace(runs, fresh);
  }
  tick();
  return false;
});
