// A test as a sequence diagram: tester, ports and system are lanes, time goes down. A message is an arrow between tester
// and system with a dot on the lane of its port, so that direction and port are told by shape and place, not by colour.
const letter = 7.25;  // width of a letter of the labels, in units of the picture
const lineHeight = 16;
const mostLabelLines = 8;

const cut = (text, most) => (text.length <= most ? text : text.slice(0, Math.max(1, most - 1)) + "…");

// The fields of a message in lines of at most `width` letters.
function fieldLines(fields, width) {
  const lines = [];
  for (const field of fields) {
    const text = cut(visible(field.name + " = " + field.text), width);
    const last = lines.length - 1;
    if (last >= 0 && lines[last].length + 3 + text.length <= width)
      lines[last] += "   " + text;
    else
      lines.push(text);
  }
  if (lines.length <= mostLabelLines) return lines;
  return [...lines.slice(0, mostLabelLines - 1), "… the table has all of " + plural(fields.length, "field")];
}

const eventText = (e) => {
  switch (e.kind) {
    case "wait":
      return "wait " + e.units;
    case "choice":
      return "choice: alternative " + (e.taken + 1) + (e.of > 0 ? " of " + e.of : "");
    case "schedule":
      return "schedule: turn " + (e.taken + 1) + " of the threads " + e.ready.join(", ");
    default:
      return e.kind + " " + data.ports[e.port] + " " + e.message + " " +
          e.fields.map((f) => f.name + "=" + f.text).join(" ");
  }
};

const leftOpen = "left open: the model does not say what the system does after this";

// In a picture that is not wider than `room`, if lanes and their names leave that much; more room is used up to a point.
function diagram(test, room) {
  const ports = [...new Set(test.events.filter((e) => e.port !== undefined).map((e) => e.port))].sort((a, b) => a - b);
  const edge = 64;
  const least = Math.max(260, 126 * (ports.length + 1));
  const inner = Math.max(least, Math.min(room - 2 * edge, Math.max(640, 190 * (ports.length + 1))));
  const width = inner + 2 * edge;
  const lanes = ["tester", ...ports.map((p) => data.ports[p]), "system"];
  const x = lanes.map((_, i) => edge + (inner * i) / (lanes.length - 1));
  const tester = x[0];
  const system = x[x.length - 1];
  const letters = Math.floor((inner - 40) / letter);
  const top = 52;
  let y = top + 14;
  const parts = [];

  const exchange = (e) => {
    const input = e.kind === "input";
    const lines = fieldLines(e.fields, letters);
    const g = svg("g", {class: e.kind}, svg("title", {}, eventText(e)));
    y += lineHeight;
    g.append(
        svg("text", {class: "message halo", x: width / 2, y, "text-anchor": "middle"},
            svg("tspan", {class: "name"}, cut(visible(e.message), letters - 30)),
            svg("tspan", {class: "port"}, "  on " + cut(visible(data.ports[e.port]), 16))));
    for (const line of lines) {
      y += lineHeight;
      g.append(svg("text", {class: "fields halo", x: width / 2, y, "text-anchor": "middle"}, line));
    }
    y += 9;
    const [from, to] = input ? [tester, system] : [system, tester];
    const head = to + (input ? -9 : 9);
    g.append(
        svg("line", {class: "arrow", x1: from, x2: head, y1: y, y2: y}),
        svg("path", {class: "head", d: "M" + to + "," + y + "L" + head + "," + (y - 5) + "V" + (y + 5) + "Z"}),
        svg("circle", {class: "dot", cx: x[1 + ports.indexOf(e.port)], cy: y, r: 4.5}),
    );
    y += 10;
    return g;
  };
  const note = (kind, text, details) => {
    const height = 24;
    y += 6;
    const g =
        svg("g", {class: "note " + kind}, svg("title", {}, details ?? text),
            svg("rect", {x: tester - 30, y, width: system - tester + 60, height, rx: 4}),
            svg("text", {x: width / 2, y: y + 16, "text-anchor": "middle"}, cut(visible(text), letters - 4)));
    y += height + 4;
    return g;
  };
  for (const e of test.events) {
    if (e.kind === "input" || e.kind === "output")
      parts.push(exchange(e));
    else
      parts.push(note(e.kind, eventText(e)));
  }
  if (test.end === "open") parts.push(note("open", "left open from here on", leftOpen));
  if (test.error) parts.push(note("error", "error of the model: " + test.error));
  const bottom = y + 14;
  const heads = lanes.map((name, i) => {
    const half = Math.min(edge - 2, Math.max(34, visible(name).length * 4.4 + 10));
    const port = i > 0 && i < lanes.length - 1;
    return svg(
        "g", {class: port ? "lane port" : "lane"}, svg("line", {x1: x[i], x2: x[i], y1: top - 10, y2: bottom}),
        svg("rect", {x: x[i] - half, y: 8, width: 2 * half, height: 34, rx: port ? 17 : 4}),
        svg("text", {x: x[i], y: 30, "text-anchor": "middle"}, svg("title", {}, name), cut(visible(name), 13)));
  });
  return svg(
      "svg", {
        class: "diagram",
        viewBox: "0 0 " + width + " " + (bottom + 6),
        width,
        height: bottom + 6,
        role: "img",
        "aria-label": "Sequence diagram of the test " + test.id + ", " + plural(test.events.length, "event") +
            "; the table below says what it shows",
      },
      svg("g", {"aria-hidden": "true"}, heads, parts));
}
