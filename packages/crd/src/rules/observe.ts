// Watching rules as they are evaluated, for explanations, coverage and measured costs. Without an observer, nothing of this runs.

import type { JsonPath } from "@celadon/base";
import type { EvaluateOptions, EvaluationResult, Program } from "@celadon/cel";
import type { ExpressionObserver } from "@celadon/cel/explain";
import { FieldPath } from "@celadon/kube/errors";
import type { CompiledRule } from "./compile-rules.ts";
import type { RuleNode } from "./evaluate.ts";

/** The expression of a schema, and the value on which it is evaluated. */
export interface RulePlace {
  /** The place of the rule's schema in the schema of the version: `["properties", "spec", "items"]`. */
  readonly schemaPath: readonly string[];
  /** Position among the rules of that schema. */
  readonly index: number;
  readonly kind: "rule" | "messageExpression";
  /** The value's place in the object, as errors name it; empty for the object itself. */
  readonly fieldPath: string;
  /** The same in parts. */
  readonly path: JsonPath;
  /** The value has not changed: a failure would be a warning. Never so of rules that look at old values. */
  readonly unchanged: boolean;
}

/** Is called for every rule that is evaluated. */
export interface RuleObserver extends ExpressionObserver<RulePlace, CompiledRule> {
  /** A rule that compares with the old value has none to compare with. */
  skip?(place: RulePlace, rule: CompiledRule): void;
}

/** The occasion on which a rule is evaluated. */
export interface Occasion {
  readonly node: RuleNode;
  readonly compiled: CompiledRule;
  readonly path: FieldPath;
  readonly unchanged: () => boolean;
}

export class Watch {
  readonly observer: RuleObserver;
  readonly #options: EvaluateOptions | undefined;

  constructor(observer: RuleObserver, options: EvaluateOptions | undefined) {
    this.observer = observer;
    this.#options = options;
  }

  evaluate(program: Program, variables: object, occasion: Occasion, kind: RulePlace["kind"]): EvaluationResult {
    const place = this.#place(occasion, kind);
    const recorder = this.observer.recorder(place, occasion.compiled);
    const outcome: EvaluationResult = program.evaluate(variables, { ...this.#options, ...(recorder && { recorder }) });
    const { value, error, cost } = outcome;
    this.observer.result(place, occasion.compiled, error ?? value, error?.message, cost);
    return outcome;
  }

  skip(occasion: Occasion): void {
    this.observer.skip?.(this.#place(occasion, "rule"), occasion.compiled);
  }

  #place({ node, compiled, path, unchanged }: Occasion, kind: RulePlace["kind"]): RulePlace {
    return {
      schemaPath: node.schemaPath,
      index: node.rules.indexOf(compiled),
      kind,
      fieldPath: path === FieldPath.root ? "" : path.toString(),
      path: path.steps,
      unchanged: !compiled.usesOldSelf && unchanged(),
    };
  }
}
