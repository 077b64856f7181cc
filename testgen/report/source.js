// The model's files with what became of their targets. A line where targets begin has a button before it, which shows
// them and their tests below the line; in the line, the word that a target begins with is underlined.
const byLine = data.files.map(() => new Map());
for (const t of targets) {
  if (t.file === undefined) continue;
  const lines = byLine[t.file];
  if (!lines.has(t.line)) lines.set(t.line, []);
  lines.get(t.line).push(t);
}

// One word for several targets: of one status, that one; else partly covered.
function together(list) {
  const seen = new Set(list.map((t) => t.status));
  if (seen.size === 1) return list[0].status;
  return seen.has("covered") ? "partly" : "unreached";
}

// Splits a line into comments, strings and other text. `inside` is what the line before left open: a string or the
// depth of block comments.
const tokenPattern = /;.*|#\||\|#|#\\.[^\s()";]*|"(?:[^"\\]|\\.)*("?)|\|[^|]*\||[()]|[^\s()";|#]+|\s+|./gu;
function tokens(line, inside) {
  const out = [];
  let rest = line;
  if (inside.string) {
    const match = /^(?:[^"\\]|\\.)*("?)/u.exec(rest);
    out.push({kind: "string", text: match[0]});
    rest = rest.slice(match[0].length);
    inside.string = match[1] === "";
  }
  for (const match of rest.matchAll(tokenPattern)) {
    const text = match[0];
    if (text === "#|") inside.comments += 1;
    const kind = inside.comments > 0 || text.startsWith(";") ? "comment" :
        text.startsWith('"')                                 ? "string" :
        /^define/.test(text)                                 ? "keyword" :
                                                               "";
    if (text === "|#" && inside.comments > 0) inside.comments -= 1;
    if (inside.comments === 0 && text.startsWith('"') && match[1] === "") inside.string = true;
    out.push({kind, text});
  }
  return out;
}

// The line's text; columns where targets begin, counted in code points, are marked together with the word after them.
function codeOf(line, list, inside) {
  const code = el("code", {});
  let column = 1;
  let mark = "";
  for (const token of tokens(line, inside)) {
    const here = list.filter((t) => t.column === column);
    if (here.length > 0) mark = "mark " + together(here);
    const word = token.text.trim() !== "" && token.text !== "(";
    const classes = (token.kind + " " + mark).trim();
    code.append(classes === "" ? visible(token.text) : el("span", {class: classes}, token.text));
    if (word) mark = "";
    column += [...token.text].length;
  }
  return code;
}

function linePanel(list) {
  return el(
      "div", {class: "line-panel"},
      el("ul", {},
         list.map(
             (t) =>
                 el("li", {}, statusMark(statusOf(t)), " ", targetLink(t), t.text && [" ", el("q", {}, t.text)],
                    t.waived && el("span", {class: "tag"}, "waived"),
                    el("div", {},
                       t.status === "covered" ? ["covered by ", testLinks(t.tests, 6)] :
                           t.reason           ? sentence(t.reason) :
                                                "not covered by any test")))));
}

function sourceLine(file, number, text, inside) {
  const list = byLine[file].get(number) ?? [];
  const line = el("div", {class: "line", id: lineAnchor(file, number)});
  let gutter = el("span", {});
  if (list.length > 0) {
    const covered = list.filter((t) => t.status === "covered").length;
    const count = covered === list.length ? String(covered) : covered + "/" + list.length;
    const status = together(list);
    line.classList.add(status);
    let panel = null;
    const toggle = () => {
      if (panel) panel.remove();
      panel = panel ? null : linePanel(list);
      if (panel) {
        line.after(panel);
        onEscape(panel, close);
      }
      gutter.setAttribute("aria-expanded", panel !== null);
    };
    const close = () => {
      if (!panel) return false;
      gutter.focus();
      toggle();
      return true;
    };
    gutter =
        el("button", {
          type: "button",
          class: "gutter " + status,
          "aria-expanded": "false",
          click: toggle,
          "aria-label": count + (list.length === 1 ? " target" : " targets") + " of line " + number + " covered" +
              (covered === 0 ? ": " + status : ""),
        },
           count);
    onEscape(gutter, close);
  }
  line.append(
      gutter, el("span", {class: "line-number", "aria-hidden": "true"}, String(number)), codeOf(text, list, inside));
  return line;
}

function drawSource() {
  data.files.forEach((file, number) => {
    const all = [...byLine[number].values()].flat();
    const inside = {string: false, comments: 0};
    const lines = el(
        "div", {class: "source scroll", tabindex: 0, role: "group", "aria-label": "Source of " + shortPath(file.path)},
        file.lines.map((text, i) => sourceLine(number, i + 1, text, inside)));
    oneStop(lines, ".gutter", ".line")();
    body("source").append(
        el("details", {id: "file" + number, open: true},
           el("summary", {}, el("span", {class: "code"}, shortPath(file.path)),
              el("span", {class: "dim"},
                 " " + plural(file.lines.length, "line") + ", " + all.filter((t) => t.status === "covered").length +
                     " of " + plural(all.length, "target") + " covered")),
           lines));
  });
  const open =
      [...document.querySelectorAll("#source .line.unreached, #source .line.infeasible, #source .line.partly")];
  let next = 0;
  const key = ["covered", "partly", "unreached", "infeasible"].map(
      (s) => el("span", {class: "status " + s}, s === "partly" ? "partly covered" : s));
  body("source").prepend(
      el("div", {class: "filter legend"}, el("span", {}, key),
         el("button", {
           type: "button",
           disabled: open.length === 0,
           click: () => {
             const line = open[next++ % open.length];
             line.closest("details").open = true;
             goTo(line);
           }
         },
            "Next line that is not wholly covered")));
  route("file", (id) => {
    const line = document.getElementById(id);
    if (!line) return;
    line.closest("details").open = true;
    const gutter = line.querySelector("button.gutter");
    if (gutter && gutter.getAttribute("aria-expanded") === "false") gutter.click();
    goTo(line);
  });
}
