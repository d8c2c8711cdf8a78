// A button beside each text, which puts it on the clipboard. Without script there is none.

/** The clipboard is for pages that came over TLS or from this machine; else the browser copies what is selected. */
async function copy(text, element) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  getSelection().selectAllChildren(element);
  if (!document.execCommand("copy")) throw new Error("the browser does not copy");
}

/** @return a button that copies the text of `element`, in a place that says what became of it */
export function copyButton(element, name) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute(...name);
  button.addEventListener("click", async () => {
    try {
      await copy(element.textContent, element);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  const said = document.createElement("div");
  said.className = "copying";
  said.setAttribute("role", "status");
  said.append(button);
  return said;
}

export function startCopy() {
  for (const heading of document.querySelectorAll(".text > h2")) {
    const text = heading.parentElement.querySelector("pre");
    if (text) heading.after(copyButton(text, ["aria-describedby", heading.id]));
  }
}
