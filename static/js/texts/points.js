// The server counts characters by code points, JavaScript by UTF-16 code units.

export function inUnits(source, edits) {
  const characters = [...source];
  const unit = (point) => characters.slice(0, point).join("").length;
  return edits.map((edit) => ({ ...edit, start: unit(edit.start), end: unit(edit.end) }));
}

export function inPoints(source, edits) {
  const point = (unit) => [...source.slice(0, unit)].length;
  return edits.map((edit) => ({ ...edit, start: point(edit.start), end: point(edit.end) }));
}
