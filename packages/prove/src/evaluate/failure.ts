// Follows only paths on which an expression fails: other results do not matter when the question is about errors.

import type { Step } from "@celadon/cel/plan";
import { INFEASIBLE } from "../path/choices.ts";
import { type Evaluation, type Frame, truth } from "./evaluation.ts";
import { quantifierFails } from "./loops.ts";

/** Ends every path on which a step does not fail. The steps around it see an error. */
export function requireFailure(evaluation: Evaluation, step: Step, frame: Frame): void {
  const { path } = evaluation;
  switch (step.op) {
    case "and":
    case "or": {
      const decisive = step.op === "or";
      if (path.choose(2) === 0) {
        requireFailureOrOther(evaluation, step.left, frame);
        if (truth(evaluation, evaluation.run(step.right, frame)) === decisive) throw INFEASIBLE;
      } else {
        if (truth(evaluation, evaluation.run(step.left, frame)) !== !decisive) throw INFEASIBLE;
        requireFailureOrOther(evaluation, step.right, frame);
      }
      return;
    }
    case "all":
    case "exists":
      quantifierFails(evaluation, step, frame);
      return;
    case "call":
      if (step.name === "!_" && step.args[0] !== undefined) {
        requireFailureOrOther(evaluation, step.args[0], frame);
        return;
      }
      break;
    default:
  }
  if (truth(evaluation, evaluation.run(step, frame)) !== "error") throw INFEASIBLE;
}

/** An operand fails too where its value is no boolean. */
function requireFailureOrOther(evaluation: Evaluation, step: Step, frame: Frame): void {
  if (step.type.kind === "bool") requireFailure(evaluation, step, frame);
  else if (truth(evaluation, evaluation.run(step, frame)) !== "error") throw INFEASIBLE;
}
