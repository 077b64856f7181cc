// Places in the model's files: links to them, also where they stand in sentences such as "`x` at m.scm:3:7 was never
// true". Paths are shown from the model's folder on, as in the suite.
const shortPath = (path) => (path.startsWith(data.folder) ? path.slice(data.folder.length) : path);
const lineAnchor = (file, line) => "file" + file + "-line" + line;
const placeLink = (file, line, column) =>
    el("a", {href: linkTo(lineAnchor(file, line)), class: "code"},
       shortPath(data.files[file].path) + ":" + line + (column ? ":" + column : ""));
const targetPlace = (t) =>
    (t.file === undefined ? el("span", {class: "dim"}, t.at) : placeLink(t.file, t.line, t.column));

const placePattern = new RegExp(
    "(" +
        data.files.map((f) => f.path)
            .sort((a, b) => b.length - a.length)
            .map((path) => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
            .join("|") +
        "):(\\d+):(\\d+)",
    "g",
);
const fileNumber = new Map(data.files.map((f, number) => [f.path, number]));

// A sentence with its places as links and its `code` as code.
function sentence(text) {
  const parts = [];
  const plain = (piece) =>
      piece.split(/(`[^`]*`)/)
          .forEach((p) => parts.push(p.startsWith("`") && p.length > 1 ? el("code", {}, p.slice(1, -1)) : p));
  let end = 0;
  for (const match of text.matchAll(placePattern)) {
    plain(text.slice(end, match.index));
    const file = fileNumber.get(match[1]);
    const line = Number(match[2]);
    parts.push(line <= data.files[file].lines.length ? placeLink(file, line, match[3]) : match[0]);
    end = match.index + match[0].length;
  }
  plain(text.slice(end));
  return parts;
}
