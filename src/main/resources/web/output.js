// Shows what scripts print. That is in no record, so no tag of the run tells of it.
import { every, part, replace } from "./live.js";

const showEnd = (place) => place.querySelectorAll("pre").forEach((text) => (text.scrollTop = text.scrollHeight));

/** Until `isOver` says so. */
export function followOutput(address, isOver) {
  const place = document.getElementById("output");
  showEnd(place);
  every(2000, async () => {
    const fresh = (await part(address)).getElementById("output");
    place.hidden = fresh.hidden;
    replace(place, fresh);
    showEnd(place);
    return isOver();
  });
}
