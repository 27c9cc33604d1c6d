// Whether the body of a loop can fail for any element at all, with any facts of the path. Most cannot, and then no path has to be followed
// on which one does.

import { children, type Step } from "@celadon/cel/plan";
import { Choices, GaveUp, INFEASIBLE } from "../path/choices.ts";
import { Path } from "../path/path.ts";
import type { Part } from "../path/symbolic.ts";
import { find, KIND } from "../tree/node.ts";
import type { Shape } from "../tree/shape.ts";
import { type Evaluation, type Frame, truth } from "./evaluation.ts";

/** Paths of one body that are followed. */
const MOST_PATHS = 300;

const known = new WeakMap<Step, WeakMap<Shape, boolean>>();

/** True only if no element makes the body fail. */
export function neverFails(
  evaluation: Evaluation,
  body: Step,
  slot: number,
  parts: readonly Part[],
  frame: Frame,
): boolean {
  return parts.every((part) => {
    if (part.of === "items") return part.items.length === 0;
    const owner = find(part.node);
    if (part.stages.length > 0 || owner.kinds !== KIND.list) return false;
    return neverFailsFor(evaluation, body, slot, owner.shape.items, frame);
  });
}

function neverFailsFor(evaluation: Evaluation, body: Step, slot: number, shape: Shape, frame: Frame): boolean {
  let answers = known.get(body);
  if (answers === undefined) known.set(body, (answers = new WeakMap()));
  let answer = answers.get(shape);
  if (answer === undefined) {
    answer = readsOnly(body, new Set([slot])) && follow(evaluation, body, slot, shape, frame);
    answers.set(shape, answer);
  }
  return answer;
}

function follow(evaluation: Evaluation, body: Step, slot: number, shape: Shape, frame: Frame): boolean {
  let paths = 0;
  for (let prescribed: readonly number[] | undefined = []; prescribed !== undefined; ) {
    if (paths++ >= MOST_PATHS) return false;
    const choices = new Choices(prescribed);
    const path = new Path(choices);
    const locals = new Array(frame.locals.length);
    locals[slot] = { is: "node", node: path.node("element", shape) };
    try {
      const alone = evaluation.on(path);
      if (truth(alone, alone.run(body, { ...frame, locals, variables: () => undefined })) === "error") return false;
    } catch (error) {
      if (error instanceof GaveUp) return false;
      if (error !== INFEASIBLE) throw error;
    }
    prescribed = choices.next();
  }
  return true;
}

/** Whether a step reads only certain local names, and those it makes itself. */
function readsOnly(step: Step, slots: ReadonlySet<number>): boolean {
  const inner = new Set(slots);
  if ("slot" in step) inner.add(step.slot);
  if ("slot2" in step && step.slot2 >= 0) inner.add(step.slot2);
  if ("slots" in step) for (const slot of step.slots) inner.add(slot);
  if (step.op === "fold") inner.add(step.accu);
  if (step.op === "attr") {
    const { root } = step;
    if (root.kind === "global" || root.kind === "ambiguous") return false;
    if (root.kind === "local" && !slots.has(root.slot)) return false;
  }
  return children(step).every((child) => readsOnly(child, inner));
}
