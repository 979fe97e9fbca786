// Comfort for the registration of an event: a draft is saved as one goes, and what the regulations make of it appears beside
// the fields. Without this script the buttons do all of it.
"use strict";

for (const form of document.querySelectorAll("form[data-registration]")) {
  let timer = 0;
  let running = false;
  let again = false;
  let stopped = false;
  const status = document.getElementById("status");
  const draft = form.dataset.draft !== undefined;

  const ask = async (verb) => {
    const data = new FormData(form);
    data.set("do", verb);
    const response = await fetch(form.action, {
      method: "POST",
      body: data,
      headers: { "X-Requested-With": "fetch" },
    });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // Logged out meanwhile, or an error page: nothing of it belongs here.
    const answer = page.querySelector("form[data-registration]");
    if (!answer) throw new Error("no form");
    return { page, code: Number(answer.dataset.code) };
  };

  const blank = (entry) => [...entry.querySelectorAll("input, select")].every((field) => !field.value);

  const showErrors = (page) => {
    for (const entry of form.querySelectorAll("[data-entry]")) {
      const fresh = page.querySelector(`[data-entry="${entry.dataset.entry}"]`);
      if (!fresh) continue;
      for (const old of entry.querySelectorAll(":scope > .problem")) old.remove();
      const problems = blank(entry) ? [] : [...fresh.querySelectorAll(":scope > .problem")];
      entry.classList.toggle("wrong", problems.length > 0);
      const label = entry.querySelector(":scope > label, :scope > legend");
      label.after(...problems.map((one) => document.importNode(one, true)));
      const field = entry.querySelector("input, select");
      if (!field || entry.dataset.entry === "hubs") continue;
      if (problems.length) {
        field.setAttribute("aria-invalid", "true");
        field.setAttribute("aria-describedby", problems[0].id);
      } else {
        field.removeAttribute("aria-invalid");
        field.removeAttribute("aria-describedby");
      }
    }
  };

  const show = ({ page, code }, saving) => {
    for (const live of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(live.id);
      if (fresh) live.replaceWith(document.importNode(fresh, true));
    }
    for (const days of form.querySelectorAll("[data-days]")) {
      const fresh = page.getElementById(days.id);
      if (fresh && fresh.dataset.days !== days.dataset.days) days.replaceWith(document.importNode(fresh, true));
    }
    const finish = document.getElementById("finish");
    const freshFinish = page.getElementById("finish");
    if (finish.dataset.late !== freshFinish.dataset.late) finish.replaceWith(document.importNode(freshFinish, true));
    showErrors(page);
    const problems = document.getElementById("problems");
    if (code === 409) {
      problems.replaceWith(document.importNode(page.getElementById("problems"), true));
      document.querySelector("#problems .problems").focus();
      stopped = true;
    } else if (code === 200) {
      problems.replaceChildren();
    }
    if (code === 200 && saving) {
      const sent = page.querySelector("form[data-registration]");
      for (const hidden of form.querySelectorAll('input[type="hidden"]')) {
        const fresh = sent.querySelector(`input[type="hidden"][name="${hidden.name}"]`);
        if (fresh && hidden.name !== "csrfmiddlewaretoken") hidden.value = fresh.value;
      }
      if (form.getAttribute("action") !== sent.getAttribute("action")) {
        form.setAttribute("action", sent.getAttribute("action"));
        history.replaceState(null, "", sent.getAttribute("action"));
        document.getElementById("finish").replaceWith(document.importNode(page.getElementById("finish"), true));
      }
    }
    const wanting = page.querySelectorAll("#problems li").length;
    const first = page.querySelector("#problems li")?.textContent ?? "";
    if (code === 200 || code === 409) status.textContent = page.getElementById("status").textContent;
    else status.textContent = `Not saved yet. ${first}${wanting > 1 ? ` And ${wanting - 1} more.` : ""}`;
  };

  const save = async () => {
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    do {
      again = false;
      status.textContent = draft ? "Saving…" : "Looking…";
      try {
        show(await ask(draft ? "save" : "look"), draft);
      } catch {
        status.textContent = "Not saved: there is no connection, or you are logged out. The button below tries again.";
      }
    } while (again && !stopped);
    running = false;
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(save, 250);
  };

  form.addEventListener("change", (event) => {
    if (event.target.name !== "reason") soon();
  });
  // A save under way would make the version of the form's own submission stale.
  form.addEventListener("submit", async (event) => {
    const verb = event.submitter?.value ?? "save";
    const rows = /^(add|remove)-(section|arbiter)/.exec(verb);
    if (!rows && !running) {
      clearTimeout(timer);
      return;
    }
    event.preventDefault();
    clearTimeout(timer);
    if (running) {
      const submitter = event.submitter;
      setTimeout(() => form.requestSubmit(submitter), 60);
      return;
    }
    running = true;
    try {
      const { page } = await ask(verb);
      const id = `${rows[2]}-rows`;
      document.getElementById(id).replaceWith(document.importNode(page.getElementById(id), true));
      const total = `${rows[2]}-TOTAL_FORMS`;
      form.elements[total].value = page.querySelector(`[name="${total}"]`).value;
      const all = form.querySelectorAll(`[data-row="${rows[2]}"]`);
      const target = rows[1] === "add" ? all[all.length - 1]?.querySelector("input:not([type=hidden]), select") : null;
      (target ?? form.querySelector(`[value="add-${rows[2]}"]`)).focus();
    } catch {
      status.textContent = "There is no connection, or you are logged out. Try again.";
    }
    running = false;
    if (rows[1] === "remove" || again) save();
  });
}
