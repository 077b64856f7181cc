// The tests: a list to choose from, and the one that was chosen, as a diagram and as a table. Only that one is drawn.
function valueNotes(field, known, input, ranges = {}) {
  const notes = [];
  const bound = (field.fresh ?? []).filter((name) => !input && !known.has(name));
  for (const name of field.fresh ?? []) known.add(name);
  const called = (name) => name + (ranges[name] ? " (one of " + ranges[name] + ")" : "");
  if (bound.length > 0) notes.push("chosen by the system, called " + bound.map(called).join(", ") + " from here on");
  const used = (field.fresh ?? []).filter((name) => !bound.includes(name));
  if (used.length > 0) notes.push("the value called " + used.join(", "));
  const others = (field.not ?? []).filter((name) => known.has(name));
  if (others.length > 0 && used.length === 0) notes.push("other than " + others.join(", "));
  if (field.text === "(any)") notes.push("any value will do");
  return notes.length === 0 ? null : el("span", {class: "dim"}, " – " + notes.join("; "));
}

function eventRow(e, number, time, known, ranges) {
  const who = {
    input: "tester → system",
    output: "system → tester",
    wait: "tester",
    choice: "system",
    schedule: "system"
  }[e.kind];
  const cells = [
    el("th", {scope: "row", class: "number"}, String(number)), el("td", {class: "number"}, String(time)),
    el("td", {}, el("span", {class: "event " + e.kind}, e.kind), " ", el("span", {class: "dim"}, who))
  ];
  if (e.port === undefined)
    cells.push(el(
        "td", {colspan: 3}, eventText(e),
        e.taken !== undefined && el("span", {class: "dim"}, " – " + e.taken + " in the suite, which counts from 0")));
  else
    cells.push(
        el("td", {class: "code"}, data.ports[e.port]),
        el("td", {class: "code"}, e.message),
        el("td", {},
           e.fields.length === 0 ?
               el("span", {class: "dim"}, "no fields") :
               el("ul", {class: "values"},
                  e.fields.map(
                      (f) =>
                          el("li", {}, el("span", {class: "dim code"}, f.name + " = "),
                             el("span", {class: "code"}, f.text), valueNotes(f, known, e.kind === "input", ranges))))),
    );
  return el("tr", {}, cells);
}

function eventTable(test) {
  let time = 0n;  // model time may be larger than a double counts
  const known = new Set();
  const rows = test.events.map((e, i) => {
    const row = eventRow(e, i + 1, time, known, test.ranges);
    if (e.kind === "wait") time += BigInt(e.units);
    return row;
  });
  const last = (kind, ...what) =>
      el("tr", {class: kind}, el("th", {scope: "row", class: "number"}, String(test.events.length + 1)),
         el("td", {class: "number"}, String(time)), el("td", {}, kind), el("td", {colspan: 3}, what));
  if (test.end === "open") rows.push(last("end", leftOpen));
  if (test.error) rows.push(last("error", test.error, " at ", sentence(test.error_at)));
  const heads = ["#", "time", "event", "port", "message", "values"];
  return el(
      "div", {class: "scroll wide", role: "group", tabindex: 0, "aria-label": "Table of the test"},
      el("table", {class: "events"}, el("caption", {class: "unseen"}, "Events of the test " + test.id),
         el("thead", {},
            el("tr", {}, heads.map((h, i) => el("th", {scope: "col", class: i < 2 ? "number" : null}, h)))),
         el("tbody", {}, rows)));
}

function coveredList(test) {
  const groups = new Map();
  for (const number of test.covers) {
    const t = targets[number];
    if (!groups.has(t.criterion)) groups.set(t.criterion, []);
    groups.get(t.criterion).push(t);
  }
  // What no other test covers is what this one is there for.
  const item = (t) =>
      el("li", {}, targetLink(t), t.tests.length === 1 && el("span", {class: "tag"}, "only here"),
         t.text && [" ", el("q", {}, t.text)]);
  return el(
      "details", {},
      el("summary", {},
         "Covers " + plural(test.covers.length, "target") + ", " +
             test.covers.filter((n) => targets[n].tests.length === 1).length + " of them only here"),
      [...groups].map(
          ([criterion, list]) => [el("h4", {class: "minor"}, criterion), el("ul", {class: "covered-list"}, list.map(item))]));
}

