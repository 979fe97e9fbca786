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
  const hideButton = () => {
    // A file is on its way as soon as it is chosen.
    for (const row of results.querySelectorAll("[data-files] .do")) row.hidden = true;
  };

  let fields = [];
  let open = [];
  results.addEventListener("htmx:beforeSwap", ({ detail }) => {
    // Logged out meanwhile, or an error page: nothing of it belongs here.
    if (!detail.shouldSwap || !detail.serverResponse.includes('id="results"')) {
      detail.shouldSwap = false;
      location.reload();
    }
    const sent = detail.requestConfig.elt;
    fields = [...results.querySelectorAll("input, select, textarea")].filter((field) => field.form !== sent && changed(field));
    open = [...results.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
  });
  results.addEventListener("htmx:afterSwap", ({ target, detail }) => {
    if (target !== results) return;
    fields.forEach(restore);
    for (const summary of results.querySelectorAll("details > summary")) {
      if (open.includes(summary.textContent)) summary.parentElement.open = true;
    }
    hideButton();
    const problems = results.querySelector(".problems");
    const place = detail.requestConfig.elt.closest(".block, .stray");
    const block = place && document.getElementById(place.id);
    if (problems) problems.focus();
    else if (block) {
      block.setAttribute("tabindex", "-1");
      block.focus({ preventScroll: true });
      if (block.getBoundingClientRect().top < 0) block.scrollIntoView();
    }
  });
  results.addEventListener("htmx:sendError", ({ detail }) => {
    if (detail.requestConfig.verb !== "get") location.reload();
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
  hideButton();
}
