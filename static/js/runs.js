// The list of runs, and a run's page, load themselves again while a run is under way.
document.addEventListener("DOMContentLoaded", () => {
  const states = [...document.querySelectorAll("#result_list .field-how_far, .form-row.field-how_far .readonly")];
  const underWay = ["queued", "running", "publishing"];
  if (states.some((cell) => underWay.some((word) => cell.textContent.trim().startsWith(word)))) {
    setTimeout(() => window.location.reload(), 2000);
  }
});
