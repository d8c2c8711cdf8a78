// Shows the solution that was clicked below the graph: score, cost, plan and diff, as its own page has them.
import { part } from "./live.js";

// In this order.
const SHOWN = ["#overview .title p", "#overview .figures", "main > .text:has(> pre.prose)", "main > .text:has(.diff)"];

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

function show(place, page, address) {
  const links = element("p", "");
  const close = element("button", "Close", { type: "button" });
  close.addEventListener("click", () => (place.hidden = true));
  links.append(element("a", "Open the step, with its scripts and answers", { href: address }), " ", close);
  const title = element("h3", page.querySelector("h1").textContent, { tabindex: -1 });
  const shown = SHOWN.flatMap((what) => [...page.querySelectorAll(what)]);
  place.replaceChildren(title, ...shown.map((one) => document.importNode(one, true)), links);
  place.hidden = false;
  title.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}

export function startChoosing() {
  const place = document.querySelector(".chosen");
  document.getElementById("solutions").addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const address = link.getAttribute("href");
    try {
      show(place, await part(address), address);
    } catch {
      location.assign(address);
    }
  });
}
