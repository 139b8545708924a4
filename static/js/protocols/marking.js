import { drive } from "../protocol.js";
drive({ isAnswered: () => true, missing: () => "", setUp: () => {} });
