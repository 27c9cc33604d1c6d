// Why rules had their results for an object: every evaluated expression as a tree, with values, costs and the places in the
// object they come from.

import type { JsonObject } from "@celadon/base";
import type { CelError, Program, Recorder, Value } from "@celadon/cel";
import type { Select } from "@celadon/cel/ast";
import { type DataPath, dataPathText, type Explained, explained, Recording } from "@celadon/cel/explain";
import { PerCallLimit, RuntimeCELCostBudget } from "@celadon/kube-cel";
import { unescapeName } from "@celadon/kube-cel/schema";
import type { ResourceVersion } from "./resource.ts";
import type { CompiledRule } from "./rules/compile-rules.ts";
import { evaluateRules, type RuleResult } from "./rules/evaluate.ts";
import type { RuleObserver, RulePlace } from "./rules/observe.ts";

/** A rule with its result. Paths in its tree begin at `self`; `objectPath` converts them to paths from the object's root. */
export interface ExplainedRule extends Explained, RulePlace {
  /** Shares of two limits: the cost of one evaluation, and of all rules on one object. */
  readonly shareOfLimit: number;
  readonly shareOfBudget: number;
}

/** The results of the rules for an object, and why. */
export interface RuleExplanation extends RuleResult {
  /** In the order they ran. A message is only evaluated when its rule is false. */
  readonly expressions: readonly ExplainedRule[];
  /** Rules that compare with an absent old value. */
  readonly skipped: readonly RulePlace[];
  /** The cost of all of them, of `budget`. */
  readonly cost: number;
  readonly budget: number;
}

/**
 * Explains the results of the rules of a version for an object from `decode` or `prepare…`. The old object is one that `read`
 * returned. Schema errors, which would prevent rules from being evaluated, are ignored.
 */
export function explainRules(version: ResourceVersion, object: JsonObject, old?: JsonObject): RuleExplanation {
  const budget = RuntimeCELCostBudget;
  const observer = new RuleExplainer();
  const correlation = old && version.correlate(object, old);
  const result: RuleResult = version.rules
    ? evaluateRules(version.rules, { value: object, old, correlation, budget, observer })
    : { errors: [], ratcheted: [], remaining: budget };
  const { expressions, skipped } = observer;
  const { errors, ratcheted, remaining } = result;
  return { errors, ratcheted, remaining, expressions, skipped, cost: budget - Math.max(remaining, 0), budget };
}

/** Explains every rule that is evaluated while it watches. */
export class RuleExplainer implements RuleObserver {
  readonly expressions: ExplainedRule[] = [];
  readonly skipped: RulePlace[] = [];
  #recording: Recording | undefined;

  recorder(place: RulePlace, rule: CompiledRule): Recorder | undefined {
    const program = programOf(place, rule);
    this.#recording = program && new Recording(program.ast.expr);
    return this.#recording;
  }

  result(
    place: RulePlace,
    rule: CompiledRule,
    value: Value | CelError | undefined,
    error: string | undefined,
    cost: number,
  ): void {
    const program = programOf(place, rule);
    const recording = this.#recording;
    if (program === undefined || recording === undefined) return;
    this.expressions.push({
      ...place,
      ...explained(
        program,
        { recording, value, error, cost },
        {
          fieldName: (select) => fieldName(select, place, rule),
          pathText: (path) => dataPathText(objectPath(place.path, path)),
        },
      ),
      shareOfLimit: cost / PerCallLimit,
      shareOfBudget: cost / RuntimeCELCostBudget,
    });
  }

  skip(place: RulePlace): void {
    this.skipped.push(place);
  }
}

/** A place in the object for one that a rule names from `self` or `oldSelf`; `path` leads to the value it was evaluated on. */
export function objectPath(path: readonly (string | number)[], { root, path: below }: DataPath): DataPath {
  if (root !== "self" && root !== "oldSelf") return { root, path: below };
  return { root: root === "self" ? "object" : "oldObject", path: [...path, ...below] };
}

function programOf({ kind }: RulePlace, rule: CompiledRule): Program | undefined {
  return kind === "rule" ? rule.program : rule.message;
}

// Properties that are declared have their names escaped, keys of maps have not.
function fieldName({ operand, field }: Select, { kind }: RulePlace, rule: CompiledRule): string {
  const checked = kind === "rule" ? rule.checked : rule.messageChecked;
  return checked?.types.get(operand.id)?.kind === "struct" ? (unescapeName(field) ?? field) : field;
}
