// The list of runs loads itself again while one of them is under way.
document.addEventListener("DOMContentLoaded", () => {
  const states = [...document.querySelectorAll("#result_list .field-how_far, .form-row.field-state .readonly")];
  const underWay = ["queued", "running", "publishing"];
  if (states.some((cell) => underWay.some((word) => cell.textContent.trim().startsWith(word)))) {
    setTimeout(() => window.location.reload(), 2000);
  }
});
