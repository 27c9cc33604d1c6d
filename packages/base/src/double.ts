// A double that a plain number would show as an integer. JSON text tells `1` from `1.0`, and so do Go and CEL; a JavaScript number
// does not. A number that is a safe integer is an integer, every other number is a double, and a double that is a safe integer is
// boxed.

import { CelObject } from "./cel-object.ts";

/** 1.0, -0.0, 2^53: a double whose value is a safe integer. */
export class Double extends CelObject {
  readonly value: number;
  constructor(value: number) {
    super();
    this.value = value;
  }
  /** For JSON.stringify. */
  toJSON(): number {
    return this.value;
  }
}

/** The double as a value: boxed where a plain number would be an integer. */
export function boxDouble(n: number): number | Double {
  return Number.isSafeInteger(n) ? new Double(n) : n;
}
