// Suggests players for the last name in the field, and puts the number of the chosen one in its place.
// Without this script the page looks for the names.
"use strict";

for (const input of document.querySelectorAll("input[data-players]")) {
  // What stands before the last comma stays; of what follows, whole numbers stay, too.
  const parts = () => {
    const [, before, name] = /^((?:.*,)?\s*(?:\d{9}\s+)*)(.*)$/su.exec(input.value);
    return { before, name };
  };

  autocomplete(input, () => `${input.dataset.players}?q=${encodeURIComponent(parts().name)}`);
  input.addEventListener("suggestion", (event) => {
    event.preventDefault();
    const before = parts().before.trim();
    const comma = before && !before.endsWith(",") ? "," : "";
    input.value = `${before}${comma}${before ? " " : ""}${event.detail.number}, `;
  });
}
