// Comfort for the registration of an event: htmx saves a draft as one goes, and draws what the regulations make of it anew
// beside the fields, which stay as they are. Without this script the buttons do all of it.
"use strict";

for (const form of document.querySelectorAll("form[data-registration]")) {
  const saver = document.getElementById("as-one-goes");
  const status = document.getElementById("status");
  let leaving = false;
  // Typed since the last request of the saver, and since what the server has: it keeps what it cannot save, too.
  let typed = false;
  let unsaved = false;
  form.addEventListener("input", () => {
    typed = true;
    unsaved = true;
  });
  addEventListener("beforeunload", (event) => {
    if (unsaved && !leaving) event.preventDefault();
  });

  // Who logs in again beside this page gets another token.
  const renewToken = () => {
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
    if (token) form.elements.csrfmiddlewaretoken.value = token;
    return form.elements.csrfmiddlewaretoken.value;
  };

  form.addEventListener("htmx:configRequest", (event) => {
    event.detail.path = form.action;
    event.detail.parameters.csrfmiddlewaretoken = renewToken();
    if (event.detail.elt !== saver) return;
    if (leaving || document.querySelector("[data-stale]")) {
      event.preventDefault();
      return;
    }
    const live = [...document.querySelectorAll("[data-live]")].map(({ id }) => `#${id}`);
    saver.setAttribute("hx-select-oob", [...live, "#status:innerHTML"].join());
    status.textContent = saver.dataset.underWay;
    typed = false;
  });

  const lost = (detail) => {
    detail.shouldSwap = false;
    status.textContent =
      detail.xhr.status === 403
        ? form.dataset.outOfDate
        : form.dataset.lost;
  };
  form.addEventListener("htmx:sendError", ({ detail }) => lost(detail));
  form.addEventListener("htmx:beforeSwap", ({ detail }) => {
    // Logged out meanwhile, or an error page: nothing of it belongs here.
    if (!detail.serverResponse.includes("data-registration")) lost(detail);
  });
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
    const { drawn, code } = detail.fragment.firstElementChild?.dataset ?? {};
    if (code === "422") {
      // The list of what is wrong comes after a button, and stays until nothing is wrong.
      detail.shouldSwap = false;
    } else if (drawn && drawn === detail.target.dataset.drawn) {
      // The fields in it stay, too: only what is wrong with them is drawn anew.
      detail.shouldSwap = false;
      for (const live of detail.fragment.querySelectorAll("[data-live] [data-live]")) {
        document.getElementById(live.id).replaceWith(live);
      }
    }
  });

  saver.addEventListener("htmx:afterSwap", () => {
    if ("saves" in saver.dataset && !typed && !document.querySelector("[data-stale]")) unsaved = false;
    for (const errors of form.querySelectorAll(".errors")) {
      const entry = errors.closest("[data-entry]");
      const problem = errors.querySelector(".problem");
      entry.classList.toggle("wrong", problem !== null);
      if (entry.dataset.entry === "hubs") continue;
      const field = entry.querySelector("input, select");
      if (problem) {
        field.setAttribute("aria-invalid", "true");
        field.setAttribute("aria-describedby", problem.id);
      } else {
        field.removeAttribute("aria-invalid");
        field.removeAttribute("aria-describedby");
      }
    }
    const { address } = document.getElementById("keys").dataset;
    if (form.getAttribute("action") !== address) {
      form.setAttribute("action", address);
      history.replaceState(null, "", address);
    }
    document.querySelector("[data-stale]")?.focus();
  });

  form.addEventListener("htmx:afterSwap", ({ target, detail }) => {
    if (!target.matches("[data-rows]")) return;
    const { value } = detail.requestConfig.elt;
    if (!value) return; // drawn anew by a save, not by a button of the rows
    if (value.startsWith("days-") || value === "add-hub") {
      htmx.trigger(form, "change");
      const field = value === "add-hub" ? "hub" : value;
      document.querySelector(`[name="${field}"], [value="${field}"]`)?.focus();
      return;
    }
    const added = value.startsWith("add-");
    const last = [...target.querySelectorAll("[data-row]")].at(-1);
    const field = added && last?.querySelector("input:not([type=hidden]), select");
    (field || target.querySelector("[value^=add-]")).focus();
    if (!added) htmx.trigger(form, "change");
  });

  // A save under way would make the version of the form's own submission stale.
  form.addEventListener("submit", (event) => {
    if (form.querySelector(".htmx-request")) {
      event.preventDefault();
      setTimeout(() => form.requestSubmit(event.submitter), 60);
    } else {
      renewToken();
      leaving = true;
    }
  });
  addEventListener("pageshow", () => {
    leaving = false;
  });
}
