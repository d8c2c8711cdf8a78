// The tree of steps: what is closed is fetched when it is opened.
import { part, replace } from "./live.js";

const lineOf = (item) => item.querySelector(":scope > div");

/** The phases whose steps are shown and may change; the run itself has the path "". */
export const growing = () =>
  [...document.querySelectorAll(".tree, .tree li.running > details > ul:not([data-src])")].map((list) => list.dataset.phase);

/** The list of the steps below a phase. */
const listOf = (path) => document.querySelector(`.tree[data-phase="${CSS.escape(path)}"], .tree [data-phase="${CSS.escape(path)}"]`);

const parentOf = (step) => step.slice(0, Math.max(0, step.lastIndexOf("/")));

/** Puts a line in, or in the place of the one that is there. What was opened stays open. */
export function put(item) {
  const known = document.getElementById(item.id);
  if (known) {
    known.className = item.className;
    replace(lineOf(known), lineOf(item));
    return;
  }
  const fresh = document.importNode(item, true);
  const parent = parentOf(item.id.slice("step-".length));
  const list = listOf(parent);
  list?.querySelector(":scope > .empty")?.remove();
  list?.append(fresh);
  // The phases of a run are shown open, as they are when the page is loaded.
  if (parent === "") fresh.querySelector("details")?.setAttribute("open", "");
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
