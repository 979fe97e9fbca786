// Comfort for sending results in: htmx sends the forms and draws the page anew in its place. This keeps what was typed and not
// sent, the open details and the focus, takes files that are dropped, and shows how far they are.
"use strict";

{
  const results = document.getElementById("results");

  // Except the declaration: it is made of what is shown.
  const changed = (field) => {
    if (!field.id || field.id === "id_declared" || field.type === "file") return false;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
    return field.value !== field.defaultValue;
  };
  const restore = (old) => {
    const field = document.getElementById(old.id);
    if (!field) return;
    if (field.type === "checkbox" || field.type === "radio") field.checked = old.checked;
    else field.value = old.value;
    if (field === document.activeElement && old.matches("textarea, [type=text]")) {
      field.setSelectionRange(old.selectionStart, old.selectionEnd);
    }
  };
  const showButton = (shown) => {
    // Hidden as a rule: a file is on its way as soon as it is chosen.
    for (const row of results.querySelectorAll("[data-files] .do")) row.hidden = !shown;
  };

  // Answers go one after another: the page that comes back takes away the form of an answer still under way.
  let sending = null;
  let next = [];
  const drawnAgain = (form) =>
    form.id
      ? document.getElementById(form.id)
      : [...results.querySelectorAll("form")].find(({ action }) => action === form.action);
  results.addEventListener(
    "submit",
    (event) => {
      if (!sending) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.target !== sending) next.push({ form: event.target, button: event.submitter });
    },
    true,
  );
  results.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (detail.requestConfig.verb !== "get") sending = detail.elt;
  });
  results.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.requestConfig.verb === "get") return;
    sending = null;
    const { status } = detail.xhr;
    if (status < 200 || status >= 400) {
      // What is wrong is shown first; what was to follow still stands in its fields.
      if (next.some(({ form }) => form.matches("[data-files]"))) showButton(true);
      next = [];
    }
    while (next.length) {
      const { form: old, button } = next.shift();
      const form = drawnAgain(old);
      if (!form) continue;
      htmx.process(form);
      const buttons = [...form.querySelectorAll("button")];
      form.requestSubmit(button && buttons.find(({ formAction }) => formAction === button.formAction));
      return;
    }
  });

  // Fields by id, until they are sent, even while their form is away from the page.
  const typed = new Map();
  // Forms that a poll leaves as they are: with errors in them, or not sent.
  let kept = [];
  // The form for files stays until it is sent: a file that is chosen must not come to a field that is gone.
  let files = [];
  let open = [];
  let focused = null;
  let answered = false;
  const withErrors = () => [...results.querySelectorAll("form")].filter((form) => form.querySelector(".problem"));
  // `why`: "offline", "busy" or "old", the texts of the template.
  const notSent = (form, why) => {
    const template = document.getElementById("not-sent");
    const box = template.content.firstElementChild.cloneNode(true);
    box.querySelector("h2").textContent = template.dataset[why];
    results.querySelector(".problems")?.remove();
    results.prepend(box);
    box.focus();
    kept.push(form);
    if (form.matches("[data-files]")) showButton(true);
  };

  // The reason is kept while one goes to the table of players, which is a page of its own.
  const reasonKey = `reason ${location.pathname}`;
  const recallReason = () => {
    const field = document.getElementById("id_reason");
    const kept = sessionStorage.getItem(reasonKey);
    if (field && kept && !field.value) field.value = kept;
  };
  results.addEventListener("input", ({ target }) => {
    if (target.id === "id_reason") sessionStorage.setItem(reasonKey, target.value);
  });
  results.addEventListener("submit", ({ target }) => {
    if (target.querySelector("#id_declared")) sessionStorage.removeItem(reasonKey);
  });

  results.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const { elt: sent, verb } = detail.requestConfig;
    if (!detail.shouldSwap || !detail.serverResponse.includes('id="results"')) {
      detail.shouldSwap = false;
      if (detail.serverResponse.includes('id="id_username"')) location.reload();
      else if (verb === "get") return;
      else if (detail.xhr.status >= 500) notSent(sent, "busy");
      else notSent(sent, "old");
      return;
    }
    // The form of an action under way must stay, to show how far it is and what becomes of it.
    if (verb === "get" && sending) {
      detail.shouldSwap = false;
      return;
    }
    for (const field of results.querySelectorAll("input, select, textarea")) {
      if (field.form === sent && detail.xhr.status !== 422) typed.delete(field.id);
      else if (changed(field) || typed.has(field.id)) typed.set(field.id, field);
    }
    files = [...results.querySelectorAll("[data-files]")].filter((form) => form !== sent);
    open = [...results.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
    focused = document.activeElement;
    answered = sent.matches("[data-open]");
  });
  // After an answer, the next open question: of its section, of those below, of any; else the declaration.
  const isOpen = "[data-open]";
  const nextAfter = (block) => {
    const all = [...results.querySelectorAll(isOpen)];
    const below = (one) => block.contains(one) || block.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
    // A file that was placed or taken away is gone from the page.
    return (block && all.find(below)) ?? all[0] ?? document.getElementById("declaration");
  };
  const goTo = (place) => {
    if (!place) return;
    place.closest("details")?.setAttribute("open", "");
    const fields = "input:not([type=hidden], [type=file]), select, textarea, button, a[href]";
    const field = place.matches("a") ? place : place.querySelector("input:checked") ?? place.querySelector(fields) ?? place;
    field.focus({ preventScroll: true });
    place.scrollIntoView({ block: "nearest" });
  };
  // Where one was last: a click on the button at the foot takes the focus there.
  let last = results;
  results.addEventListener("focusin", ({ target }) => {
    if (!target.closest(".left-line")) last = target;
  });
  const nextOpen = () => {
    const here = last.isConnected ? last : results;
    const all = [...results.querySelectorAll(isOpen)].filter((one) => one !== here && !one.contains(here));
    const later = all.find((one) => here.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    goTo(later ?? all[0] ?? document.getElementById("declaration"));
  };
  document.addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.code !== "KeyN") return;
    event.preventDefault();
    nextOpen();
  });
  results.addEventListener("click", (event) => {
    if (!event.target.closest("[data-next-open]")) return;
    event.preventDefault();
    nextOpen();
  });
  results.addEventListener("htmx:afterSwap", ({ target, detail }) => {
    if (target !== detail.target) return;
    const polled = detail.requestConfig.verb === "get";
    showButton(false);
    for (const form of polled ? [...files, ...kept] : files) {
      const drawn = form.id && document.getElementById(form.id);
      if (!drawn || drawn === form) continue;
      drawn.replaceWith(form);
      htmx.process(form);
      if (form.contains(focused)) focused.focus({ preventScroll: true });
    }
    if (!polled) kept = withErrors();
    typed.forEach(restore);
    recallReason();
    for (const summary of results.querySelectorAll("details > summary")) {
      if (open.includes(summary.textContent)) summary.parentElement.open = true;
    }
    if (polled) return;
    const problems = results.querySelector(".problems");
    const place = detail.requestConfig.elt.closest(".block, .stray");
    const block = place && document.getElementById(place.id);
    if (problems) problems.focus();
    else if (place && answered) goTo(nextAfter(block));
    else if (block) {
      block.setAttribute("tabindex", "-1");
      block.focus({ preventScroll: true });
      if (block.getBoundingClientRect().top < 0) block.scrollIntoView();
    }
  });
  results.addEventListener("htmx:sendError", ({ detail }) => {
    if (detail.requestConfig.verb !== "get") notSent(detail.requestConfig.elt, "offline");
  });

  results.addEventListener("htmx:xhr:progress", ({ target, detail }) => {
    const bar = target.matches("[data-files]") && target.querySelector("progress");
    if (bar && detail.lengthComputable) bar.value = (100 * detail.loaded) / detail.total;
  });
  results.addEventListener("change", ({ target }) => {
    if (target.matches("[data-files] [type=file]") && target.files.length) target.form.requestSubmit();
  });
  for (const kind of ["dragenter", "dragover"]) {
    results.addEventListener(kind, (event) => {
      const form = event.target.closest("[data-files]");
      if (!form || !event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      form.classList.add("over");
    });
  }
  results.addEventListener("dragleave", ({ target, relatedTarget }) => {
    const form = target.closest("[data-files]");
    if (form && !form.contains(relatedTarget)) form.classList.remove("over");
  });
  results.addEventListener("drop", (event) => {
    const form = event.target.closest("[data-files]");
    if (!form) return;
    event.preventDefault();
    form.classList.remove("over");
    form.elements.file.files = event.dataTransfer.files;
    if (event.dataTransfer.files.length) form.requestSubmit();
  });
  // What was refused is kept by the server: as the page shows it, it is not changed.
  const unsent = () =>
    [...results.querySelectorAll(".control :is(input, select, textarea), #id_reason")].some(changed);
  let leaving = false;
  addEventListener("submit", (event) => {
    leaving = !event.defaultPrevented;
  });
  addEventListener("pageshow", () => {
    leaving = false;
  });
  addEventListener("beforeunload", (event) => {
    if (!leaving && unsent()) event.preventDefault();
  });
  showButton(false);
  recallReason();
  const asked = document.getElementById(location.hash.slice(1));
  if (asked?.matches(isOpen)) goTo(asked);
  // A page that came back with errors has what was typed as the values of its fields.
  kept = withErrors();
  for (const field of results.querySelectorAll("form:has(.problem) :is(input, select, textarea), #id_reason")) {
    if (field.id && field.type !== "hidden") typed.set(field.id, field);
  }
}
