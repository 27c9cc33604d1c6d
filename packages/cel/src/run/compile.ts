import type { Plan } from "../plan/step.ts";
import type { Value } from "../value/value.ts";
import type { Interrupt, Variables } from "./frame.ts";

export type Compiled = (variables: Variables, meter: Meter) => Value;

export const DEOPT: unique symbol = Symbol("deopt");

export class Meter {
  cost = 0;
  readonly limit: number;
  readonly interrupt: Interrupt | undefined;
  constructor(limit: number, interrupt: Interrupt | undefined) {
    this.limit = limit;
    this.interrupt = interrupt;
  }
}

export function codeGenerationAllowed(): boolean {
  return false;
}

export function compile(_plan: Plan): Compiled {
  return () => DEOPT;
}
