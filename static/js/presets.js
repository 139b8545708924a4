// Offers the presets of the chosen protocol alone, and those for all.
const preset = document.querySelector("[name=preset_name]");

function offer() {
  const { value } = document.querySelector("[name=protocol]:checked");
  for (const group of preset.querySelectorAll("optgroup")) {
    group.hidden = group.disabled = group.label !== preset.form.querySelector(`[value=${value}]`).dataset.label;
  }
  if (preset.selectedOptions[0]?.parentElement.disabled) preset.selectedIndex = 0;
}

for (const radio of document.querySelectorAll("[name=protocol]")) radio.addEventListener("change", offer);
offer();
