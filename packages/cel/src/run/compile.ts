// The compiled form: a plan becomes one JavaScript function over plain variables, its straight form, and a second one, its full
// form, once the first leaves for it (see emit.ts). It gives the same values, errors and costs as interpret.ts; where a case has
// no short form it answers DEOPT, and the evaluation is interpreted instead.

import type { Plan } from "../plan/step.ts";
import { restartWork } from "../value/size/work.ts";
import type { Value } from "../value/value.ts";
import { boxed, Emitter, type Form, NotCompilable, type StepEmitters } from "./emit/emit.ts";
import { emitIndexValue } from "./emit/emit-attr.ts";
import { emitStep } from "./emit/emit-step.ts";
import type { Variables } from "./frame.ts";
import { mayGrow } from "./growth.ts";
import { countPaths } from "./path-memo.ts";
import { DEOPT, type Meter, runtime, specifiedRuntime } from "./runtime.ts";

export type Compiled = (variables: Variables, meter: Meter) => Value;

/** The plan as a function; undefined when it holds a step that has no compiled form, or is nested deeper than the stack. */
export function compile(plan: Plan): Compiled | undefined {
  let full: Compiled | undefined;
  const grows = mayGrow(plan.step);
  return instantiate(plan, "straight", (variables, meter) => {
    full ??= instantiate(plan, "full", answerDeopt) ?? answerDeopt;
    if (grows) restartWork();
    meter.cost = 0;
    return full(variables, meter);
  });
}

const answerDeopt: Compiled = () => DEOPT;

function instantiate(plan: Plan, form: Form, otherwise: Compiled): Compiled | undefined {
  try {
    const { code, constants } = generate(plan, form);
    return new Function("rt", "k", "otherwise", code)(libraryOf(plan), constants, otherwise) as Compiled;
  } catch (thrown) {
    if (thrown instanceof NotCompilable || thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

/** The code, and the values from outside for its slots. */
export function generate(plan: Plan, form: Form): { readonly code: string; readonly constants: readonly unknown[] } {
  const emitter = new Emitter(plan.options, form, mayGrow(plan.step), countPaths(plan.step), EMITTERS);
  const result = boxed(emitter.step(plan.step));
  emitter.flush();
  emitter.line(`m.cost = c; return ${result};`);
  const { constants } = emitter;
  const names = Object.keys(libraryOf(plan));
  const slots = constants.map((_, i) => `k${i} = k[${i}]`);
  const declared = slots.length > 0 ? `const ${slots.join(", ")};` : "";
  const code = `"use strict"; const { ${names.join(", ")} } = rt; ${declared}\nreturn function (vars, m) {\n${emitter.body(plan.slots)}\n};`;
  return { code, constants };
}

const EMITTERS: StepEmitters = { step: emitStep, index: emitIndexValue };

const libraryOf = ({ options }: Plan): Readonly<Record<string, unknown>> =>
  options.specification ? specifiedRuntime : runtime;

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
