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

  function suggest(field) {
    if (field.dataset.player === undefined) return;
    const list = document.createElement("ul");
    let chosen = -1;
    let waiting = 0;
    list.className = "suggestions";
    list.id = `${field.id}-suggestions`;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Players");
    list.hidden = true;
    field.placeholder ||= "Name or number";
    field.parentElement.classList.add("suggesting");
    field.after(list);
    const state = { role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" };
    for (const [name, value] of Object.entries(state)) field.setAttribute(name, value);

    const close = () => {
      list.hidden = true;
      chosen = -1;
      field.setAttribute("aria-expanded", "false");
      field.removeAttribute("aria-activedescendant");
    };
    const take = (option) => {
      field.value = option.dataset.number;
      close();
      field.dispatchEvent(new Event("change", { bubbles: true }));
    };
    const choose = (place) => {
      const options = [...list.children];
      chosen = (place + options.length) % options.length;
      options.forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)));
      field.setAttribute("aria-activedescendant", options[chosen].id);
    };
    const show = (players) => {
      list.replaceChildren(
        ...players.map((player, place) => {
          const option = document.createElement("li");
          const detail = document.createElement("small");
          option.id = `${list.id}-${place}`;
          option.dataset.number = player.number;
          option.setAttribute("role", "option");
          option.setAttribute("aria-selected", "false");
          detail.textContent = told(player);
          option.append(player.name, detail);
          return option;
        }),
      );
      chosen = -1;
      list.hidden = !players.length;
      field.setAttribute("aria-expanded", String(!list.hidden));
    };
    const ask = async () => {
      const query = new URLSearchParams({ q: field.value, at: form.elements.at?.value ?? "" });
      const list = form.elements.list?.value || form.dataset.list;
      if (list) query.set("list", list);
      try {
        const response = await fetch(`${form.dataset.players}?${query}`);
        if (response.ok && document.activeElement === field) show((await response.json()).players);
      } catch {
        // No connection: a number can still be typed.
      }
    };
    field.addEventListener("input", () => {
      clearTimeout(waiting);
      if (field.value.trim().length < 2) close();
      else waiting = setTimeout(ask, 120);
    });
    field.addEventListener("keydown", (event) => {
      if (list.hidden) return;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        choose(event.key === "ArrowDown" ? chosen + 1 : chosen < 0 ? -1 : chosen - 1);
      } else if (event.key === "Enter" && chosen >= 0) {
        event.preventDefault();
        take(list.children[chosen]);
      } else if (event.key === "Escape") {
        event.preventDefault();
        close();
      }
    });
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest("li");
      if (option) take(option);
    });
    field.addEventListener("blur", () => {
      clearTimeout(waiting);
      close();
    });
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
