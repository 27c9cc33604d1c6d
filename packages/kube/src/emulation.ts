// The differences between the API servers of several versions, for types, defaults and rules: these ask for a version or for a feature
// gate, and one table has the gates' defaults by version.

import { GATES, type Gate } from "./gates.ts";
import { CURRENT, type Minor, requireMinor } from "./versions.ts";

/** The minor that a server emulates, with the gates that are on there unless someone turned them off. */
export class Emulation {
  readonly minor: Minor;
  /** The number after `1.`, which rules compare. */
  readonly number: number;

  constructor(minor: Minor) {
    this.minor = minor;
    this.number = Number(requireMinor(minor).split(".")[1]);
  }

  /** Whether the minor is `1.number` or newer. */
  since(number: number): boolean {
    return this.number >= number;
  }

  before(number: number): boolean {
    return this.number < number;
  }

  /** Whether a feature gate is on by default. */
  enables(gate: Gate): boolean {
    return this.number >= GATES[gate];
  }
}

const emulations = new Map<Minor, Emulation>();

/** The emulation of a minor. There are as many as requested versions, and a name that is no version is not kept. */
export function emulationOf(minor: Minor = CURRENT): Emulation {
  let emulation = emulations.get(minor);
  if (emulation === undefined) {
    emulation = new Emulation(minor);
    emulations.set(minor, emulation);
  }
  return emulation;
}
