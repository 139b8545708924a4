// Offers the presets of the chosen protocol alone, and those for all.
const [protocol, preset] = ["protocol", "preset_name"].map((name) => document.querySelector(`[name=${name}]`));

function offer() {
  for (const group of preset.querySelectorAll("optgroup")) {
    group.hidden = group.disabled = group.label !== protocol.selectedOptions[0].textContent;
  }
  if (preset.selectedOptions[0]?.parentElement.disabled) preset.selectedIndex = 0;
}

protocol.addEventListener("change", offer);
offer();
