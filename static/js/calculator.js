// Comfort for the calculators: rows one by one, players by name, the answer as one goes, a button that copies the link.
// Without this script the form does all of it by its buttons.
"use strict";

for (const form of document.querySelectorAll("form[data-calculator]")) {
  const texts = form.dataset; // in the language of the page
  const rows = form.querySelector(".rows-of-games tbody");
  const [first, most] = [Number(form.dataset.first), Number(form.dataset.most)];
  const more = form.querySelector("[data-more]");
  const fieldsOf = (place) => [...place.querySelectorAll("input, select")];

  const counted = () => {
    if (form.elements.namedItem("n")) form.querySelector("input[name=n]").value = String(rows.children.length);
    if (more) more.hidden = rows.children.length >= most;
  };

  const addRow = () => {
    const number = rows.children.length + 1;
    if (number > most) return null;
    const row = rows.lastElementChild.cloneNode(true);
    for (const part of row.querySelectorAll(".help, .problem, .suggestions")) part.remove();
    row.querySelector("th").textContent = String(number);
    const button = row.querySelector("[data-remove]");
    button.value = String(number);
    for (const name of ["aria-label", "title"]) button.setAttribute(name, texts.removeGame.replace("{}", number));
    for (const field of fieldsOf(row)) {
      field.name = field.name.replace(/\d+$/, String(number));
      field.id = `id_${field.name}`;
      field.setAttribute("aria-label", field.getAttribute("aria-label").replace(/\d+$/, String(number)));
      for (const name of ["value", "aria-invalid", "aria-describedby", "placeholder"]) field.removeAttribute(name);
      field.value = "";
      suggest(field);
    }
    for (const cell of row.querySelectorAll(".wrong")) cell.classList.remove("wrong");
    rows.append(row);
    counted();
    return row;
  };

  // What stands below moves up a row, so that no field changes its name.
  const removeRow = (row) => {
    const place = [...rows.children].indexOf(row);
    const below = [...rows.children].slice(place);
    below.forEach((upper, index) => {
      const values = below[index + 1] ? fieldsOf(below[index + 1]).map((field) => field.value) : [];
      fieldsOf(upper).forEach((field, column) => {
        field.value = values[column] ?? "";
        field.removeAttribute("placeholder");
      });
      for (const part of upper.querySelectorAll(".help")) part.remove();
    });
    if (rows.children.length > 1) rows.lastElementChild.remove();
    counted();
    fieldsOf(rows.children[Math.min(place, rows.children.length - 1)])[0].focus();
    recalculateSoon();
  };

  if (more) {
    more.textContent = texts.addGame;
    more.addEventListener("click", (event) => {
      event.preventDefault();
      const row = addRow();
      if (row) fieldsOf(row)[0].focus();
    });
  }
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-remove]");
    if (!button) return;
    event.preventDefault();
    removeRow(button.closest("tr"));
  });

  // The answer as one goes
  let asked = null;
  let timer = 0;
  const entry = () => {
    const data = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value.trim()) data.append(name, value.trim());
    if (data.get("n") === String(first)) data.delete("n");
    return data;
  };

  // What is missing in a row that is being filled in, or was not begun, is not a mistake yet.
  const begun = (row) => fieldsOf(row).some((field) => field.value.trim());
  const unfinished = (field) => {
    const row = field?.closest("tr");
    return Boolean(row) && !field.value.trim() && (!begun(row) || row.contains(document.activeElement));
  };

  const showProblems = (page) => {
    for (const field of fieldsOf(form)) {
      const holder = field.closest(".entry, td");
      if (!holder) continue;
      const problems = unfinished(field) ? [] : [...page.querySelectorAll(`p.problem[id="${field.id}_error"]`)];
      for (const left of holder.querySelectorAll("p.problem")) left.remove();
      holder.classList.toggle("wrong", problems.length > 0);
      for (const name of ["aria-invalid", "aria-describedby"]) {
        const value = page.getElementById(field.id)?.getAttribute(name);
        if (value && (problems.length || name !== "aria-invalid")) field.setAttribute(name, value);
        else field.removeAttribute(name);
      }
      for (const problem of problems) {
        if (holder.matches("td")) holder.append(document.importNode(problem, true));
        else field.before(document.importNode(problem, true));
      }
    }
    const summary = page.querySelector("main .problems");
    for (const line of summary?.querySelectorAll("li") ?? []) {
      const link = line.querySelector("a");
      if (link && unfinished(document.getElementById(link.hash.slice(1)))) line.remove();
    }
    const old = document.querySelector("main .problems");
    const fresh = summary?.querySelector("li") ? document.importNode(summary, true) : null;
    if (!fresh) page.getElementById("tally").replaceChildren(...page.querySelectorAll("#tally a:not([href='#outcome'])"));
    if (old && fresh && old.textContent === fresh.textContent) return;
    old?.remove();
    if (fresh) document.querySelector(".calculator").before(fresh);
  };

  const recalculate = async () => {
    asked?.abort();
    asked = new AbortController();
    const address = `${form.getAttribute("action").split("#")[0]}?${entry()}`;
    try {
      const response = await fetch(address, { signal: asked.signal });
      if (!response.ok) throw new Error(response.statusText);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      showProblems(page);
      for (const id of ["who", "tally", "answer", "explained"]) {
        document.getElementById(id).replaceWith(page.getElementById(id));
      }
      for (const field of fieldsOf(form)) {
        const fresh = page.getElementById(field.id);
        if (!fresh) continue;
        if (fresh.placeholder) field.placeholder = fresh.placeholder;
        else field.removeAttribute("placeholder");
        if (field.dataset.player !== undefined) {
          note(field, fresh.parentElement.querySelector("p.help a"));
          field.placeholder ||= texts.nameOrNumber;
        }
      }
      rows.parentElement.tHead.replaceWith(document.importNode(page.querySelector(".rows-of-games").tHead, true));
      for (const label of form.querySelectorAll("label[for]")) {
        label.textContent = page.querySelector(`label[for="${label.htmlFor}"]`)?.textContent ?? label.textContent;
      }
      history.replaceState(null, "", address);
      offerCopy();
    } catch (error) {
      if (error.name === "AbortError") return; // overtaken by the next change
      for (const id of ["tally", "explained"]) document.getElementById(id).replaceChildren();
      document.getElementById("answer").textContent = texts.noAnswer;
    }
  };
  const recalculateSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(recalculate, 150);
  };
  form.addEventListener("change", recalculateSoon);
  form.addEventListener("focusout", (event) => {
    const row = event.target.closest("tr");
    if (row?.isConnected && !row.contains(event.relatedTarget) && fieldsOf(row).some((field) => !field.value) && begun(row)) {
      recalculateSoon();
    }
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
    field.placeholder ||= texts.nameOrNumber;
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
    button.textContent = texts.copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(field.value);
      button.textContent = texts.copied;
    });
    field.after(button);
  };
  offerCopy();
}
