// The targets that are not covered, with the reason, and the table of all.
const ways = (t) => {
  const steps = t.path ?? [];
  const inputs = steps.filter((s) => s.stable_state).map((s) => s.step.replace(/^take /, ""));
  return {steps, inputs};
};

// The way that the analysis believes in. Made when it is opened: it may have hundreds of steps.
function wayDetails(t) {
  const {steps, inputs} = ways(t);
  const more = t.left_out ?? [];
  if (steps.length === 0 && more.length === 0) return null;
  const box =
      el("details", {class: "way"},
         el("summary", {}, "The way there",
            inputs.length > 0 && ": " + inputs.slice(0, 6).join(", ") + (inputs.length > 6 ? ", …" : "")));
  box.addEventListener("toggle", () => {
    if (!box.open || box.childElementCount > 1) return;
    box.append(
        el("ol", {},
           steps.map(
               (s) =>
                   el("li", {class: s.taken ? "taken" : "not-taken"},
                      el("span", {class: "step"}, s.taken ? "done" : "not done"), " ", sentence(s.step), " ",
                      el("span", {class: "dim"}, sentence(s.at))))),
        el("p", {class: "dim"}, t.path_continues ? "The way goes on." : "",
           " “Done” means that some path of the search came to the end of this step."),
    );
    if (more.length > 0)
      box.append(
          el("p", {}, "What the search left out, and might lead there:"),
          el("ul", {}, more.map((m) => el("li", {}, sentence(m)))));
  });
  return box;
}

const targetText =
    (t) => [t.id, t.criterion, t.status, statusOf(t), t.text ?? "", t.reason ?? "", shortPath(t.at)].join(" ").toLowerCase();

function drawLeft() {
  const left = targets.filter((t) => t.status !== "covered");
  if (left.length === 0) {
    nothing("left", targets.length === 0 ? noTargets : "None: every target is covered.");
    return;
  }
  const groups = new Map();  // targets that the same thing stands in the way of
  for (const t of left) {
    const reason = t.reason ?? "";
    if (!groups.has(reason)) groups.set(reason, []);
    groups.get(reason).push(t);
  }
  const why = statistics.cut === "off" ?
      "Not explained: the search ran without the analysis (--cut off)." :
      "Not explained: the search ended before the analysis did, or there are too many to explain.";
  const list = el("div", {class: "reasons", role: "group", "aria-label": "Reasons"});
  const stop = oneStop(list, "a, summary", "p, li");
  const entries = [];
  for (const [reason, members] of groups) {
    const items = members.map((t) => {
      const item = el(
          "li", {"data-status": t.status}, statusMark(t.status), " ", targetLink(t), " ", targetPlace(t),
          proofTag(t), t.waived && el("span", {class: "tag"}, "waived"), t.text && el("p", {}, el("q", {}, t.text)),
          wayDetails(t));
      return {item, t, text: targetText(t)};
    });
    const group =
        el("div", {class: "reason"}, el("p", {}, reason === "" ? why : sentence(reason[0].toUpperCase() + reason.slice(1))),
           el("ul", {}, items.map((i) => i.item)));
    entries.push({group, items});
    list.append(group);
  }
  const ofStatus = choice("status", ["unreached", "infeasible"]);
  const filter = filterBar("targets", "Filter targets that are not covered", left.length, (fits) => {
    let count = 0;
    for (const {group, items} of entries) {
      for (const i of items)
        i.item.hidden = !(fits(i.text) && (chosen(ofStatus) === "" || i.t.status === chosen(ofStatus)));
      const seen = items.filter((i) => !i.item.hidden).length;
      group.hidden = seen === 0;
      count += seen;
    }
    stop();
    return count;
  }, ofStatus);
  body("left").append(filter.bar, list);
}

function drawErrors() {
  if (statistics.errors_detail.length === 0) return nothing("errors", "None was found.");
  body("errors").append(el("ul", {class: "errors"}, statistics.errors_detail.map((e) => {
    const test = tests.find((t) => t.id === e.test);
    return el("li", {}, el("strong", {}, e.text), " at ", sentence(e.site), test && [", shown by ", testLink(test)]);
  })));
}

function drawTargets() {
  if (targets.length === 0) return nothing("targets", noTargets);
  const rows = targets.map(
      (t) => ({
        t,
        text: targetText(t),
        row:
            el("tr", {id: targetAnchor(t), "data-status": t.status},
               el("td", {}, statusMark(statusOf(t)), proofTag(t), t.waived && el("span", {class: "tag"}, "waived")),
               el("th", {scope: "row", class: "code"}, t.id), el("td", {}, t.criterion), el("td", {}, targetPlace(t)),
               el("td", {class: "number"}, String(t.tests.length)), el("td", {}, testLinks(t.tests, 2)))
      }));
  const ofStatus = choice("status", ["covered", "unreached", "infeasible"]);
  const rowsOf = el("tbody", {}, rows.map((r) => r.row));
  const stop = oneStop(rowsOf, "a, button", "tr");
  const ofCriterion = choice("criterion", [...new Set(targets.map((t) => t.criterion))]);
  const filter = filterBar("targets", "Filter all targets", targets.length, (fits) => {
    let left = 0;
    for (const {t, text, row} of rows) {
      row.hidden =
          !(fits(text) && (chosen(ofStatus) === "" || t.status === chosen(ofStatus)) &&
            (chosen(ofCriterion) === "" || t.criterion === chosen(ofCriterion)));
      if (!row.hidden) left += 1;
    }
    stop();
    return left;
  }, ofStatus, ofCriterion);
  const heads = ["status", "target", "criterion", "place", "tests", "covered by"];
  body("targets").append(
      filter.bar,
      el("div", {class: "scroll tall", role: "group", tabindex: 0, "aria-label": "Table of all targets"},
         el("table", {class: "all-targets"}, el("caption", {class: "unseen"}, "All targets"),
            el("thead", {},
               el("tr", {}, heads.map((h) => el("th", {scope: "col", class: h === "tests" ? "number" : null}, h)))),
            rowsOf)));
  route("target-", (id) => {
    const row = document.getElementById(id);
    if (row?.hidden) filter.clear();
    goTo(row);
  });
}
