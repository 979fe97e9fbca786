// Leaving a page asks first where something was typed into a form with `data-unsaved` and is not sent yet. What came back with a
// message was refused, and is not kept either.
"use strict";

for (const form of document.querySelectorAll("form[data-unsaved]")) {
  let typed = form.matches(":has([aria-invalid=true], .problem)") || Boolean(document.querySelector("main .problems"));
  form.addEventListener("input", () => {
    typed = true;
  });
  form.addEventListener("submit", () => {
    typed = false;
  });
  addEventListener("beforeunload", (event) => {
    if (typed) event.preventDefault();
  });
}
