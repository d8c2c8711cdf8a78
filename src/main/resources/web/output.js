// What scripts print makes no events: it is polled while it is visible.
import { part, replace } from "./live.js";

const showEnd = (place) => place.querySelectorAll("pre").forEach((text) => (text.scrollTop = text.scrollHeight));

/** Until `isOver` says so. */
export function followOutput(address, isOver) {
  let busy = false;
  const place = document.getElementById("output");
  showEnd(place);
  const timer = setInterval(async () => {
    if (isOver()) clearInterval(timer);
    if (busy || document.hidden) return;
    busy = true;
    try {
      const fresh = (await part(address)).getElementById("output");
      place.hidden = fresh.hidden;
      replace(place, fresh);
      showEnd(place);
    } catch {
      // It is asked for again.
    }
    busy = false;
  }, 2000);
}
