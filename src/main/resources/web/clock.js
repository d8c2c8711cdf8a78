// Times that go on while the page is open: since a moment, or until one. The server's clock counts, not the browser's.

const two = (number) => String(number).padStart(2, "0");

/** Seconds as the server writes them, without tenths. */
function words(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}:${two(whole % 60)} min`;
  if (whole < 172800) return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)} h`;
  return `${Math.floor(whole / 86400)} d ${Math.floor(whole / 3600) % 24} h`;
}

let ahead = 0;

/** Takes the server's time from a page or a part of one. */
export function setClock(element) {
  if (element?.dataset.now) ahead = Date.parse(element.dataset.now) - Date.now();
}

export function tick() {
  const now = Date.now() + ahead;
  for (const element of document.querySelectorAll("[data-since], [data-until]")) {
    const { since, until } = element.dataset;
    const seconds = (since ? now - Date.parse(since) : Date.parse(until) - now) / 1000;
    if (element.tagName === "PROGRESS") element.value = seconds;
    else if (element.firstElementChild === null) {
      const text = words(seconds);
      if (element.textContent !== text) element.textContent = text;
    }
  }
}

export function startClock() {
  setClock(document.querySelector("[data-now]"));
  tick();
  setInterval(tick, 1000);
}
