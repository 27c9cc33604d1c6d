// Flags whose value is a percentage: `80`, `80%`, `99.5`.

import type { Flags } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";

/** Undefined if the flag is not given; a usage error if it is not a percentage. */
export function percent<Name extends string>(args: Flags<Name>, name: Name): number | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  const number = /^\d{1,3}(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (number >= 0 && number <= 100) return number;
  throw new UsageError(`flag --${name}: "${text}" is not a percentage from 0 to 100`);
}
