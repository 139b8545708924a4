// The scripts of the protocols, by the name that a form carries.
import * as correction from "./correction.js";
import * as ranking from "./ranking.js";
import * as rating from "./rating.js";
import * as verdict from "./verdict.js";

export const protocols = { correction, ranking, rating, verdict };
