// Gets parts of pages and puts them in, touching nothing that has not changed.

/** The server does not answer, or the page is being left. */
class Unreachable extends Error {}

/** A part of a page, whose elements are found by id, and its tag; no part if that is the known tag. */
async function ask(address, known) {
  let answer, html;
  try {
    const headers = known ? { Accept: "text/html", "If-None-Match": known } : { Accept: "text/html" };
    answer = await fetch(address, { headers, cache: "no-store" });
    html = await answer.text();
  } catch {
    throw new Unreachable(address);
  }
  if (answer.status === 304) return { tag: known };
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return { fresh: new DOMParser().parseFromString(html, "text/html"), tag: answer.headers.get("ETag") };
}

/** A part of a page; its elements are found by id. */
export const part = async (address) => (await ask(address)).fresh;

/** Does `work` once in `pause` milliseconds while the page is visible, until it says true. What failed is tried again. */
export async function every(pause, work) {
  for (let isOver = false; !isOver; ) {
    await new Promise((done) => setTimeout(done, pause));
    try {
      isOver = !document.hidden && (await work());
    } catch (failure) {
      if (!(failure instanceof Unreachable)) console.warn(String(failure));
    }
  }
}

/** Asks for the part of a page at `address()` every few seconds and gives `show` each that differs from the last one, until it says true. */
export function follow(address, show) {
  let last = {};
  every(5000, async () => {
    const at = address();
    const { fresh, tag } = await ask(at, last.at === at && last.tag);
    const isOver = Boolean(fresh) && show(fresh);
    last = { at, tag };
    return isOver;
  });
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
