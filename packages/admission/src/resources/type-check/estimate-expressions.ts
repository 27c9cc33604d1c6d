// The estimated costs of a policy's expressions, for each kind it matches. The API server makes no such estimate of policies: it counts
// when it evaluates. The API server makes this estimate for rules in CustomResourceDefinitions, with the sizes that the kinds' schemas
// allow.

import type { Range } from "@celadon/cel/cost";
import type { GroupVersionKind } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import type { Policy } from "../../policy.ts";
import { expressionFields, type WrittenExpression } from "../expression-fields.ts";
import { answerOf } from "./answer-of.ts";
import { kindsToCheck, type TypeSource } from "./kinds-to-check.ts";
import { paramsOf } from "./params-kind.ts";
import { publishedSchema } from "./published-schema.ts";
import { TypedEnvironment } from "./typed-environment.ts";

/** The estimated cost of an expression on objects of a kind. */
export interface ExpressionEstimate {
  readonly path: WrittenExpression["path"];
  readonly kind: GroupVersionKind;
  readonly cost: Range;
}

/** Kinds beyond these would say the same again. */
const MOST_KINDS = 20;

/** An estimate for each pair of expression and kind that fit together. */
export async function estimateExpressions(
  policy: Policy,
  source: TypeSource,
  kubeVersion?: Minor,
): Promise<ExpressionEstimate[]> {
  const { kinds, beyond } = await kindsToCheck(policy, source);
  const params = await paramsOf(policy.spec.paramKind, source);
  const expressions = expressionFields(policy);
  const found: ExpressionEstimate[] = [];
  for (const kind of [...kinds, ...beyond].slice(0, MOST_KINDS)) {
    const schema = await answerOf(() => source.schema(kind));
    if (schema === undefined) continue;
    const env = new TypedEnvironment(
      { object: { kind: kind.kind, schema: publishedSchema(schema) }, params },
      kubeVersion,
    );
    env.addVariables(policy.spec.variables ?? []);
    for (const { path, text, kind: role } of expressions) {
      const cost = env.estimate(text, role === "mutation");
      if (cost !== undefined) found.push({ path, kind, cost });
    }
  }
  return found;
}
