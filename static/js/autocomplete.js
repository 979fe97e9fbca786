// Suggests players while one types into a field, and goes to the chosen one's page unless a listener of `suggestion` on the
// field does otherwise. Without this script the field's form does the search.
"use strict";

// `address` gives the address to ask for what stands in the field; `detail` what is shown below a player's name.
function autocomplete(input, address, detail = (player) => player.detail) {
  const list = document.createElement("ul");
  list.className = "suggestions";
  list.id = `${input.id}-suggestions`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", document.body.dataset.players);
  list.hidden = true;
  input.parentElement.classList.add("suggesting");
  input.after(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");
  let chosen = -1;
  let asked = null;
  let timer = 0;

  const close = () => {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };

  const choose = (index) => {
    const options = [...list.children];
    chosen = (index + options.length) % options.length;
    options.forEach((option, place) => option.setAttribute("aria-selected", String(place === chosen)));
    input.setAttribute("aria-activedescendant", options[chosen].id);
  };

  const show = (players) => {
    list.replaceChildren(
      ...players.map((player, place) => {
        const option = document.createElement("li");
        const line = document.createElement("small");
        option.id = `${list.id}-${place}`;
        option.player = player;
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", "false");
        line.textContent = detail(player);
        option.append(player.name, line);
        return option;
      }),
    );
    chosen = -1;
    list.hidden = !players.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
  };

  const take = (option) => {
    const chosen = new CustomEvent("suggestion", { bubbles: true, cancelable: true, detail: option.player });
    if (input.dispatchEvent(chosen)) location.assign(`/players/${option.player.number}/`);
    else close();
  };

  const ask = async () => {
    asked?.abort();
    asked = new AbortController();
    try {
      const answer = await fetch(address(), { signal: asked.signal });
      if (answer.ok) show((await answer.json()).players);
    } catch {
      // Overtaken by the next letter, or no connection: the form still searches.
    }
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    if (input.value.trim().length < 2) close();
    else timer = setTimeout(ask, 120);
  });
  input.addEventListener("keydown", (event) => {
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
  // Before the field loses its focus, or the list would be gone before the click arrives.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("li");
    if (option) take(option);
  });
  input.addEventListener("blur", () => {
    clearTimeout(timer);
    asked?.abort();
    close();
  });
}

const suggestPlayers = () => {
  for (const input of document.querySelectorAll("input[data-suggest]:not([role])")) {
    autocomplete(input, () => `${input.dataset.suggest}?q=${encodeURIComponent(input.value)}`);
  }
};
suggestPlayers();
// A field with `data-fill` takes the chosen player, with his number, and stays.
document.addEventListener("suggestion", (event) => {
  if (!event.target.matches("[data-fill]")) return;
  event.preventDefault();
  event.target.value = `${event.detail.name} (${event.detail.number})`;
});
// Fields of a part that was drawn anew.
document.addEventListener("htmx:afterSwap", suggestPlayers);
