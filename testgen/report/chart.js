// How many targets were covered when: a line that steps up at each, against seconds or VM steps, linear or logarithmic.
// Most targets are found at once and the last ones take long, so a logarithmic scale is the better one for long searches.
// It is drawn for the width that there is, so that its letters are as large as others.
const chartSize = {height: 360, left: 60, right: 20, top: 16, bottom: 46};
const plot = {height: chartSize.height - chartSize.top - chartSize.bottom, floor: chartSize.height - chartSize.bottom};
const paperWidth = 680;  // in the units of the page, of A4 less its margins
const chartUnits = {
  seconds: {label: "time (seconds)", say: (v) => v.toFixed(v < 10 ? 3 : 1) + " s"},
  steps: {label: "VM steps", say: (v) => plural(v, "step")},
};

// Multiples of 1, 2 or 5 times a power of ten, at most so many after 0.
function linearTicks(last, most) {
  const power = 10 ** Math.floor(Math.log10(last / most));
  const step = power * [1, 2, 5, 10].find((f) => last / (power * f) <= most);
  return Array.from({length: Math.floor(last / step + 1e-9) + 1}, (_, i) => i * step);
}
const tickText = (v) => (v >= 10000 ? grouped(Math.round(v)) : String(Number(v.toPrecision(6))));

// From values, in ascending order, to places.
function horizontalScale(values, log, width) {
  const last = Math.max(values[values.length - 1], 1e-6);
  const most = Math.max(2, Math.min(8, Math.floor(width / 90)));
  if (!log) return {x: (v) => chartSize.left + (width * v) / last, ticks: linearTicks(last, most)};
  const least = Math.max(values.find((v) => v > 0) ?? last, last / 1e7);
  const first = Math.min(10 ** Math.floor(Math.log10(least)), last / 10);
  const powers = Math.log10(last / first);
  const ticks = [];
  for (let t = first; t <= last * 1.0001; t *= 10 ** Math.max(1, Math.ceil(powers / most))) ticks.push(t);
  return {x: (v) => chartSize.left + (width * Math.log10(Math.max(v, first) / first)) / powers, ticks};
}

class Chart {
  constructor() {
    this.rows = data.timeline.map(([seconds, steps, target], i) => ({seconds, steps, target, covered: i + 1}));
    this.last = {seconds: statistics.total_seconds, steps: statistics.vm_steps, covered: this.rows.length};
    const half = this.rows[this.rows.length >> 1]?.seconds ?? 0; // when half of what was found was found
    this.unit = "seconds";
    this.log = half > 0 && this.last.seconds > 20 * half;
    this.at = null; // the number of the row that is pointed at; that after the last row is the end
    this.drawing = svg("g", {"aria-hidden": "true"});
    this.pointer = svg("g", {class: "pointer"});
    this.readout = el("p", {class: "readout"});
    // To a screen reader it is a slider, whose value is what the readout says.
    this.picture = svg("svg", {
      class: "chart",
      tabindex: 0,
      role: "slider",
      "aria-label": "Targets covered over time",
      "aria-description": "The arrow keys go from one newly covered target to the next",
      "aria-valuemin": 0,
      "aria-valuemax": this.rows.length,
      keydown: (event) => this.key(event),
      pointermove: (event) => this.hover(event),
      pointerdown: (event) => this.hover(event),
    },
                       this.drawing);
  }

  draw() {
    const across = this.picture.parentElement.clientWidth;
    this.drawIn(across > 0 ? across : paperWidth);
  }

  y(covered) {
    return chartSize.top + plot.height * (1 - covered / targets.length);
  }

