// z takes back the last change of the answers, however it was made.

// `restored` is called with the place of the version whose answer is as it was before. Returns a function to call after
// each change.
export function offerUndo(screen, restored) {
  const fields = [...screen.form.querySelectorAll(".candidate input[name]")];
  const key = (field) => (field.matches("[type=radio], [type=checkbox]") ? "checked" : "value");
  const read = () => fields.map((field) => field[key(field)]);
  const past = [read()];
  screen.on("z", () => {
    if (past.length < 2) return;
    const [undone, before] = [past.pop(), past.at(-1)];
    const changed = before.findIndex((value, place) => value !== undone[place]);
    for (const [place, field] of fields.entries()) field[key(field)] = before[place];
    restored(screen.cards.indexOf(fields[changed].closest(".candidate")));
    screen.changed();
  });
  return () => {
    const now = read();
    if (now.some((value, place) => value !== past.at(-1)[place])) past.push(now);
  };
}
