// What all parts of the page share: the data, making elements, filters, and following links.
//
// Text from the model or the suite only ever becomes text nodes and attribute values, by el(); nothing here parses HTML.
const parsed = (id) => JSON.parse(document.getElementById(id).textContent);
const statistics = parsed("statistics-data");
const data = parsed("data");
const verdicts = new Map(parsed("verdicts").map((v) => [v.test, v]));

// One object for each target, from what the statistics and the data say of it.
const targets = statistics.targets_detail.map((t, number) => ({...t, ...data.targets[number], number, tests: []}));
const tests = data.tests.map((t, number) => ({...t, number, verdict: verdicts.get(t.id)}));
for (const test of tests)
  for (const number of test.covers) targets[number].tests.push(test);

// Characters that would not be seen, or would turn the direction of what is, as the language spells them: \x7;
const invisible =
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff0-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu;
const visible = (text) => String(text).replace(invisible, (c) => "\\x" + c.codePointAt(0).toString(16) + ";");

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function")
      element.addEventListener(name, value);
    else
      element.setAttribute(name, value === true ? "" : visible(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : visible(child));
  }
  return element;
}
const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const plural = (n, what, many = what + "s") => grouped(n) + " " + (n === 1 ? what : many);
const grouped = (n) => n.toLocaleString("en").replaceAll(",", "\u202f");
const body = (section) => document.getElementById(section + "-body");
// A section without anything says so, and takes no more room than that.
function nothing(section, text) {
  body(section).append(el("p", {}, text));
  document.getElementById(section).classList.add("short");
}
const noTargets = "The model has no targets for these criteria.";
const linkTo = (id) => "#" + encodeURIComponent(id);

const statusMark = (status) => el("span", {class: "status " + status.replace(" ", "-")}, status);
// Who proved that a target is infeasible.
const provers = {flow: "by the analysis", exhausted: "every run was looked at"};
const proofTag = (target) => target.proof && el("span", {class: "tag"}, provers[target.proof] ?? target.proof);
// Once tests have been run on a system, that a test covers a requirement does not mean that it holds there.
const afterVerdicts = ["passed", "failed", "no verdict"];
function statusOf(target) {
  if (verdicts.size === 0 || target.criterion !== "requirements" || target.status !== "covered") return target.status;
  const heard = new Set(target.tests.map((t) => t.verdict?.verdict));
  return heard.has("fail") ? "failed" : heard.has("pass") ? "passed" : "no verdict";
}
const testAnchor = (test) => "test-" + test.id;
const testLink = (test) => el("a", {href: linkTo(testAnchor(test)), class: "test-link"}, test.id);
const targetAnchor = (target) => "target-" + target.number;
const targetLink = (target) => el("a", {href: linkTo(targetAnchor(target)), class: "code"}, target.id);
const verdictMark = (verdict) => verdict && el("span", {class: "verdict " + verdict.verdict}, verdict.verdict);

// The tests of a target: some at once, the others when asked for.
function testLinks(list, most = 3) {
  if (list.length === 0) return el("span", {class: "dim"}, "no test");
  const box = el("span", {class: "test-links"});
  const show = (some) => box.append(...some.map((t) => testLink(t)));
  show(list.slice(0, most));
  if (list.length > most) {
    const more = () => {
      show(list.slice(most));
      box.children[most + 1].focus();  // the button goes, and would take the keyboard with it
      button.remove();
    };
    const button = el(
        "button", {type: "button", class: "small", click: more}, "and " + plural(list.length - most, "more", "more"));
    box.append(button);
  }
  return box;
}

// A place to type what to look for, with other controls beside it; `apply` gets the words, each of which must occur,
// and returns how many of `all` are left. Two such places have different labels.
function filterBar(what, label, all, apply, ...controls) {
  const count = el("output", {class: "dim"});
  const box = el("input", {type: "search", placeholder: "filter " + what, "aria-label": label});
  const run = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter((w) => w !== "");
    const left = apply((text) => words.every((w) => text.includes(w)));
    count.textContent = left === all ? plural(all, what.replace(/s$/, ""), what) :
        left === 0                   ? "none of " + plural(all, what, what) + " fits" :
                                       grouped(left) + " of " + plural(all, what, what);
  };
  box.addEventListener("input", run);
  for (const control of controls) control.addEventListener("change", run);
  run();
  const clear = () => {
    box.value = "";
    for (const control of controls) control.querySelector("select").value = "";
    run();
  };
  onEscape(box, () => {
    const typed = box.value !== "";
    box.value = "";
    if (typed) run();
    return typed;
  });
  return {bar: el("div", {class: "filter", role: "search", "aria-label": label}, box, controls, count), clear};
}
const choice = (label, values) =>
    el("label", {}, label + " ",
       el("select", {}, el("option", {value: ""}, "all"), values.map((v) => el("option", {value: v}, v))));
const chosen = (label) => label.querySelector("select").value;

// Where a link leads: the first route whose beginning fits opens what the link names. Other links are left to the
// browser.
const routes = [];
const route = (begin, open) => routes.push({begin, open});
function follow() {
  let id;
  try {
    id = decodeURIComponent(location.hash.slice(1));
  } catch {
    return; // not one of this page's links
  }
  const found = routes.find((r) => id.startsWith(r.begin));
  if (found) found.open(id);
}
// Brings an element into sight and the keyboard to it.
function goTo(element, block = "center") {
  if (!element) return;
  element.scrollIntoView({block});
  if (!element.hasAttribute("tabindex") && !element.matches("a, button, input")) element.tabIndex = -1;
  element.focus({preventScroll: true});
}
