// Comfort for results entered by hand: the other side of a game is filled in, points are counted, Enter leads to the next game
// without a result, chosen players bring their ids. Without this script one side of a game is enough, and the buttons do the rest.
"use strict";

for (const form of document.querySelectorAll("form[data-by-hand]")) {
  const { mirror, worth, byes, forfeits } = JSON.parse(form.dataset.spellings);
  const counts = JSON.parse(form.dataset.counts);
  const counted = (number, what) => counts[what][number === 1 ? 0 : 1].replace("%(count)s", number);
  const rounds = Number(form.elements.rounds.value);
  const rows = [...form.querySelectorAll("[data-row]")];
  const numbers = rows.map((row) => Number(row.dataset.row));
  const cell = (number, round) => form.elements[`c${number}-${round}`];
  for (const part of form.querySelectorAll("[data-scripted]")) part.hidden = false;
  document.querySelector("main .problems")?.focus();

  // What a cell says: a bye's points, or the opponent, colour, result and where the result begins. Null for neither.
  const read = (text) => {
    const typed = text.trim().toLowerCase().replace(/[–−]/g, "-");
    const tidy = typed.replace(/1\/2|(?<![0-9])0[.,]5|[.,]5|=/g, "½");
    const bye = byes[tidy.replaceAll(" ", "")];
    if (bye !== undefined) return { bye, points: bye, done: true };
    const found = /^([0-9]{1,4})(?:\s*([wb])\s*|\s+|(?=[^0-9\s])|$)(.*)$/.exec(tidy);
    if (!found) return null;
    const result = found[3].replaceAll(" ", "");
    if (result && !(result in mirror)) return null;
    const head = /^\s*[0-9]+(\s*[wb]\s*|\s*)/i.exec(text)[0].length;
    return { opponent: Number(found[1]), colour: found[2] ?? "", result, points: worth[result] ?? 0, done: result !== "", head };
  };
  const own = (number, round) => {
    const field = cell(number, round);
    return field ? read(field.value) : null;
  };

  const count = () => {
    let games = 0;
    let lost = 0;
    let missing = 0;
    let clashes = 0;
    rows.forEach((row, place) => {
      let halves = 0;
      for (let round = 1; round <= rounds; round += 1) {
        const said = own(numbers[place], round);
        cell(numbers[place], round).parentElement.classList.remove("clash");
        if (!said) continue;
        halves += 2 * said.points;
        const other = said.opponent ? own(said.opponent, round) : null;
        const clash = Boolean(said.opponent && cell(said.opponent, round)?.value.trim() && other?.opponent !== numbers[place]);
        cell(numbers[place], round).parentElement.classList.toggle("clash", clash);
        clashes += clash;
        const second = other?.opponent === numbers[place] && said.opponent < numbers[place];
        if (said.opponent && !second) {
          if (forfeits.includes(said.result || mirror[other?.result])) lost += 1;
          else games += 1;
          if (!said.done && !other?.done) missing += 1;
        }
      }
      const whole = Math.floor(halves / 2);
      row.querySelector("[data-points]").textContent = halves % 2 ? `${whole || ""}½` : String(whole);
    });
    const parts = [
      counted(games, "games"),
      lost && counted(lost, "forfeits"),
      missing && counted(missing, "missing"),
      clashes && counted(clashes, "clashes"),
    ];
    const said = parts.filter(Boolean).join(", ");
    const place = form.querySelector("[data-count]");
    if (place.textContent !== said) place.textContent = said;
  };

  // The other side of a game. What somebody typed for another game stays; what was only filled in gives way.
  const filledIn = new Set();
  const fill = (number, round) => {
    const said = own(number, round);
    filledIn.delete(cell(number, round));
    for (const one of numbers) {
      const field = cell(one, round);
      if (one !== said?.opponent && filledIn.has(field) && read(field.value)?.opponent === number) field.value = "";
    }
    const field = said?.opponent && said.opponent !== number ? cell(said.opponent, round) : null;
    if (!field) return;
    const there = read(field.value);
    if (there?.opponent === number ? !said.result && there.result : field.value.trim() && !filledIn.has(field)) return;
    const colour = { w: "b", b: "w", "": " " }[said.colour];
    field.value = `${number}${colour}${said.result ? mirror[said.result] : ""}`.trimEnd();
    filledIn.add(field);
  };

  const place = (field) => {
    const found = /^c([0-9]+)-([0-9]+)$/.exec(field.name ?? "");
    return found ? [Number(found[1]), Number(found[2])] : null;
  };
  const go = (field) => {
    field.focus();
    field.scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  // Down the round, then on to the next one.
  const next = (number, round) => {
    const order = [];
    for (let later = round; later <= rounds; later += 1) {
      for (const one of numbers) if (later > round || one > number) order.push([one, later]);
    }
    const wanted = order.find(([one, later]) => filled(one) && !own(one, later)?.done);
    if (wanted) go(cell(...wanted));
    else go(form.querySelector('.finish button[value="keep"], .finish button[value="replace"]'));
  };
  const filled = (number) => form.elements[`p${number}-name`]?.value.trim() || form.elements[`p${number}-national_id`]?.value.trim();
  const step = (field, by) => {
    const [number, round] = place(field);
    const target = cell(numbers[numbers.indexOf(number) + by], round);
    if (target) go(target);
  };
  const below = (field) => {
    const [row, column] = [Number(/^p([0-9]+)-/.exec(field.name)[1]), field.dataset.column];
    const later = numbers[numbers.indexOf(row) + 1];
    go(form.elements[`p${later}-${column}`] ?? form.querySelector('[value="pair"]') ?? cell(numbers[0], 1));
  };

  form.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const here = place(field);
    if (event.key === "Enter" && field.matches("input") && (here || field.dataset.column)) {
      event.preventDefault();
      if (!here) below(field);
      else {
        settle(field);
        fill(...here);
        count();
        next(...here);
      }
    } else if (here && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      step(field, event.key === "ArrowUp" ? -1 : 1);
    }
  });

  // Typing changes the result and leaves the opponent: 10w, 1 → 10w1; 10w1, = → 10w=. Who types the whole of another game has
  // that one: 10w1, 7b0 → 7b0.
  let kept = "";
  const settle = (field) => {
    const rest = field.value.startsWith(kept) ? field.value.slice(kept.length).trim() : "";
    if (kept && !read(field.value) && (read(rest)?.colour || read(rest)?.bye !== undefined)) field.value = rest;
  };
  const select = (field) => {
    if (!place(field)) return;
    const said = read(field.value);
    kept = said?.opponent ? field.value.slice(0, said.head) : "";
    if (said?.opponent) field.setSelectionRange(said.head, field.value.length);
    else field.select();
  };
  form.addEventListener("focusin", (event) => select(event.target));
  if (form.contains(document.activeElement)) select(document.activeElement);

  let changed = false;
  form.addEventListener("change", (event) => {
    changed = true;
    const here = place(event.target);
    if (here) {
      settle(event.target);
      fill(...here);
      count();
    }
    const name = /^p([0-9]+)-name$/.exec(event.target.name);
    if (name) form.querySelector(`[data-row="${name[1]}"] [data-name]`).textContent = event.target.value;
  });
  form.addEventListener("suggestion", (event) => {
    event.preventDefault();
    event.target.value = event.detail.listed;
    form.elements[event.target.name.replace("-name", "-national_id")].value = event.detail.number;
    event.target.dispatchEvent(new Event("change", { bubbles: true }));
  });
  form.addEventListener("submit", () => {
    changed = false;
  });
  // The page came back with what was typed: that is not kept yet either.
  if (document.querySelector("main .problems")) changed = true;
  addEventListener("beforeunload", (event) => {
    if (changed) event.preventDefault();
  });
  count();
}
