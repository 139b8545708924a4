// The script of the campaign's protocol. The page loads it before the script that runs the screen, so that no key is
// pressed too early.
export let protocol = null;

export function drive(script) {
  protocol = script;
}
