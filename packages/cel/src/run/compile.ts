// The compiled form: a plan becomes one JavaScript function over plain variables. It gives the same values, errors and costs
// as interpret.ts; where a case has no short form it answers DEOPT, and the evaluation is interpreted instead.

import type { Plan } from "../plan/step.ts";
import type { Value } from "../value/value.ts";
import { boxed, Emitter, NotCompilable } from "./emit.ts";
import { emitStep } from "./emit-step.ts";
import type { Variables } from "./frame.ts";
import { countPaths } from "./path-memo.ts";
import { type Meter, runtime, specifiedRuntime } from "./runtime.ts";

export type Compiled = (variables: Variables, meter: Meter) => Value;

/** The plan as a function; undefined when it holds a step that has no compiled form. */
export function compile(plan: Plan): Compiled | undefined {
  const emitter = new Emitter(plan.options, countPaths(plan.step));
  try {
    const result = boxed(emitStep(emitter, plan.step));
    emitter.flush();
    emitter.line(`m.cost = c; return ${result};`);
  } catch (thrown) {
    if (thrown instanceof NotCompilable) return undefined;
    throw thrown;
  }
  const library = plan.options.specification ? specifiedRuntime : runtime;
  const names = Object.keys(library);
  const slots = emitter.constants.map((_, i) => `k${i} = k[${i}]`);
  const declared = slots.length > 0 ? `const ${slots.join(", ")};` : "";
  const code = `"use strict"; const { ${names.join(", ")} } = rt; ${declared}\nreturn function (vars, m) {\n${emitter.body(plan.slots)}\n};`;
  return new Function("rt", "k", code)(library, emitter.constants) as Compiled;
}

let allowed: boolean | undefined;

/** False under a content security policy or runtime that forbids `new Function`. */
export function codeGenerationAllowed(): boolean {
  if (allowed === undefined) {
    try {
      allowed = new Function("return true")() as boolean;
    } catch {
      allowed = false;
    }
  }
  return allowed;
}
