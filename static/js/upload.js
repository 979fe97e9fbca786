// Comfort for sending results in: files are dropped and show their progress, and answers are kept without leaving the place.
// Without this script the buttons do all of it.
"use strict";

{
  const fetched = { headers: { "X-Requested-With": "fetch" } };

  // What was typed or chosen and not sent stays when the report is drawn anew; the declaration is made of what is shown.
  const changed = (field) => {
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
    return field.value !== field.defaultValue;
  };
  const typed = (sent) =>
    [...document.querySelectorAll("[data-report] :is(input, select, textarea)")].filter(
      (field) => field.id && field.id !== "id_declared" && field.type !== "file" && field.form !== sent && changed(field),
    );
  const restore = (fields) => {
    for (const old of fields) {
      const field = document.getElementById(old.id);
      if (!field) continue;
      if (field.type === "checkbox" || field.type === "radio") field.checked = old.checked;
      else field.value = old.value;
    }
  };
  const focusAgain = (old) => {
    const field = old.id && old.closest("[data-report]") && document.getElementById(old.id);
    if (!field) return;
    field.focus({ preventScroll: true });
    if (old.selectionStart != null && field.setSelectionRange && field.type !== "email" && field.type !== "number") {
      field.setSelectionRange(old.selectionStart, old.selectionEnd);
    }
  };

  const show = (text, { focus, sent } = {}) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.querySelector("[data-report]");
    // Logged out meanwhile, or an error page: nothing of it belongs here.
    if (!fresh) {
      location.reload();
      return;
    }
    const open = [...document.querySelectorAll("[data-report] details[open] > summary")].map((one) => one.textContent);
    const fields = typed(sent);
    const active = document.activeElement;
    document.querySelector("[data-report]").replaceWith(document.importNode(fresh, true));
    restore(fields);
    if (active && !active.isConnected) focusAgain(active);
    for (const summary of document.querySelectorAll("[data-report] details > summary")) {
      if (open.includes(summary.textContent)) summary.parentElement.open = true;
    }
    for (const old of document.querySelectorAll("main .problems, main .said")) old.remove();
    const report = document.querySelector("[data-report]");
    for (const said of page.querySelectorAll("main .problems, main .said")) report.before(document.importNode(said, true));
    const problems = document.querySelector("main .problems");
    if (problems) problems.focus();
    else if (focus) {
      const target = document.getElementById(focus);
      if (target) {
        target.setAttribute("tabindex", "-1");
        target.focus({ preventScroll: true });
        if (target.getBoundingClientRect().top < 0) target.scrollIntoView();
      }
    }
    watch();
  };

  let timer = 0;
  const watch = () => {
    clearTimeout(timer);
    // A file is on its way as soon as it is chosen.
    for (const row of document.querySelectorAll("[data-files] .do")) row.hidden = true;
    if (document.querySelector("[data-report][data-waiting]")) timer = setTimeout(look, 700);
  };
  const look = async () => {
    try {
      const answer = await fetch(location.pathname + location.search, fetched);
      show(await answer.text());
    } catch {
      timer = setTimeout(look, 3000);
    }
  };

  const send = (form, data) => {
    const request = new XMLHttpRequest();
    const bar = document.createElement("progress");
    const said = document.createElement("p");
    said.className = "progress";
    said.setAttribute("role", "status");
    said.append(bar, " Uploading…");
    form.querySelector(".do").replaceWith(said);
    bar.max = 100;
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) bar.value = (100 * event.loaded) / event.total;
    });
    request.addEventListener("load", () => show(request.responseText, { sent: form }));
    request.addEventListener("error", () => location.reload());
    request.open("POST", form.action);
    request.setRequestHeader("X-Requested-With", "fetch");
    request.send(data);
  };

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.closest("[data-report]") || form.closest(".finish")) return;
    event.preventDefault();
    const data = new FormData(form, event.submitter);
    if (form.matches("[data-files]")) {
      send(form, data);
      return;
    }
    const place = form.closest(".block, .stray")?.id;
    for (const button of form.querySelectorAll("button")) button.disabled = true;
    try {
      const action = event.submitter?.getAttribute("formaction") ?? form.action;
      const answer = await fetch(action, { method: "POST", body: data, ...fetched });
      show(await answer.text(), { focus: place, sent: form });
    } catch {
      location.reload();
    }
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-files] input[type=file]") && event.target.files.length) event.target.form.requestSubmit();
  });
  for (const kind of ["dragenter", "dragover"]) {
    document.addEventListener(kind, (event) => {
      const target = event.target.closest?.("[data-files]");
      if (!target || !event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      target.classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => {
    const target = event.target.closest?.("[data-files]");
    if (target && !target.contains(event.relatedTarget)) target.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    const target = event.target.closest?.("[data-files]");
    if (!target) return;
    event.preventDefault();
    target.classList.remove("over");
    target.elements.file.files = event.dataTransfer.files;
    if (event.dataTransfer.files.length) target.requestSubmit();
  });
  watch();
}
