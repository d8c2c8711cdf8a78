// Makes the list of runs live.
import { setClock, startClock, tick } from "./clock.js";
import { atMostEvery, part, replace } from "./live.js";

const runs = document.getElementById("runs");
const refresh = atMostEvery(1000, async () => {
  const fresh = (await part(location.pathname + location.search)).getElementById("runs");
  setClock(fresh);
  const known = [...runs.querySelectorAll("tbody tr")].map((row) => row.id).join();
  if (known === [...fresh.querySelectorAll("tbody tr")].map((row) => row.id).join()) {
    for (const row of runs.querySelectorAll("tbody tr")) replace(row, fresh.querySelector(`#${CSS.escape(row.id)}`));
  } else {
    replace(runs, fresh);
  }
  tick();
});

startClock();
const source = new EventSource("/runs");
source.addEventListener("runs", refresh);
source.addEventListener("run", (event) => {
  const { run_id: run, status } = JSON.parse(event.data);
  const row = document.getElementById(`run-${run}`);
  const said = row?.querySelector(".state")?.textContent;
  if (status !== "running" && said !== status) document.getElementById("news").textContent = `${run}: ${status}`;
  refresh();
});
