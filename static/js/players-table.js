// Comfort for the table of a file's players: what is typed is kept as one goes, rows of a spreadsheet are pasted into a cell,
// Enter leads down the column. htmx sends the form and draws the table anew. Without this script the buttons do all of it.
"use strict";

{
  const players = document.getElementById("players");
  const form = () => document.getElementById("table");
  const fields = () => [...players.querySelectorAll("#table :is(input, textarea):not([type=hidden], [type=file])")];
  const valueOf = (field) => (field.type === "radio" ? field.checked : field.value);
  const setValue = (field, value) => {
    if (field.type === "radio") field.checked = value;
    else field.value = value;
  };

  // One request after another: the answer to the first draws the form anew, whose button is pressed then.
  let sending = false;
  let sent = new Map();
  let next = null;
  let timer = 0;
  let dirty = false;
  const status = (what) => {
    const place = players.querySelector("[data-saved]");
    if (place) place.textContent = what ? place.dataset[what] : "";
  };
  const press = (value) => {
    clearTimeout(timer);
    if (sending) {
      // What was pressed comes before what is only kept.
      if (!next || value !== "quiet") next = value;
      return;
    }
    const button = [...form().querySelectorAll("button")].find((one) => one.value === value);
    if (value === "quiet") {
      const keep = form().querySelector("[data-keep]");
      keep.value = "quiet";
      // htmx sends along the button that was clicked.
      keep.click();
      keep.value = "keep";
    } else button?.click();
  };
  const keepSoon = () => {
    dirty = true;
    clearTimeout(timer);
    timer = setTimeout(press, 700, "quiet");
  };

  players.addEventListener(
    "submit",
    (event) => {
      clearTimeout(timer);
      if (!sending) return;
      event.preventDefault();
      event.stopPropagation();
      next = event.submitter?.value ?? "keep";
    },
    true,
  );
  let quiet = false;
  players.addEventListener("htmx:beforeRequest", ({ detail }) => {
    sending = true;
    quiet = detail.requestConfig.parameters.get?.("do") === "quiet" || detail.requestConfig.parameters.do === "quiet";
    sent = new Map(fields().map((field) => [field.id, valueOf(field)]));
    status("saving");
  });
  players.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
    // All is said: the next question is on the results page.
    if (detail.xhr.getResponseHeader("HX-Redirect")) dirty = false;
  });
  const notSent = (why) => {
    const template = document.getElementById("not-sent");
    const box = template.content.firstElementChild.cloneNode(true);
    box.querySelector("h2").textContent = template.dataset[why];
    players.querySelector(".problems")?.remove();
    players.prepend(box);
    box.focus();
    status("");
    next = null;
  };
  let typed = new Map();
  let focused = "";
  let selection = [];
  let open = [];
  players.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!detail.serverResponse.includes('id="players"')) {
      detail.shouldSwap = false;
      dirty = false;
      if (detail.xhr.status < 400 && detail.serverResponse.includes('id="id_username"')) location.reload();
      else if (detail.xhr.status < 400) location.assign(detail.xhr.responseURL);
      else {
        dirty = true;
        notSent(detail.xhr.status >= 500 ? "busy" : "old");
      }
      return;
    }
    // What was typed while the request was under way is not in its answer.
    typed = new Map(
      fields()
        .filter((field) => sent.has(field.id) && sent.get(field.id) !== valueOf(field))
        .map((field) => [field.id, valueOf(field)]),
    );
    focused = document.activeElement?.id ?? "";
    selection = document.activeElement?.matches("input:not([type=radio])")
      ? [document.activeElement.selectionStart, document.activeElement.selectionEnd]
      : [];
    open = [...players.querySelectorAll("details[open] input")].map((field) => field.id);
  });
  players.addEventListener("htmx:afterSwap", ({ target, detail }) => {
    if (target !== detail.target) return;
    for (const [id, value] of typed) {
      const field = document.getElementById(id);
      if (field) setValue(field, value);
    }
    for (const id of open) document.getElementById(id)?.closest("details")?.setAttribute("open", "");
    dirty = typed.size > 0;
    status(dirty ? "" : "saved");
    if (quiet) {
      const field = focused && document.getElementById(focused);
      if (field) {
        field.focus({ preventScroll: true });
        if (selection.length) field.setSelectionRange(...selection);
      }
    } else goTo(players.querySelector("[autofocus]"));
  });
  players.addEventListener("htmx:afterRequest", () => {
    sending = false;
    const value = next;
    next = null;
    if (value) press(value);
    else if (dirty && typed.size) keepSoon();
  });
  players.addEventListener("htmx:sendError", () => notSent("offline"));

  const goTo = (field) => {
    if (!field) return;
    field.closest("details")?.setAttribute("open", "");
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "nearest" });
  };
  const nextOpen = () => {
    const all = [...players.querySelectorAll("[data-open]")];
    const here = document.activeElement;
    const later = all.find((one) => one !== here && here.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    goTo(later ?? all[0] ?? document.getElementById("id_back"));
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey && !event.ctrlKey && event.code === "KeyN") {
      event.preventDefault();
      nextOpen();
    }
  });
  players.addEventListener("click", (event) => {
    if (event.target.closest("[data-next-open]")) {
      event.preventDefault();
      nextOpen();
    }
  });

  players.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === "Enter" && field.dataset.other) {
      event.preventDefault();
      press(`search-${field.dataset.other}`);
      return;
    }
    const column = field.dataset.cell;
    const by = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!column || !by || (column === "region" && event.key !== "Enter")) return;
    event.preventDefault();
    const cells = [...players.querySelectorAll(`[data-cell="${column}"]`)];
    const target = cells[cells.indexOf(field) + by];
    if (target) {
      goTo(target);
      target.select();
    } else if (event.key === "Enter") nextOpen();
  });
  players.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    const cell = event.target.dataset.cell;
    if (!cell || !/[\t\n\r]/.test(text.trim())) return;
    event.preventDefault();
    document.getElementById("id_cell").value = event.target.name;
    players.querySelector("textarea").value = text;
    press("paste");
  });
  players.addEventListener("input", ({ target }) => {
    if (target.dataset.cell) keepSoon();
  });
  players.addEventListener("change", ({ target }) => {
    if (target.type === "file" && target.files.length) press("sheet");
    else if (target.dataset.cell || target.type === "radio") keepSoon();
  });
  players.addEventListener("suggestion", (event) => {
    event.preventDefault();
    event.target.value = `${event.detail.listed} ${event.detail.number}`;
    press(`search-${event.target.dataset.other}`);
  });
  for (const kind of ["dragenter", "dragover"]) {
    players.addEventListener(kind, (event) => {
      if (!event.dataTransfer.types.includes("Files") || !document.getElementById("id_sheet")) return;
      event.preventDefault();
      form().classList.add("over");
    });
  }
  players.addEventListener("dragleave", (event) => {
    if (!form().contains(event.relatedTarget)) form().classList.remove("over");
  });
  players.addEventListener("drop", (event) => {
    const field = document.getElementById("id_sheet");
    if (!field || !event.dataTransfer.files.length) return;
    event.preventDefault();
    form().classList.remove("over");
    field.files = event.dataTransfer.files;
    press("sheet");
  });
  addEventListener("beforeunload", (event) => {
    if (dirty) event.preventDefault();
  });
}
