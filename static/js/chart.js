// Reads out a month of the rating history by pointer or arrow keys, zooms in on it by buttons or + and −, and lets the legend
// switch lines.
// The figures come from the tables behind the chart; without this script all lines are drawn.
"use strict";

const LABEL = 110; // pixels that a month below the axis takes, with the space around it

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

  const plot = svg.querySelector(".plot");
  const axis = [...svg.querySelectorAll(":scope > text:not(.end)")];
  const share = Number.parseFloat(plot.getAttribute("width")); // per cent of the figure that the plot takes
  const seen = { from: 0, to: share }; // the stretch of it that is shown, in the places of the rows
  let view = "all";
  const place = (row) => ((row.place - seen.from) / (seen.to - seen.from)) * share;

  // Stretches the plot over the months that are seen; while not all are, these are written below it.
  const stretch = () => {
    const isWhole = seen.to - seen.from >= share;
    const [, top, width, height] = plot.dataset[view].split(" ").map(Number);
    const left = (seen.from / share) * width;
    plot.setAttribute("viewBox", `${left} ${top} ${((seen.to - seen.from) / share) * width} ${height}`);
    plot.classList.toggle("zoomed", !isWhole);
    for (const text of axis) text.classList.toggle("unused", !isWhole);
    for (const text of svg.querySelectorAll(".zoomed-month")) text.remove();
    if (isWhole) return;
    const visible = rows.filter((row) => row.place >= seen.from && row.place <= seen.to);
    const every = Math.ceil(visible.length / Math.max(1, Math.floor((svg.clientWidth * share) / 100 / LABEL)));
    for (const row of visible.filter((_, index) => index % every === 0)) {
      const text = axis[0].cloneNode();
      text.setAttribute("class", "zoomed-month");
      text.setAttribute("x", `${place(row)}%`);
      text.setAttribute("text-anchor", place(row) < 10 ? "start" : "middle");
      text.textContent = row.month;
      svg.append(text);
    }
  };

  const see = (width, centre) => {
    seen.from = Math.max(0, Math.min(share - width, centre - width / 2));
    seen.to = seen.from + width;
    stretch();
  };

  const show = (index, pointed = true) => {
    at = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[at];
    if (row.place < seen.from || row.place > seen.to) see(seen.to - seen.from, row.place);
    const x = `${place(row)}%`;
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    cursor.classList.toggle("shown", pointed);
    reading.textContent = `${row.month}: ${words(row)}`;
    svg.setAttribute("aria-valuenow", String(at + 1));
    svg.setAttribute("aria-valuetext", reading.textContent);
  };

  // While only the lines of the beginning are shown, the scale is drawn to them.
  const later = [...figure.querySelectorAll(".legend li[data-off]")].map((item) => item.dataset.list);
  const settle = () => {
    view = later.some((code) => !hidden.has(code)) || !later.length ? "all" : "first";
    stretch();
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
    const pointed = ((event.clientX - box.left) / box.width) * 100;
    let nearest = 0;
    rows.forEach((row, index) => {
      if (Math.abs(place(row) - pointed) < Math.abs(place(rows[nearest]) - pointed)) nearest = index;
    });
    show(nearest);
  });
  const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: 12, PageDown: -12, Home: -1e6, End: 1e6 };
  // No closer than half a dozen months, no wider than all of them.
  const closest = rows.length > 6 ? ((rows.at(-1).place - rows[0].place) / (rows.length - 1)) * 6 : share;
  const buttons = figure.querySelectorAll("[data-zoom]");
  const zoom = (by) => {
    const width = seen.to - seen.from;
    see(Math.min(share, Math.max(closest, width * by)), rows[at].place);
    show(at);
    for (const button of buttons) {
      const limit = button.dataset.zoom < 1 ? closest : share;
      button.setAttribute("aria-disabled", String(Math.abs(seen.to - seen.from - limit) < 0.01));
    }
  };
  figure.querySelector(".zoom").hidden = closest >= share;
  for (const button of buttons) button.addEventListener("click", () => zoom(Number(button.dataset.zoom)));
  const zooms = { "+": 0.5, "=": 0.5, "-": 2, 0: 1e6 };
  svg.addEventListener("keydown", (event) => {
    if (event.key in zooms && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      zoom(zooms[event.key]);
    }
    if (!(event.key in steps)) return;
    event.preventDefault();
    show(at + steps[event.key]);
  });
}
