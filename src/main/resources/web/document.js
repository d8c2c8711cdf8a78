// The pages of the documentation: a button beside each block that somebody may want to copy.
import { copyButton } from "./copy.js";

for (const code of document.querySelectorAll("article pre > code")) {
  if (code.classList.contains("language-text")) continue;
  const place = document.createElement("div");
  place.className = "text";
  code.parentElement.replaceWith(place);
  place.append(code.parentElement, copyButton(code, ["aria-label", "Copy this block"]));
}
