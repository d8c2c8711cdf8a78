// Gets parts of pages and puts them in, touching nothing that has not changed.

/** The server does not answer, or the page is being left. Events come again when the server does, and all is fetched then. */
class Unreachable extends Error {}

/** Whether a run of that status may go on, perhaps only after a `resume`. */
export const isOpen = (status) => status === "running" || status === "halted" || status === "stopped";

/** A part of a page; its elements are found by id. */
export async function part(address) {
  let answer, html;
  try {
    answer = await fetch(address, { headers: { Accept: "text/html" }, cache: "no-store" });
    html = await answer.text();
  } catch {
    throw new Unreachable(address);
  }
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new DOMParser().parseFromString(html, "text/html");
}

/**
 * Puts the children of `fresh` into `old`, unless they are the same. The focus stays on the same link or button, what was opened stays
 * open, and what was moved sideways stays where it is.
 */
export function replace(old, fresh) {
  const html = fresh.innerHTML;
  if (old.sourceHtml === html || (old.sourceHtml === undefined && old.innerHTML === html)) return;
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const like = focused && selector(focused);
  const opened = [...old.querySelectorAll("details")].map((one) => one.open);
  const checked = new Set([...old.querySelectorAll("input:checked")].map((one) => one.value));
  const moved = [...old.querySelectorAll(".scrolls")].map((one) => one.scrollLeft);
  old.sourceHtml = html;
  old.replaceChildren(...document.importNode(fresh, true).childNodes);
  old.querySelectorAll("details").forEach((one, i) => (one.open ||= opened[i] ?? false));
  old.querySelectorAll("input[type=checkbox]").forEach((one) => (one.checked = checked.has(one.value)));
  old.querySelectorAll(".scrolls").forEach((one, i) => (one.scrollLeft = moved[i] ?? 0));
  if (like) old.querySelector(like)?.focus({ preventScroll: true });
}

function selector(element) {
  const href = element.getAttribute("href");
  return href ? `a[href="${CSS.escape(href)}"]` : element.tagName.toLowerCase();
}

/** Calls `work` soon after each call, but not more often than once in `pause` milliseconds, and never twice at once. */
export function atMostEvery(pause, work) {
  let wanted = false;
  let busy = false;
  return async function again() {
    wanted = true;
    if (busy) return;
    busy = true;
    while (wanted) {
      wanted = false;
      try {
        await work();
      } catch (failure) {
        if (!(failure instanceof Unreachable)) console.warn(String(failure));
      }
      await new Promise((done) => setTimeout(done, pause));
    }
    busy = false;
  };
}
