// Makes tables sortable by a button in each column's header.
// The value of a cell is its data-value, or else its text; cells that are empty or a dash come last.
const NOTHING = ["", "–"];
const collator = new Intl.Collator(document.documentElement.lang, { numeric: true, sensitivity: "base" });

function valueOf(cell) {
  return (cell?.dataset.value ?? cell?.textContent ?? "").trim();
}

// Compares numbers if all values are numbers, else texts; rows without a value are kept apart.
function keysOf(rows, column) {
  const keyed = rows.map((row) => ({ row, key: valueOf(row.cells[column]) }));
  const known = keyed.filter(({ key }) => !NOTHING.includes(key));
  const areNumbers = known.every(({ key }) => !Number.isNaN(Number(key)));
  if (areNumbers) for (const one of known) one.key = Number(one.key);
  const compare = areNumbers ? (a, b) => a.key - b.key : (a, b) => collator.compare(a.key, b.key);
  return { known, unknown: keyed.filter(({ key }) => NOTHING.includes(key)), compare };
}

function sort(table, head, column) {
  const body = table.tBodies[0];
  const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
  const { known, unknown, compare } = keysOf([...body.rows], column);
  known.sort(direction === "ascending" ? compare : (a, b) => compare(b, a));
  body.append(...[...known, ...unknown].map(({ row }) => row));
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", direction);
}

export function makeSortable(page) {
  for (const table of page.querySelectorAll("table.sortable")) {
    if (table.tBodies[0].rows.length < 2) continue;
    for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
      if (head.querySelector(".unseen")) continue; // a column of buttons
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, head, column));
      head.append(button);
    }
  }
}

makeSortable(document);
