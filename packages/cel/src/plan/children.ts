// The steps directly below a step, in the order they are evaluated.

import { pushAll } from "@celadon/base";
import type { Root, Step } from "./step.ts";

/** The steps directly below a step, in the order they are evaluated. */
export function children(step: Step): readonly Step[] {
  switch (step.op) {
    case "const":
      return [];
    case "attr":
      return [
        ...belowRoot(step.root),
        ...step.path.flatMap((qualifier) => (qualifier.kind === "step" ? [qualifier.step] : [])),
      ];
    case "and":
    case "or":
    case "eq":
    case "ne":
    case "optionalOr":
      return [step.left, step.right];
    case "call":
      return step.args;
    case "inSet":
      return [step.arg];
    case "list":
      return step.elements;
    case "map":
      return step.entries.flatMap(({ key, value }) => [key, value]);
    case "struct":
      return step.fields.map(({ value }) => value);
    case "all":
    case "exists":
    case "existsOne":
      return [step.range, step.predicate];
    case "collect":
      return [step.range, ...(step.predicate ? [step.predicate] : []), step.transform];
    case "collectMap":
      return [step.range, ...(step.predicate ? [step.predicate] : []), ...(step.key ? [step.key] : []), step.transform];
    case "fold":
      return [step.range, step.init, step.condition, step.step, step.result];
    case "bind":
    case "block":
      return [step.body];
  }
}

function belowRoot(root: Root): readonly Step[] {
  switch (root.kind) {
    case "lazy":
      return [root.init];
    case "value":
      return [root.step];
    case "conditional":
      return [root.test, root.whenTrue, root.whenFalse];
    default:
      return [];
  }
}

/** The number of steps that a step consists of, itself included. The value of a bound name is counted once. */
export function stepCount(step: Step): number {
  const seen = new Set<Step>();
  const stack: Step[] = [step];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    pushAll(stack, children(next));
  }
  return seen.size;
}
