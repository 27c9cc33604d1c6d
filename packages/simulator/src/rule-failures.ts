// Which rules of a definition stand behind the errors of an object. Field errors do not say; the evaluation does.

import type { CelError, Value } from "@celadon/cel";
import type { CompiledRule, CustomResourceType, RuleObserver, RulePlace } from "@celadon/crd";
import type { Problem, Speaker } from "./outcome.ts";

export interface RuleFailure {
  readonly place: RulePlace;
  readonly rule: CompiledRule["rule"];
  readonly error: boolean;
}

/** Collects rules that were not true and are held against the object, in the order of the errors they make. */
export class RuleFailures implements RuleObserver {
  readonly found: RuleFailure[] = [];

  recorder(): undefined {
    return undefined;
  }

  result(
    place: RulePlace,
    { rule }: CompiledRule,
    value: Value | CelError | undefined,
    error: string | undefined,
  ): void {
    if (place.kind !== "rule" || value === true) return;
    const failed = error !== undefined;
    if (failed || !place.unchanged) this.found.push({ place, rule, error: failed });
  }
}

/** Problems of the object, with those at the end that rules made attributed to them: rules run last. */
export function attributeRules(
  problems: readonly Problem[],
  failures: readonly RuleFailure[],
  type: CustomResourceType,
  version: string,
): Problem[] {
  const first = problems.length - failures.length;
  return problems.map((problem, i) => {
    const failure = i < first ? undefined : failures[i - first];
    if (failure === undefined) return problem;
    return { ...problem, system: "rules", by: speakerOf(failure, type, version) };
  });
}

function speakerOf({ place, rule, error }: RuleFailure, type: CustomResourceType, version: string): Speaker {
  const at = type.definition.spec.versions?.findIndex(({ name }) => name === version) ?? -1;
  return {
    kind: "CustomResourceDefinition",
    name: `${type.plural}.${type.group}`,
    path: rulePath(Math.max(at, 0), place),
    expression: rule.rule ?? "",
    error,
  };
}

/** Steps to a rule in the definition's manifest. */
export function rulePath(
  version: number,
  { schemaPath, index, kind }: Pick<RulePlace, "schemaPath" | "index" | "kind">,
): readonly (string | number)[] {
  const schema = ["spec", "versions", version, "schema", "openAPIV3Schema", ...schemaPath];
  return [...schema, "x-kubernetes-validations", index, kind === "rule" ? "rule" : "messageExpression"];
}
