// Versions of Kubernetes, and what an API server of a version does differently.

export { Emulation, emulationOf } from "../emulation.ts";
export {
  BUILTIN_MINORS,
  CURRENT,
  compareMinors,
  FIRST,
  holdsAt,
  isBefore,
  type Minor,
  type MinorRange,
  minorBefore,
  minorsBetween,
  requireMinor,
  toMinor,
} from "../versions.ts";
