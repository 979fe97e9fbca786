// Comfort for the calculators: rows one by one, players by name, the answer as one goes, a button that copies the link.
// Without this script the form does all of it by its buttons.
"use strict";

for (const form of document.querySelectorAll("form[data-calculator]")) {
  const rows = form.querySelector(".rows-of-games tbody");
  const most = Number(form.dataset.most);

  const addRow = () => {
    const number = rows.children.length + 1;
    if (number > most) return null;
    const row = rows.lastElementChild.cloneNode(true);
    for (const part of row.querySelectorAll(".help, .problem, .suggestions")) part.remove();
    row.querySelector("th").textContent = String(number);
    for (const field of row.querySelectorAll("input, select")) {
      field.name = field.name.replace(/\d+$/, String(number));
      field.id = `id_${field.name}`;
      field.setAttribute("aria-label", field.getAttribute("aria-label").replace(/\d+$/, String(number)));
      for (const name of ["value", "aria-invalid", "aria-describedby", "placeholder"]) field.removeAttribute(name);
      field.value = "";
      suggest(field);
    }
    for (const cell of row.querySelectorAll(".wrong")) cell.classList.remove("wrong");
    rows.append(row);
    if (number === most) more?.remove();
    return row;
  };

  const more = form.querySelector("[data-more]");
  if (more) {
    more.textContent = "Add a game";
    more.addEventListener("click", (event) => {
      event.preventDefault();
      addRow()?.querySelector("input, select").focus();
    });
  }

  // The answer as one goes
  let asked = null;
  let timer = 0;
  const entry = () => {
    const data = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value.trim()) data.append(name, value.trim());
    return data;
  };
  const recalculate = async () => {
    asked?.abort();
    asked = new AbortController();
    const address = `${form.getAttribute("action").split("#")[0]}?${entry()}`;
    try {
      const response = await fetch(address, { signal: asked.signal });
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (page.querySelector("main .problems")) return;
      for (const id of ["who", "answer", "explained"]) document.getElementById(id).replaceWith(page.getElementById(id));
      for (const field of form.querySelectorAll("input, select")) {
        const fresh = page.getElementById(field.id);
        if (!fresh) continue;
        if (fresh.placeholder) field.placeholder = fresh.placeholder;
        else field.removeAttribute("placeholder");
        if (field.dataset.player !== undefined) note(field, fresh.parentElement.querySelector("p.help a"));
      }
      rows.parentElement.tHead.replaceWith(document.importNode(page.querySelector(".rows-of-games").tHead, true));
      for (const label of form.querySelectorAll("label[for]")) {
        label.textContent = page.querySelector(`label[for="${label.htmlFor}"]`)?.textContent ?? label.textContent;
      }
      for (const left of form.querySelectorAll("p.problem")) left.remove();
      for (const left of form.querySelectorAll(".wrong")) left.classList.remove("wrong");
      document.querySelector("main .problems")?.remove();
      history.replaceState(null, "", address);
      offerCopy();
    } catch {
      // Overtaken by the next change, or no connection: the button still calculates.
    }
  };
  form.addEventListener("change", () => {
    clearTimeout(timer);
    timer = setTimeout(recalculate, 150);
  });

  // Players by name
  const note = (field, link) => {
    if (!/^p\d+$/.test(field.name)) return;
    field.parentElement.querySelector("p.help")?.remove();
    if (!link) return;
    const line = document.createElement("p");
    line.className = "help";
    line.append(document.importNode(link, true));
    field.parentElement.append(line);
  };
  const told = (player) => [player.number, player.region, player.told].filter(Boolean).join(" · ");

  const playersAddress = (field) => {
    const query = new URLSearchParams({ q: field.value, at: form.elements.at?.value ?? "" });
    const list = form.elements.list?.value || form.dataset.list;
    if (list) query.set("list", list);
    return `${form.dataset.players}?${query}`;
  };

  function suggest(field) {
    if (field.dataset.player === undefined) return;
    field.placeholder ||= "Name or number";
    field.addEventListener("suggestion", (event) => {
      event.preventDefault();
      field.value = event.detail.number;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
    autocomplete(field, () => playersAddress(field), told);
  }
  for (const field of form.querySelectorAll("input[data-player]")) suggest(field);

  // The link
  const offerCopy = () => {
    const field = document.getElementById("address");
    if (!field || !navigator.clipboard) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = "Copy link";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    });
    field.after(button);
  };
  offerCopy();
}
