// What a judge has marked on a screen: the edits of each version with their verdicts, and the decisions about them.

import { changes } from "./bounds.js";
import { decisionsOf } from "./decisions.js";
import { touches } from "./missed.js";
import { inPoints, inUnits } from "../../js/texts/points.js";

const MISSED = "missed";
const isMissed = ({ replacement }) => replacement === null;

export class State {
  // `stored` has the JSON of each version, empty if nothing was begun.
  constructor(source, proposed, stored) {
    const named = ([start, end, replacement]) => ({ start, end, replacement });
    this.source = source;
    this.fresh = proposed.map((edits) => inUnits(source, edits.map(named)));
    const read = stored.map((json) => json && inUnits(source, JSON.parse(json)));
    this.begun = read.flatMap((edits) => (edits || []).filter(isMissed));
    this.versions = read.map((edits, version) => {
      return edits ? edits.filter((edit) => !isMissed(edit)) : this.fresh[version];
    });
  }

  get versions() {
    return this.edits;
  }

  // Edits that become one decision only now have no verdict unless they had the same.
  set versions(edits) {
    this.edits = edits;
    this.decisions = decisionsOf(this.source, edits);
    for (const decision of this.decisions) {
      if (new Set(decision.places.map((place) => this.at(place).verdict)).size > 1) this.give(decision, "");
    }
  }

  at({ version, edit }) {
    return this.edits[version][edit];
  }

  numberOf(version, edit) {
    return this.decisions.findIndex(({ places }) => places.some((one) => one.version === version && one.edit === edit));
  }

  verdictOf({ places }) {
    return this.at(places[0]).verdict ?? "";
  }

  // Bounds stay as they are, and so do the decisions.
  give({ places }, verdict) {
    this.edits = this.edits.map((edits, version) => {
      const own = places.filter((place) => place.version === version);
      return own.reduce((made, { edit }) => made.with(edit, { ...made[edit], verdict }), edits);
    });
  }

  // Changes the bounds of an edit in all versions that share it, as far as their other edits allow. Returns where the
  // change was made, in the version of the edit if possible; null if nowhere.
  change(name, { places }, version) {
    const made = places.map((place) => [place, changes[name](this.source, this.edits[place.version], place.edit)]);
    const done = made.filter(([, edits]) => edits);
    if (!done.length) return null;
    this.versions = this.edits.map((edits, own) => done.find(([place]) => place.version === own)?.[1] ?? edits);
    return (done.find(([place]) => place.version === version) ?? done[0])[0];
  }

  // The stretches of the source that a version leaves as they are.
  leftBy(version, stretches) {
    return stretches.filter((stretch) => !this.edits[version].some((edit) => touches(edit, stretch)));
  }

  written(version, stretches) {
    const made = this.edits[version].map(({ start, end, replacement, verdict = "" }) => {
      return { start, end, replacement, verdict };
    });
    const left = this.leftBy(version, stretches).map(({ start, end }) => {
      return { start, end, replacement: null, verdict: MISSED };
    });
    return JSON.stringify(inPoints(this.source, [...made, ...left]));
  }
}
