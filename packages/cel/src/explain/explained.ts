// One evaluated expression, and how it got its result.

import type { Recorder } from "../run/frame.ts";
import type { Program } from "../run/program.ts";
import { type CelError, isError } from "../value/error.ts";
import type { Value } from "../value/value.ts";
import type { Recording } from "./recording.ts";
import { showValue } from "./show-value.ts";
import { type ExplainedNode, type ExplainOptions, explainTree } from "./tree.ts";

/** Observes evaluations of a host's expressions: the expression, the value of each node, and the result. */
export interface ExpressionObserver<Place, Expression> {
  /** Called before an expression runs; the returned recorder receives every node. */
  recorder(place: Place, expression: Expression): Recorder | undefined;
  /** Called after it ran. `value` is the error that it ended with, if it did, and `error` the text its host has for that. */
  result(
    place: Place,
    expression: Expression,
    value: Value | CelError | undefined,
    error: string | undefined,
    cost: number,
  ): void;
}

/** Why an expression has its result: its value and cost, and those of each part. */
export interface Explained {
  readonly expression: string;
  readonly value?: Value;
  /** The value as text, cut when long. */
  readonly shown?: string;
  readonly error?: string;
  readonly cost: number;
  readonly tree: ExplainedNode;
}

/** An evaluation as an observer receives it. */
export interface Observed {
  readonly recording: Recording;
  readonly value: Value | CelError | undefined;
  readonly error: string | undefined;
  readonly cost: number;
}

/** Puts an observed evaluation into words and numbers, as a tree of its parts. */
export function explained(
  { ast }: Program,
  { recording, value, error, cost }: Observed,
  options?: ExplainOptions,
): Explained {
  const text = error ?? (isError(value) ? value.message : undefined);
  return {
    expression: ast.source.text,
    ...(text === undefined ? { value, shown: showValue(value) } : { error: text }),
    cost,
    tree: explainTree(ast, recording, options),
  };
}
