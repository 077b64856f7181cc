// Requirements against tests. A thousand of each would be a million cells: so many rows and columns at a time. Paper has no
// room for columns, and nothing to press: there, each requirement has a list of its tests.
const mostRows = 100;
const mostColumns = 40;
const mostOnPaper = 12;

const endLength = 16;  // of a test's name, which is always shown: they often differ only there

function drawRequirements() {
  const requirements = targets.filter((t) => t.criterion === "requirements");
  if (requirements.length === 0) {
    nothing("requirements", "No requirement of the model is among the targets.");
    return;
  }
  const texts = requirements.map(targetText);
  let rows = requirements;
  const first = {row: 0, column: 0};
  const place =
      el("div", {class: "scroll tall", role: "group", tabindex: 0, "aria-label": "Table of requirements and tests"});
  const stop = oneStop(place, "a", "tr");

  // Only the tests that show one of the rows: the others have empty columns. In the order of the rows, so that what is
  // shown by one test alone stands near the diagonal.
  const columnsOf = () => [...new Set(rows.flatMap((r) => r.tests))];
  const heading = (text, number) => el("th", {scope: "col", class: number ? "number" : null}, text);
  const heads = () => [heading("requirement"), heading("status"), heading("tests", true)];
  const about = (r) =>
      [el("th", {scope: "row"}, targetLink(r), r.text && el("span", {class: "text"}, r.text)),
       el("td", {}, statusMark(statusOf(r))), el("td", {class: "number"}, String(r.tests.length))];
  const table = (heads, rows) =>
      el("table", {class: "matrix"}, el("caption", {class: "unseen"}, "Requirements against tests"),
         el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows));

  function drawForPaper() {
    place.replaceChildren(table(
        [...heads(), heading("covered by")],
        rows.map((r) => el("tr", {}, about(r), el("td", {}, testLinks(r.tests, mostOnPaper))))));
  }
  function draw() {
    const all = columnsOf();
    first.row = Math.min(first.row, Math.max(0, rows.length - 1));
    first.column = Math.min(first.column, Math.max(0, all.length - 1));
    const shown = rows.slice(first.row, first.row + mostRows);
    const columns = all.slice(first.column, first.column + mostColumns);
    const row = (r) => {
      const by = new Set(r.tests);
      return el(
          "tr", {"data-requirement": r.id}, about(r),
          columns.map(
              (t) =>
                  el("td", {class: "cell"},
                     by.has(t) &&
                         el("a", {href: linkTo(testAnchor(t)), title: r.id + " is covered by " + t.id},
                            el("span", {"aria-hidden": "true"}, "●")))));
    };
    const column = (t) => {
      const link =
          el("a", {class: "test-link", href: linkTo(testAnchor(t)), title: t.id, "aria-label": t.id},
             el("span", {class: "begin"}, t.id.slice(0, -endLength)), el("span", {}, t.id.slice(-endLength)));
      return el("th", {scope: "col", class: "cell"}, el("span", {}, link, verdictMark(t.verdict)));
    };
    place.replaceChildren(table([...heads(), columns.map(column)], shown.map(row)));
    stop();
    pager("row", rows.length, mostRows, rowPager, "requirements");
    pager("column", all.length, mostColumns, columnPager, "tests");
  }
  const rowPager = el("span", {class: "pager"});
  const columnPager = el("span", {class: "pager"});
  function pager(which, count, most, box, what) {
    box.hidden = count <= most;
    const turn = (by, label) =>
        el("button", {
          type: "button",
          disabled: by < 0 ? first[which] === 0 : first[which] + most >= count,
          "aria-label": label + " " + what,
          "data-by": by,
          click: () => {
            first[which] = Math.max(0, first[which] + by * most);
            draw();
            // Both buttons are new ones now; the one that was pressed may have no further to go.
            (box.querySelector('[data-by="' + by + '"]:enabled') ?? box.querySelector("button:enabled")).focus();
            speak(box.textContent);
          }
        },
           by < 0 ? "‹" : "›");
    box.replaceChildren(
        turn(-1, "Previous"),
        " " + what + " " + (first[which] + 1) + "–" + Math.min(count, first[which] + most) + " of " + count + " ",
        turn(1, "Next"));
  }
  const ofStatus =
      choice("status", [...(verdicts.size > 0 ? afterVerdicts : ["covered"]), "unreached", "infeasible"]);
  const filter = filterBar("requirements", "Filter requirements", requirements.length, (fits) => {
    rows = requirements.filter((r, i) => fits(texts[i]) && (chosen(ofStatus) === "" || statusOf(r) === chosen(ofStatus)));
    first.row = first.column = 0;
    draw();
    return rows.length;
  }, ofStatus);
  window.addEventListener("beforeprint", drawForPaper);
  window.addEventListener("afterprint", draw);
  body("requirements").append(filter.bar, el("div", {class: "pagers"}, rowPager, columnPager), place);
}
