// The list of runs, and the pages of a run and of a month, load themselves again while a run is under way.
document.addEventListener("DOMContentLoaded", () => {
  const states = [...document.querySelectorAll("#result_list .field-how_far, .form-row.field-how_far .readonly")];
  const underWay = ["queued", "running", "publishing"];
  const marked = document.querySelector("[data-under-way]");
  if (marked || states.some((cell) => underWay.some((word) => cell.textContent.trim().startsWith(word)))) {
    setTimeout(() => window.location.reload(), 2000);
  }
});
