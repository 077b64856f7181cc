// How many targets were covered when: a line that steps up at each, against seconds or VM steps, linear or logarithmic.
// Most targets are found at once and the last ones take long, so a logarithmic scale is the better one for long searches.
function drawChart() {
  const rows = data.timeline.map(([seconds, steps, target], i) => ({ seconds, steps, target, covered: i + 1 }));
  const end = { seconds: statistics.total_seconds, steps: statistics.vm_steps, covered: rows.length };
  const units = {
    seconds: { label: "time (seconds)", say: (v) => v.toFixed(v < 10 ? 3 : 1) + " s" },
    steps: { label: "VM steps", say: (v) => plural(v, "step") },
  };
  const size = { width: 1270, height: 360, left: 60, right: 20, top: 16, bottom: 46 };
  const half = rows[rows.length >> 1]?.seconds ?? 0; // when half of what was found was found
  const state = { unit: "seconds", log: half > 0 && end.seconds > 20 * half, at: null };
  const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };
  const most = Math.max(1, targets.length);
  const y = (covered) => size.top + inner.height * (1 - covered / most);

  // 1, 2 or 5 times a power of ten, so that at most so many steps lead to the end.
  const roundStep = (last, steps) => {
    const power = 10 ** Math.floor(Math.log10(last / steps));
    return power * [1, 2, 5, 10].find((f) => last / (power * f) <= steps);
  };
  const linearTicks = (last, steps) => {
    const step = roundStep(last, steps);
    return Array.from({ length: Math.floor(last / step + 1e-9) + 1 }, (_, i) => i * step);
  };
  const number = (v) => (v >= 10000 ? grouped(Math.round(v)) : String(Number(v.toPrecision(6))));

  function scale() {
    const values = [...rows.map((r) => r[state.unit]), end[state.unit]];
    const last = Math.max(...values.slice(-1), 1e-6);
    if (!state.log) return { x: (v) => size.left + (inner.width * v) / last, ticks: linearTicks(last, 8) };
    const least = Math.max(values.find((v) => v > 0) ?? last / 10, last / 1e7);
    const first = Math.min(10 ** Math.floor(Math.log10(least)), last / 10);
    const ticks = [];
    for (let t = first; t <= last * 1.0001; t *= 10) ticks.push(t);
    return { x: (v) => size.left + (inner.width * Math.log(Math.max(v, first) / first)) / Math.log(last / first), ticks };
  }

  function draw() {
    const { x, ticks } = scale();
    const unit = units[state.unit];
    const bottom = y(0);
    let line = "M" + x(0).toFixed(1) + "," + bottom;
    for (const r of rows) line += "H" + x(r[state.unit]).toFixed(1) + "V" + y(r.covered).toFixed(1);
    line += "H" + x(end[state.unit]).toFixed(1);
    picture.replaceChildren(
      svg("title", {}, "Targets covered over " + unit.label),
      ...linearTicks(most, 6).flatMap((t) => [
        svg("line", { class: "grid", x1: size.left, x2: size.width - size.right, y1: y(t), y2: y(t) }),
        svg("text", { x: size.left - 8, y: y(t) + 4, "text-anchor": "end" }, number(t)),
      ]),
      ...ticks.flatMap((t) => [
        svg("line", { class: "tick", x1: x(t), x2: x(t), y1: bottom, y2: bottom + 5 }),
        svg("text", { x: x(t), y: bottom + 19, "text-anchor": "middle" }, number(t)),
      ]),
      svg("path", { class: "area", d: line + "V" + bottom + "Z" }),
      svg("line", { class: "all", x1: size.left, x2: size.width - size.right, y1: y(targets.length), y2: y(targets.length) }),
      svg("text", { class: "halo", x: size.left + 8, y: y(targets.length) + 16 }, "all " + plural(targets.length, "target")),
      svg("path", { class: "line", d: line }),
      svg("line", { class: "axis", x1: size.left, x2: size.width - size.right, y1: bottom, y2: bottom }),
      svg("line", { class: "axis", x1: size.left, x2: size.left, y1: size.top, y2: bottom }),
      svg("text", { x: size.left + inner.width / 2, y: size.height - 6, "text-anchor": "middle" }, unit.label),
      svg("text", { x: 14, y: size.top + inner.height / 2, "text-anchor": "middle", transform: "rotate(-90 14 " + (size.top + inner.height / 2) + ")" }, "targets covered"),
      pointer,
    );
    point();
  }

  const pointer = svg("g", { class: "pointer" });
  function point() {
    const row = state.at === null ? null : (rows[state.at] ?? end);
    if (row === null) {
      pointer.replaceChildren();
      readout.textContent = plural(end.covered, "target") + " covered in the end, after " + units.seconds.say(end.seconds) + " and " + units.steps.say(end.steps) + ".";
      return;
    }
    const at = scale().x(row[state.unit]);
    pointer.replaceChildren(
      svg("line", { x1: at, x2: at, y1: size.top, y2: y(0) }),
      svg("circle", { cx: at, cy: y(row.covered), r: 5 }),
      svg("text", { class: "halo", x: at + (at > size.width - 220 ? -10 : 10), y: y(row.covered) + 20, "text-anchor": at > size.width - 220 ? "end" : "start" },
        grouped(row.covered) + " covered, " + units[state.unit].say(row[state.unit])),
    );
    readout.replaceChildren(
      grouped(row.covered) + " covered after " + units.seconds.say(row.seconds) + " and " + units.steps.say(row.steps),
      ...(row.target === undefined ? [", at the end."] : [": ", targetLink(targets[row.target])]),
    );
  }
  const move = (to) => {
    state.at = Math.max(0, Math.min(rows.length, to));
    point();
  };
  const picture = svg("svg", {
    class: "chart", viewBox: "0 0 " + size.width + " " + size.height, tabindex: 0, role: "img",
    "aria-label": "Targets covered over time; left and right arrow keys go from one newly covered target to the next",
    keydown: (event) => {
      const jump = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20, Home: -Infinity, End: Infinity }[event.key];
      if (jump === undefined) return;
      event.preventDefault();
      move(state.at === null ? (jump < 0 ? rows.length : 0) : state.at + jump);
    },
    pointermove: (event) => {
      const box = picture.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * size.width;
      const { x } = scale();
      let low = 0;
      for (let high = rows.length; low < high; ) {
        const middle = (low + high) >> 1;
        if (x(rows[middle][state.unit]) <= at) low = middle + 1;
        else high = middle;
      }
      move(at > x(end[state.unit]) ? rows.length : low - 1);
    },
  });
  const readout = el("p", { class: "readout", "aria-live": "polite" });
  const radio = (unit, label) =>
    el("label", {}, el("input", { type: "radio", name: "unit", value: unit, checked: state.unit === unit, change: () => ((state.unit = unit), draw()) }), " " + label);
  const log = el("label", {}, el("input", { type: "checkbox", id: "logarithmic", checked: state.log, change: (event) => ((state.log = event.target.checked), draw()) }), " logarithmic");
  body("progress").append(
    el("fieldset", { class: "choices" }, el("legend", {}, "Horizontal axis"), radio("seconds", "time"), radio("steps", "VM steps"), log),
    el("figure", {}, picture, el("figcaption", {}, readout)),
  );
  draw();
}
