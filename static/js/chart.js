// Reads out a month of the rating history by pointer or arrow keys, and lets the legend switch lines.
// The figures come from the tables behind the chart; without this script all lines are drawn.
"use strict";

for (const figure of document.querySelectorAll("[data-chart]")) {
  const svg = figure.querySelector("svg[role=img]");
  const cursor = figure.querySelector(".cursor");
  const reading = figure.querySelector(".reading");
  const names = new Map();
  const hidden = new Set();

  const months = new Map();
  for (const table of document.querySelectorAll("table.history")) {
    const heads = table.querySelectorAll("thead th[data-list]");
    for (const row of table.querySelectorAll("tr[data-place]")) {
      const { month, place } = row.dataset;
      if (!months.has(month)) months.set(month, { month, place: Number(place), figures: new Map() });
      for (const head of heads) months.get(month).figures.set(head.dataset.list, row.cells[head.cellIndex].textContent);
    }
  }
  const rows = [...months.values()].sort((one, other) => one.place - other.place);
  let at = rows.length - 1;

  const words = (row) =>
    [...names]
      .filter(([code]) => row.figures.has(code) && !hidden.has(code))
      .map(([code, name]) => `${name} ${row.figures.get(code)}`)
      .join(" · ");

  const show = (index, pointed = true) => {
    at = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[at];
    const place = `${row.place}%`;
    cursor.setAttribute("x1", place);
    cursor.setAttribute("x2", place);
    cursor.classList.toggle("shown", pointed);
    reading.textContent = `${row.month}: ${words(row)}`;
    svg.setAttribute("aria-valuenow", String(at + 1));
    svg.setAttribute("aria-valuetext", reading.textContent);
  };

  // While only the lines of the beginning are shown, the scale is drawn to them.
  const later = [...figure.querySelectorAll(".legend li[data-off]")].map((item) => item.dataset.list);
  const plot = svg.querySelector(".plot");
  const settle = () => {
    const view = later.some((code) => !hidden.has(code)) || !later.length ? "all" : "first";
    plot.setAttribute("viewBox", plot.dataset[view]);
    for (const end of svg.querySelectorAll("text.end")) end.setAttribute("y", end.dataset[view]);
    for (const part of svg.querySelectorAll("[data-view]")) part.classList.toggle("unused", part.dataset.view !== view);
  };

  for (const item of figure.querySelectorAll(".legend li[data-list]")) {
    const code = item.dataset.list;
    names.set(code, item.textContent.trim());
    const button = document.createElement("button");
    button.type = "button";
    if ("off" in item.dataset) hidden.add(code);
    button.setAttribute("aria-pressed", String(!hidden.has(code)));
    button.append(...item.childNodes);
    item.append(button);
    button.addEventListener("click", () => {
      const off = !hidden.has(code);
      if (off) hidden.add(code);
      else hidden.delete(code);
      button.setAttribute("aria-pressed", String(!off));
      for (const part of svg.querySelectorAll(`[data-list="${code}"]`)) part.classList.toggle("off", off);
      settle();
      show(at);
    });
  }
  settle();
  if (!rows.length) continue;

  svg.setAttribute("tabindex", "0");
  svg.setAttribute("role", "slider");
  svg.setAttribute("aria-valuemin", "1");
  svg.setAttribute("aria-valuemax", String(rows.length));
  show(at, false);
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * 100;
    let nearest = 0;
    rows.forEach((row, index) => {
      if (Math.abs(row.place - share) < Math.abs(rows[nearest].place - share)) nearest = index;
    });
    show(nearest);
  });
  const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: 12, PageDown: -12, Home: -1e6, End: 1e6 };
  svg.addEventListener("keydown", (event) => {
    if (!(event.key in steps)) return;
    event.preventDefault();
    show(at + steps[event.key]);
  });
}
