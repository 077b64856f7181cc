// Put into a report by report_access.py, for what is asked of the page itself.
globalThis.access = (() => {
  const parsed = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return {r, g, b, a};
  };
  const over = (top, below) => {
    const mix = (k) => top[k] * top.a + below[k] * (1 - top.a);
    return {r: mix("r"), g: mix("g"), b: mix("b"), a: 1};
  };
  const luminance = (c) => {
    const part = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(c.r) + 0.7152 * part(c.g) + 0.0722 * part(c.b);
  };
  const behind = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const colour = parsed(getComputedStyle(e).backgroundColor);
      layers.push(colour);
      if (colour.a === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), {r: 255, g: 255, b: 255, a: 1});
  };
  // Texts whose colour is too near to that of what lies behind them: at least 4.5:1, or 3:1 where they are large (WCAG
  // 2.2, 1.4.3). Of what is not seen or cannot be used, nothing is asked.
  const faint = () => {
    const found = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (node.data.trim() === "" || element.matches("script, option") || !element.checkVisibility()) continue;
      if (element.closest(":disabled, .unseen, .skip")) continue;
      const style = getComputedStyle(element);
      const back = behind(element);
      const ink = over(parsed(element instanceof SVGElement ? style.fill : style.color), back);
      const [high, low] = [luminance(ink), luminance(back)].sort((a, b) => b - a);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const ratio = (high + 0.05) / (low + 0.05);
      if (ratio < (large ? 3 : 4.5)) found.set(nameOf(element), ratio.toFixed(2));
    }
    return [...found].map((entry) => entry.join(" ")).join(", ");
  };
  const nameOf = (e) => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + " " + (e.getAttribute("class") ?? "");
  // Where the keyboard is, and whether that can be seen.
  const focus = () => {
    const element = document.activeElement;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    return {
      name: nameOf(element),
      text: element.textContent,
      place: element.closest("section")?.id ?? element.closest("header, nav")?.tagName.toLowerCase() ?? "",
      seen: outlined && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
  };
  // What lies beyond the edge, and cannot be scrolled to but by moving the whole page.
  const cutOff = () => {
    const edge = document.documentElement.clientWidth + 1;
    const scrolled = (e) => e.closest("svg") || (e.closest(".scroll") && getComputedStyle(e.closest(".scroll")).overflowX === "auto");
    return [...document.querySelectorAll("body *")]
        .filter((e) => e.checkVisibility() && !e.closest(".unseen, .skip") && !e.parentElement.closest("code") && !scrolled(e.parentElement))
        .filter((e) => e.getBoundingClientRect().right > edge)
        .map(nameOf)
        .slice(0, 5)
        .join(", ");
  };
  return {faint, focus, cutOff};
})();
