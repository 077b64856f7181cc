// Put into a report by tests/e2e/report.sh, after the page's own script: uses the page as a person would, opens
// everything, and writes what it found as `name=value`, a line each, into <pre id="probe">.
const lines = [];
const say = (name, value) => lines.push(name + "=" + value);
const all = (selector) => [...document.querySelectorAll(selector)];
const soon = () => new Promise((done) => setTimeout(done, 20));
const broken = () =>
    all('a[href^="#"]').filter((a) => !document.getElementById(decodeURIComponent(a.getAttribute("href").slice(1))));
// What a screen reader would call it; enough for how this page names things.
const named = (e) => (e.getAttribute("aria-label") ?? e.closest("label")?.textContent ?? e.textContent).trim() !== "";
const type = (box, text) => {
  box.value = text;
  box.dispatchEvent(new Event("input", {bubbles: true}));
};

try {
  const suite = JSON.parse(document.getElementById("data").textContent);

  // What is there before anything is opened.
  say("sections", all("main section").length);
  say("tests", all(".test-list li").length);
  for (const status of ["covered", "unreached", "infeasible"])
    say(status, all('#targets tr[data-status="' + status + '"]').length);
  say("left", all("#left li[data-status]").length);
  say("requirements", all("#requirements tbody tr").length);
  say("errors", all("#errors li").length);
  for (const cell of all("#statistics td[data-key]")) // a truth is an attribute without a value, or none
    say("stat:" + cell.dataset.key, cell.dataset.value || {yes: "true", no: "false"}[cell.textContent]);
  say("diagrams-at-first", all("svg.diagram").length);
  say("source-lines", all(".source .line").length);
  say("marked-lines", all(".source .gutter").length);

  // Everything is opened: line panels, ways, lists of tests.
  for (const button of all(".source .gutter")) button.click();
  for (const box of all("details")) box.open = true;
  await soon();
  for (let some = all(".test-links button"); some.length > 0; some = all(".test-links button"))
    for (const b of some) b.click();
  say("panels", all(".line-panel").length);
  say("broken-links", broken().map((a) => a.getAttribute("href")).join(" "));

  // Each test by its link: one diagram, as many arrows as messages, as many rows as events.
  let wrong = [];
  for (const [i, link] of all(".test-list a").entries()) {
    if (i % Math.ceil(suite.tests.length / 40) !== 0) continue;
    link.click();
    await soon();
    const test = suite.tests[i];
    const of = (kind) => test.events.filter((e) => e.kind === kind).length;
    const drawn = {
      input: all(".diagram .input .arrow").length,
      output: all(".diagram .output .arrow").length,
      wait: all(".diagram .note.wait").length
    };
    for (const kind of ["input", "output", "wait"])
      if (drawn[kind] !== of(kind)) wrong.push(test.id + ":" + kind);
    if (document.getElementById("current-test").textContent !== test.id) wrong.push(test.id + ":title");
    if (all(".events tbody tr").length !== test.events.length + (test.error || test.end ? 1 : 0))
      wrong.push(test.id + ":table");
    if (all(".diagram .note.open").length !== (test.end ? 1 : 0)) wrong.push(test.id + ":end");
    if (all('.test-list [aria-current="true"]').length !== 1) wrong.push(test.id + ":current");
    if (broken().length > 0) wrong.push(test.id + ":link");
  }
  say("wrong-tests", wrong.join(" "));

  // The chart: both axes, the keyboard.
  const chart = document.querySelector("svg.chart");
  const axis = () =>
      all("svg.chart text").map((t) => t.textContent).find((t) => t === "VM steps" || t === "time (seconds)");
  say("axis", axis());
  document.querySelector('input[name="unit"][value="steps"]').click();
  say("axis-after", axis());
  const sound = () => !/NaN|Infinity/.test(document.querySelector("svg.chart").outerHTML);
  say("path-was-sound", sound());
  document.getElementById("logarithmic").click();
  chart.dispatchEvent(new KeyboardEvent("keydown", {key: "End"}));
  chart.dispatchEvent(new KeyboardEvent("keydown", {key: "End"}));
  say("readout-at-end", document.querySelector(".readout").textContent);
  say("pointer", all(".chart .pointer circle").length);
  say("path-is-sound", sound());

  // A filter, and a link to what it hides.
  const box = document.querySelector("#targets input");
  if (suite.targets.length > 0) {
    const first = document.getElementById("target-0");
    type(box, "no such target");
    say("filtered", all("#targets tbody tr").filter((r) => !r.hidden).length);
    location.hash = "#target-0";
    await soon();
    say("unfiltered", !first.hidden && document.activeElement === first);
    type(box, "");
  }

  // Colours.
  const theme = document.getElementById("theme");
  const background = () => getComputedStyle(document.body).backgroundColor;
  const colours = ["light", "dark"].map((name) => {
    theme.value = name;
    theme.dispatchEvent(new Event("change"));
    return background();
  });
  say("colours-differ", colours[0] !== colours[1]);

  // For people who do not see it, or have no mouse.
  const ids = all("[id]").map((e) => e.id);
  say("same-ids", ids.filter((id, i) => ids.indexOf(id) !== i).join(" "));
  say("unnamed",
      all("button, input, select, a[href], [role=img], [role=region]")
          .filter((e) => !named(e))
          .map((e) => e.outerHTML.slice(0, 80))
          .join(" "));
  say("sections-without-heading",
      all("section").filter((s) => !document.getElementById(s.getAttribute("aria-labelledby"))).length);
  say("landmarks", ["header", "nav", "main", "footer"].map((l) => all("body > " + l).length).join(""));
  say("h1", all("h1").length);
  say("scrollers-without-keyboard", all(".scroll").filter((e) => e.tabIndex < 0 && !e.matches(".test-list")).length);
  say("verdicts", all(".test-list .verdict").map((v) => v.textContent).join(","));

  // Nothing was fetched, and nothing from the model ran or became an element.
  say("fetched", performance.getEntriesByType("resource").map((e) => e.name).join(" "));
  say("harmed", window.harmed === true);
  say("foreign-elements", all("img, iframe, object, embed, marquee, b, i").length);
  say("scripts", all("script").length);
  say("drawn", document.documentElement.dataset.drawn);
  say("problems", document.getElementById("problems").textContent);
} catch (error) {
  say("probe-failed", error.stack);
}
const result = document.createElement("pre");
result.id = "probe";
result.textContent = "\n" + lines.join("\n") + "\nend=1\n";
document.body.append(result);
