// Gets parts of pages and puts them in, touching nothing that has not changed.

/** The server does not answer, or the page is being left. Events come again when the server does, and all is fetched then. */
class Unreachable extends Error {}

/** Whether a run of that status may go on, perhaps only after somebody has resumed it. */
export const isOpen = (status) => status === "running" || status === "halted";

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

/** Puts the children of `fresh` into `old`, unless they are the same. The focus stays on the same link or button. */
export function replace(old, fresh) {
  const html = fresh.innerHTML;
  if (old.sourceHtml === html || (old.sourceHtml === undefined && old.innerHTML === html)) return;
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const like = focused && selector(focused);
  old.sourceHtml = html;
  old.replaceChildren(...document.importNode(fresh, true).childNodes);
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
