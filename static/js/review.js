// Comfort for the review of an event: tabs, keys, the letter out of ticked findings, drafts that survive, and who has it open.
// Without this script all parts stand below one another, and every decision is a form.
"use strict";

for (const page of document.querySelectorAll("[data-review]")) {
  const form = page.querySelector("#decide");
  const panels = [...page.querySelectorAll(".panel")];
  const tabs = [...page.querySelectorAll(".tabs a")];
  page.classList.add("scripted");
  for (const part of page.querySelectorAll("[data-scripted-out]")) part.hidden = true;

  // One tab at a time; an address that names something within a panel opens that panel.
  const show = (id) => {
    if (!panels.length) return null;
    const target = document.getElementById(id);
    const panel = target?.closest(".panel") ?? panels[0];
    for (const other of panels) other.hidden = other !== panel;
    for (const tab of tabs) {
      if (tab.hash === `#${panel.id}`) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    }
    return target && target !== panel ? target : null;
  };
  const follow = () => {
    const target = show(window.location.hash.slice(1));
    if (!target) return;
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
  };
  page.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || !panels.length) return;
    event.preventDefault();
    window.history.replaceState(null, "", link.hash);
    follow();
  });
  window.addEventListener("hashchange", follow);
  follow();

  // Ticked findings become the letter; what else was written in it stays.
  const letter = form.elements.letter;
  const opening = "Please correct, and send in again:";
  const tick = (box) => {
    if (!letter) return;
    const line = box.dataset.letter;
    const text = letter.value.trim();
    if (box.checked && !text.includes(line)) {
      letter.value = text ? `${text}\n\n${line}` : `${opening}\n\n${line}`;
    } else if (!box.checked) {
      const rest = text.replace(line, "").replace(/\n{3,}/g, "\n\n").trim();
      letter.value = rest === opening ? "" : rest;
    }
    page.querySelector("#return").open = letter.value !== "";
    keep();
  };
  for (const box of page.querySelectorAll("[data-letter]")) box.addEventListener("change", () => tick(box));

  // What is typed for the decision is kept in this browser tab until it is decided.
  const store = window.sessionStorage;
  const texts = [...form.querySelectorAll("textarea")];
  const keep = () => store.setItem(page.dataset.draft, JSON.stringify(texts.map((text) => text.value)));
  const draft = JSON.parse(store.getItem(page.dataset.draft) ?? "[]");
  texts.forEach((text, place) => {
    if (!text.value && draft[place]) text.value = draft[place];
    text.addEventListener("input", keep);
  });
  if (letter?.value) page.querySelector("#return").open = true;
  if (page.querySelector(".problems")) page.querySelector(".problems").focus();

  // Who has it open: told once the page is here, and when it is left otherwise than by a form of its own.
  const claim = page.querySelector("#claim");
  const tell = (what) => {
    const body = new FormData(claim);
    body.set("do", what);
    return fetch(claim.action, { method: "POST", body, keepalive: true, headers: { "X-Requested-With": "review" } });
  };
  tell("take").catch(() => {});
  let sending = false;
  for (const own of page.querySelectorAll("form")) own.addEventListener("submit", () => { sending = true; });
  window.addEventListener("pagehide", () => {
    if (!sending) tell("leave").catch(() => {});
  });

  // Keys: letters alone, and not while something is being written.
  const findings = () => [...page.querySelectorAll("#findings .finding")];
  const step = (by) => {
    show("findings");
    const rows = findings();
    const here = rows.indexOf(document.activeElement.closest(".finding"));
    const row = rows[here < 0 ? (by > 0 ? 0 : rows.length - 1) : (here + by + rows.length) % rows.length];
    row?.focus();
    row?.scrollIntoView({ block: "nearest" });
  };
  const decide = (key) => {
    const button = form.querySelector(`[data-key="${key}"]`);
    if (!button) return;
    for (const other of form.querySelectorAll("details")) other.open = other.contains(button);
    // To look at a report needs no words.
    const empty = key === "r" && !letter ? null : [...(button.closest("details") ?? form).querySelectorAll("textarea, select")].find((field) => !field.value);
    (empty ?? button).focus();
  };
  const actions = {
    a: () => decide("a"),
    r: () => decide("r"),
    x: () => decide("x"),
    n: () => page.querySelector('[data-key="n"]')?.click(),
    j: () => step(1),
    k: () => step(-1),
    w: () => document.activeElement.closest(".finding")?.querySelector("input[name=reason]")?.focus(),
    t: () => document.activeElement.closest(".finding")?.querySelector("[data-letter]")?.click(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const writing = event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select");
    if (event.key === "Escape" && writing) (writing.closest(".finding") ?? writing).focus?.();
    if (event.key === "Escape") document.activeElement.blur();
    if (writing) return;
    const action = actions[event.key.toLowerCase()];
    const tab = tabs[Number(event.key) - 1];
    if (!action && !tab) return;
    event.preventDefault();
    if (action) action();
    else tab.click();
  });
}
