// Ports by number or name.

import { checkPortName, checkPortNumber } from "../../names.ts";
import type { ValidatedField } from "../field.ts";

export function portNumber(port: number | undefined, at: ValidatedField): void {
  const n = port ?? 0;
  for (const problem of checkPortNumber(n)) at.invalid(n, problem);
}

export function portNumberOrName(port: number | string | undefined, at: ValidatedField): void {
  if (typeof port === "string") at.check(port, checkPortName);
  else portNumber(port, at);
}
