// The keyboard in places with many links or buttons. Were each a stop of the Tab key, a page with a thousand tests would
// take thousands of keys to get through. So such a place is one stop, and the arrow keys go on from there: left and right to
// the one before and after, up and down to the nearest in another row, Home and End to the first and last.
function oneStop(place, selector, row) {
  const items = () => [...place.querySelectorAll(selector)].filter((item) => item.checkVisibility());
  place.setAttribute("aria-description", "The arrow keys go from one to the next");
  let stop = null;
  const stopAt = (item) => {
    if (stop) stop.tabIndex = -1;
    stop = item;
    if (stop) stop.tabIndex = 0;
  };
  const nearest = (list, from) => {
    const left = (item) => item.getBoundingClientRect().left;
    const here = left(from);
    return list.reduce((best, item) => (Math.abs(left(item) - here) < Math.abs(left(best) - here) ? item : best));
  };
  // The nearest in the first row before or after that of `from` that has any.
  const inNextRow = (list, from, by) => {
    const rowOf = (item) => item.closest(row);
    const at = list.indexOf(from);
    let begin = at;
    while (begin >= 0 && begin < list.length && rowOf(list[begin]) === rowOf(from)) begin += by;
    if (begin < 0 || begin >= list.length) return from;
    return nearest(list.filter((item) => rowOf(item) === rowOf(list[begin])), from);
  };
  place.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !event.target.matches(selector)) return;
    const list = items();
    const at = list.indexOf(event.target);
    const go = {
      ArrowLeft: () => list[Math.max(0, at - 1)],
      ArrowRight: () => list[Math.min(list.length - 1, at + 1)],
      ArrowUp: () => inNextRow(list, event.target, -1),
      ArrowDown: () => inNextRow(list, event.target, 1),
      Home: () => list[0],
      End: () => list[list.length - 1],
    }[event.key];
    if (at < 0 || !go) return;
    event.preventDefault();
    go().focus();
  });
  place.addEventListener("focusin", (event) => event.target.matches(selector) && stopAt(event.target));
  // To be called when what is in it, or is shown of it, has changed.
  return (wanted = null) => {
    for (const item of place.querySelectorAll(selector))
      if (item !== stop) item.tabIndex = -1;
    if (wanted || !stop || !place.contains(stop) || stop.closest("[hidden]"))
      stopAt(wanted ?? [...place.querySelectorAll(selector)].find((item) => !item.closest("[hidden]")) ?? null);
  };
}

// Escape takes back what was opened or typed; `undo` says whether there was anything.
const onEscape = (element, undo) => element.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && undo()) event.preventDefault();
});

// Says something to a screen reader alone, where what changed is not where the keyboard is.
const spoken = el("output", {class: "unseen"});
document.querySelector("main").append(spoken);
const speak = (text) => (spoken.textContent = visible(text));