function showTest(pane, test, step) {
  const button = (by, label) =>
      el("button", {type: "button", "data-by": by, disabled: !tests[test.number + by], click: () => step(by)}, label);
  pane.replaceChildren(
      el("div", {class: "test-head"}, el("h3", {id: "current-test", tabindex: -1}, test.id), verdictMark(test.verdict),
         el("span", {class: "space"}), button(-1, "Previous test"), button(1, "Next test")),
      ...(test.verdict?.text ? [el("p", {class: "verdict-text"}, test.verdict.text)] : []),
      coveredList(test),
      el("h4", {}, "Sequence diagram"),
      test.events.length === 0 && !test.error && !test.end ?
          el("p", {class: "dim"}, "The tester does nothing: what the test covers is covered from the start.") :
          el("div", {class: "scroll wide", role: "group", tabindex: 0, "aria-label": "Sequence diagram"},
             diagram(test, pane.clientWidth - 2)),
      el("h4", {}, "Table"),
      eventTable(test),
  );
}

function drawTests() {
  if (tests.length === 0) {
    nothing("tests", "The suite has no tests.");
    return;
  }
  const list = el("ul", {class: "test-list scroll", "aria-label": "Tests"});
  const pane = el("div", {class: "test-pane"});
  const items = tests.map((test) => {
    const inputs = test.events.filter((e) => e.kind === "input").length;
    const outputs = test.events.filter((e) => e.kind === "output").length;
    const link =
        el("a", {href: linkTo(testAnchor(test)), id: testAnchor(test)}, el("span", {class: "code"}, test.id),
           verdictMark(test.verdict), test.error && el("span", {class: "verdict fail"}, "model error"),
           test.end && el("span", {class: "tag"}, "end left open"),
           el("span", {class: "dim"}, plural(inputs, "input") + ", " + plural(outputs, "output")));
    return {link, item: el("li", {}, link), text: null};
  });
  list.append(...items.map((i) => i.item));
  const textOf = (test) => [test.id, test.verdict?.verdict, ...test.covers.map((n) => targets[n].id),
                            ...test.events.map(eventText)]
                               .join(" ")
                               .toLowerCase();
  const stop = oneStop(list, "a", "li");
  const ofVerdict = choice("verdict", ["pass", "fail", "inconclusive", "error"]);
  const filter = filterBar("tests", "Filter tests", tests.length, (fits) => {
    let left = 0;
    items.forEach((i, n) => {
      i.item.hidden =
          !(fits((i.text ??= textOf(tests[n]))) &&
            (chosen(ofVerdict) === "" || tests[n].verdict?.verdict === chosen(ofVerdict)));
      if (!i.item.hidden) left += 1;
    });
    stop();
    return left;
  }, ...(verdicts.size > 0 ? [ofVerdict] : []));
  let current = null;
  const show = (test) => {
    if (current) items[current.number].link.removeAttribute("aria-current");
    current = test;
    const {link, item} = items[test.number];
    if (item.hidden) filter.clear();
    link.setAttribute("aria-current", "true");
    list.scrollTop = item.offsetTop - list.clientHeight / 2;  // of the list alone, not of the page
    stop(link);
    showTest(pane, test, (by) => {
      stepped = by;
      location.hash = linkTo(testAnchor(tests[test.number + by]));
    });
  };
  let stepped = 0;  // by a button, where the keyboard is to stay
  body("tests").append(
      filter.bar, el("div", {class: "two-panes"}, list, pane),
      el("p", {class: "on-paper"}, "Of the tests, paper shows the list and the one that was chosen. A suite to follow by ",
         "hand, with all of them, is what ", el("code", {}, "espalier export --format markdown"), " writes."));
  show(tests[0]);
  route("test-", (id) => {
    const test = tests.find((t) => testAnchor(t) === id);
    if (!test) return;
    show(test);
    const button = stepped !== 0 && pane.querySelector('button[data-by="' + stepped + '"]:enabled');
    stepped = 0;
    document.getElementById("tests").scrollIntoView();
    (button || document.getElementById("current-test")).focus({preventScroll: true});
    if (button) speak(test.id + ", test " + (test.number + 1) + " of " + grouped(tests.length));
  });
}
