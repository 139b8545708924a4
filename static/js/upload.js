// Accepts files dropped on the form, and shows which are chosen and whether they exceed the limit.
const form = document.querySelector("[data-most-bytes]");
const input = form?.querySelector("input[type=file]");
const area = form?.querySelector(".drop");
const chosen = form?.querySelector("[data-chosen]");
const words = form?.querySelector("button.primary").textContent;
const MEGABYTE = 2 ** 20;

function size(bytes) {
  return bytes < MEGABYTE ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

function tell() {
  const files = [...input.files];
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const most = Number(form.dataset.mostBytes);
  const fault = bytes > most ? `The limit is ${size(most)} per upload. Put the files into a ZIP, or choose fewer.` : "";
  input.setCustomValidity(fault);
  const names = files.map((file) => file.name).join(", ");
  chosen.textContent = files.length ? `${files.length} ${files.length === 1 ? "file" : "files"}, ${size(bytes)}: ${names}` : "";
  if (fault) chosen.textContent += `. ${fault}`;
  chosen.classList.toggle("wrong", Boolean(fault));
}

// Dropped files are added to the chosen ones; a file replaces one of the same name.
function take(dropped) {
  const files = new Map([...input.files, ...dropped].map((file) => [file.name, file]));
  const all = new DataTransfer();
  for (const file of files.values()) all.items.add(file);
  input.files = all.files;
  tell();
}

function isFolder(entry) {
  return Boolean(entry.webkitGetAsEntry?.()?.isDirectory);
}

if (form) {
  let depth = 0; // the pointer also enters and leaves elements inside
  area.addEventListener("dragenter", () => area.classList.toggle("over", (depth += 1) > 0));
  area.addEventListener("dragleave", () => area.classList.toggle("over", (depth -= 1) > 0));
  area.addEventListener("dragover", (event) => event.preventDefault());
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    area.classList.remove("over");
    const entries = [...event.dataTransfer.items].filter((entry) => entry.kind === "file");
    take(entries.filter((entry) => !isFolder(entry)).map((entry) => entry.getAsFile()));
    if (entries.some(isFolder)) chosen.textContent += " Folders cannot be uploaded: open the folder and drop its files.";
  });
  input.addEventListener("change", tell);
  const button = form.querySelector("button.primary");
  form.addEventListener("submit", () => {
    button.disabled = true; // large files take a while; a second click would upload them again
    button.textContent = "Sending the files";
  });
  addEventListener("pageshow", () => {
    button.disabled = false;
    button.textContent = words;
  });
  area.querySelector("[data-drop-hint]").hidden = false;
  tell();
}
