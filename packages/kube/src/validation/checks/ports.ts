// Ports by number or name.

import { checkPortName, checkPortNumber } from "../../names.ts";
import type { Field } from "../field.ts";

export function portNumber(port: number | undefined, at: Field): void {
  const n = port ?? 0;
  for (const problem of checkPortNumber(n)) at.invalid(n, problem);
}

export function portNumberOrName(port: number | string | undefined, at: Field): void {
  if (typeof port === "string") at.check(port, checkPortName);
  else portNumber(port, at);
}
