// Names for what Django's admin leaves without one: fields in rows, their empty headings, boxes with suggestions, the search; and
// the zone of the times that are typed, which is the site's, whatever the reader's clock says.
"use strict";

(() => {
  const hidden = (text) => {
    const span = document.createElement("span");
    span.className = "visually-hidden";
    span.textContent = text;
    return span;
  };

  const nameRows = (table) => {
    for (const head of table.querySelectorAll("thead th")) {
      if (!head.textContent.trim()) {
        head.append(hidden(head.classList.contains("original") ? "Row" : "Remove"));
      }
    }
    for (const field of table.querySelectorAll("tbody :is(input, select, textarea)")) {
      const cell = field.closest("td");
      const column = [...(cell?.classList ?? [])].find((name) => name.startsWith("field-"));
      const head = column && table.querySelector(`thead .column-${column.slice(6)}`);
      const name = cell?.classList.contains("delete") ? "Delete this row" : head && head.textContent.trim();
      if (name && field.type !== "hidden" && !field.labels.length) {
        field.setAttribute("aria-label", name);
      }
    }
  };

  // The names of columns in their cells, by which a phone shows a row without its heading.
  const labelCells = (table) => {
    const heads = [...table.querySelectorAll("thead th")].flatMap((head) =>
      Array(head.colSpan).fill(head.classList.contains("original") ? "" : head.firstChild?.textContent.trim().replace(/\?$/, "") ?? ""),
    );
    for (const row of table.querySelectorAll("tbody tr")) {
      if (row.cells.length === heads.length) {
        [...row.cells].forEach((cell, place) => {
          if (place && heads[place]) {
            cell.dataset.label = heads[place];
          }
        });
      }
    }
    table.classList.add("labelled");
  };

  // What is wider than its frame is scrolled by keys, too.
  const reach = (frame) => {
    if (frame.scrollWidth > frame.clientWidth) {
      frame.tabIndex = 0;
    }
  };

  const nameBoxes = () => {
    for (const box of document.querySelectorAll(".select2-selection")) {
      const field = box.closest(".select2-container")?.previousElementSibling;
      const name = field?.labels?.[0]?.textContent.trim().replace(/:$/, "") || field?.getAttribute("aria-label");
      if (name) {
        for (const part of [box, ...box.querySelectorAll("[role='textbox']")]) {
          part.setAttribute("aria-label", name);
          part.removeAttribute("aria-labelledby");
        }
      }
    }
  };

  const zone = document.currentScript.dataset.zone;
  // Django tells by how many hours the reader's clock differs from the site's: the zone says what is to be typed.
  const nameZone = () => {
    for (const field of document.querySelectorAll("p.datetime")) {
      let note = field.querySelector(".timezonewarning");
      if (!note) {
        note = document.createElement("div");
        note.className = "help timezonewarning";
        field.append(note);
      }
      for (const other of field.querySelectorAll(".timezonewarning")) if (other !== note) other.remove();
      note.textContent = `Times are those of ${zone}.`;
    }
    // A day alone has no zone.
    for (const note of document.querySelectorAll(".timezonewarning")) if (!note.closest("p.datetime")) note.remove();
  };
  window.addEventListener("load", nameZone);

  const nameAll = () => {
    document.querySelectorAll(".inline-group .tabular table").forEach(nameRows);
    document.querySelectorAll(".inline-group .tabular table, #content-main .module.differences > table").forEach(labelCells);
    document.querySelectorAll(".inline-group .tabular, #changelist .results").forEach(reach);
    nameBoxes();
    document.getElementById("searchbar")?.setAttribute("aria-label", "Search");
  };

  // After the handlers that Django’s own scripts have given to jQuery, which draw the boxes.
  const ready = window.django?.jQuery ?? ((run) => window.addEventListener("load", run));
  ready(nameAll);
  for (const drawn of ["formset:added", "desk:drawn"])
    document.addEventListener(drawn, () =>
      setTimeout(() => {
        nameAll();
        nameZone();
      }),
    );
})();