  drawIn(across) {
    this.width = Math.max(300, across);
    this.picture.setAttribute("viewBox", "0 0 " + this.width + " " + chartSize.height);
    const {left, right, top} = chartSize;
    const width = this.width - left - right;
    this.scale = horizontalScale([...this.rows, this.last].map((r) => r[this.unit]), this.log, width);
    const {x, ticks} = this.scale;
    const middle = top + plot.height / 2;
    const whole = (y) => ({x1: left, x2: left + width, y1: y, y2: y});
    let line = "M" + x(0).toFixed(1) + "," + plot.floor;
    for (const r of this.rows) line += "H" + x(r[this.unit]).toFixed(1) + "V" + this.y(r.covered).toFixed(1);
    line += "H" + x(this.last[this.unit]).toFixed(1);
    const counts = linearTicks(targets.length, 6).filter(Number.isInteger);
    const horizontal = counts.map((t) => [
      svg("line", {class: "grid", ...whole(this.y(t))}),
      svg("text", {x: left - 8, y: this.y(t) + 4, "text-anchor": "end"}, tickText(t)),
    ]);
    const vertical = ticks.map((t) => [
      svg("line", {class: "tick", x1: x(t), x2: x(t), y1: plot.floor, y2: plot.floor + 5}),
      svg("text", {x: x(t), y: plot.floor + 19, "text-anchor": "middle"}, tickText(t)),
    ]);
    const turned = {x: 14, y: middle, "text-anchor": "middle", transform: "rotate(-90 14 " + middle + ")"};
    const label = {x: left + width / 2, y: chartSize.height - 6, "text-anchor": "middle"};
    const all = this.y(targets.length);
    this.drawing.replaceChildren(
        ...horizontal.flat(),
        ...vertical.flat(),
        svg("path", {class: "area", d: line + "V" + plot.floor + "Z"}),
        svg("line", {class: "all", ...whole(all)}),
        svg("text", {class: "halo", x: left + 8, y: all + 16}, "all " + plural(targets.length, "target")),
        svg("path", {class: "line", d: line}),
        svg("line", {class: "axis", ...whole(plot.floor)}),
        svg("line", {class: "axis", x1: left, x2: left, y1: top, y2: plot.floor}),
        svg("text", label, chartUnits[this.unit].label),
        svg("text", turned, "targets covered"),
        this.pointer,
    );
    this.point();
  }

  point() {
    const row = this.at === null ? this.last : (this.rows[this.at] ?? this.last);
    const {seconds, steps} = chartUnits;
    this.readout.replaceChildren(
        grouped(row.covered) + " covered after " + seconds.say(row.seconds) + " and " + steps.say(row.steps),
        ...(row.target === undefined ? [", at the end."] : [": ", targetLink(targets[row.target])]),
    );
    this.picture.setAttribute("aria-valuenow", this.at ?? this.rows.length);
    this.picture.setAttribute("aria-valuetext", this.readout.textContent);
    this.pointer.replaceChildren();
    if (this.at === null) return;
    const at = this.scale.x(row[this.unit]);
    const y = this.y(row.covered);
    const side = at > this.width / 2 ? {x: at - 10, "text-anchor": "end"} : {x: at + 10};
    const text = grouped(row.covered) + " covered, " + chartUnits[this.unit].say(row[this.unit]);
    this.pointer.append(
        svg("line", {x1: at, x2: at, y1: chartSize.top, y2: plot.floor}),
        svg("circle", {cx: at, cy: y, r: 5}),
        svg("text", {class: "halo", y: y + 20, ...side}, text),
    );
  }

  move(to) {
    this.at = Math.max(0, Math.min(this.rows.length, to));
    this.point();
  }

  key(event) {
    const jumps = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -20, PageUp: 20};
    const jump = {...jumps, Home: -Infinity, End: Infinity}[event.key];
    if (jump === undefined) return;
    event.preventDefault();
    this.move((this.at ?? (jump < 0 ? this.rows.length : -1)) + jump);
  }

  // To the last row that is not right of the pointer.
  hover(event) {
    const box = this.picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * this.width;
    if (at >= this.scale.x(this.last[this.unit])) return this.move(this.rows.length);
    const right = this.rows.findIndex((r) => this.scale.x(r[this.unit]) > at);
    this.move((right < 0 ? this.rows.length : right) - 1);
  }
}

function drawChart() {
  if (targets.length === 0) return nothing("progress", noTargets);
  const chart = new Chart();
  const change = (what) => {
    Object.assign(chart, what);
    chart.draw();
  };
  const unit = (name, label) => {
    const attributes = {type: "radio", name: "unit", value: name, checked: chart.unit === name};
    return el("label", {}, el("input", {...attributes, change: () => change({unit: name})}), " " + label);
  };
  const log = {type: "checkbox", id: "logarithmic", checked: chart.log};
  body("progress").append(
      el("fieldset", {class: "choices"}, el("legend", {}, "Horizontal axis"), unit("seconds", "time"),
         unit("steps", "VM steps"),
         el("label", {}, el("input", {...log, change: (event) => change({log: event.target.checked})}), " logarithmic")),
      el("figure", {}, chart.picture, el("figcaption", {}, chart.readout)),
  );
  chart.draw();
  window.addEventListener("resize", () => chart.draw());
  window.addEventListener("beforeprint", () => chart.drawIn(paperWidth));
  window.addEventListener("afterprint", () => chart.draw());
}
