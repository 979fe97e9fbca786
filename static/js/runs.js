// The list of runs, and the pages of a run, a month and a section that is amended, are drawn anew while work on them is under way.
// That is asked for by itself and is nothing that the reader does: his session goes on to be idle.
"use strict";

(() => {
  const underWay = ["queued", "running", "publishing"];
  const parts = ["#content-start", "#footer"];
  let shown = "";

  const isUnderWay = () => {
    const states = [...document.querySelectorAll("#result_list .field-how_far, .form-row.field-how_far .readonly")];
    return (
      document.querySelector("[data-under-way]") ||
      states.some((cell) => underWay.some((word) => cell.textContent.trim().startsWith(word)))
    );
  };

  const draw = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const words = page.querySelector(parts[0]).textContent;
    // What is typed meanwhile, and where the focus is, stay until there is something to tell.
    if (words === shown) return;
    shown = words;
    for (const part of parts) document.querySelector(part).replaceWith(page.querySelector(part));
    document.dispatchEvent(new Event("desk:drawn"));
  };

  const look = async () => {
    try {
      const answer = await fetch(location.href, { headers: { "X-Poll": "1" }, redirect: "manual" });
      // Logged out: the log-in says why.
      if (answer.type === "opaqueredirect") return location.reload();
      if (answer.ok) draw(await answer.text());
    } catch {
      // No answer: the next may come.
    }
    wait();
  };

  const wait = () => {
    if (isUnderWay()) setTimeout(look, 2000);
  };

  document.addEventListener("DOMContentLoaded", () => {
    shown = document.querySelector(parts[0])?.textContent ?? "";
    wait();
  });
})();
