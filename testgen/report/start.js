// Before anything is drawn: what goes wrong later is shown, not lost in a console; and the colours that were chosen the
// last time, so that a dark page does not flash white.
"use strict";
window.addEventListener("error", (event) => {
  const show = () => {
    const box = document.getElementById("problems");
    box.hidden = false;
    const line = document.createElement("p");
    line.textContent = "This page could not be drawn completely: " + event.message;
    box.append(line);
  };
  if (document.getElementById("problems"))
    show();
  else
    document.addEventListener("DOMContentLoaded", show);
});
{
  let chosen = null;
  try {
    chosen = localStorage.getItem("espalier-theme");
  } catch {
    // A browser that keeps nothing for files: the system's colours it is.
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
