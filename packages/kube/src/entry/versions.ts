// Versions of Kubernetes, and the differences between their API servers.

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
