// The tree of steps: what is closed is fetched when it is opened.
import { part } from "./live.js";

const lineOf = (item) => item.querySelector(":scope > div");
const listOf = (item) => item.querySelector(":scope > details > ul");

/** The list of the steps below a phase, if it is shown; the run itself has the path "". */
export function shownList(path) {
  const list = document.querySelector(`.tree[data-phase="${CSS.escape(path)}"], .tree [data-phase="${CSS.escape(path)}"]`);
  return list && !list.dataset.src ? list : null;
}

export const parentOf = (step) => step.slice(0, Math.max(0, step.lastIndexOf("/")));

/**
 * Puts a line in, or in the place of the one that is there. What was opened stays open; a phase that has ended is told as a
 * whole, so what happened in it last is fetched.
 */
export async function put(item, run) {
  const known = document.getElementById(item.id);
  const fresh = document.importNode(item, true);
  if (!known) {
    const parent = parentOf(item.id.slice("step-".length));
    const list = shownList(parent);
    list?.querySelector(":scope > .empty")?.remove();
    list?.append(fresh);
    // The phases of a run are shown open, as they are when the page is loaded.
    if (parent === "") fresh.querySelector("details")?.setAttribute("open", "");
    return;
  }
  const ended = known.className === "running" && fresh.className !== "running";
  known.className = fresh.className;
  const line = lineOf(known);
  const focused = line.contains(document.activeElement) && document.activeElement.tagName === "A";
  line.replaceChildren(...lineOf(fresh).childNodes);
  if (focused) line.querySelector("a")?.focus({ preventScroll: true });
  if (ended) await putAll(listOf(known), run);
}

/** Gets all that is shown of the steps below a phase. */
async function putAll(list, run) {
  if (!list || list.dataset.src) return;
  for (const fresh of [...(await part(`/runs/${run}/tree/${list.dataset.phase}`)).body.children]) {
    if (fresh.id) await put(fresh, run);
  }
}

async function load(list) {
  const address = list.dataset.src;
  delete list.dataset.src;
  try {
    const fresh = (await part(address)).body;
    list.replaceChildren(...document.importNode(fresh, true).childNodes);
  } catch {
    list.dataset.src = address;
  }
}

async function loadEarlier(link) {
  const row = link.closest("li");
  const fresh = (await part(link.dataset.src)).body;
  const items = [...document.importNode(fresh, true).children];
  row.replaceWith(...items);
  (items.find((item) => item.id) ?? items[0])?.querySelector("a, summary")?.focus();
}

/** Gets what has changed in the lists of open phases: for when news were missed. */
export async function catchUp(run) {
  for (const item of document.querySelectorAll(".tree li.running")) await putAll(listOf(item), run);
}

export function startTree() {
  const tree = document.querySelector(".tree");
  tree?.addEventListener("toggle", (event) => {
    const list = event.target.open && event.target.querySelector(":scope > ul[data-src]");
    if (list) load(list);
  }, true);
  tree?.addEventListener("click", (event) => {
    const link = event.target.closest(".earlier a");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      loadEarlier(link);
    }
    // A line opens as its mark does, unless it is followed or its text is being selected.
    const line = event.target.closest("a") || !getSelection().isCollapsed ? null : event.target.closest("li > div");
    const details = line?.parentElement.querySelector(":scope > details");
    if (details) details.open = !details.open;
  });
}
