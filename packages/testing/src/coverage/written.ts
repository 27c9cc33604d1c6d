// What of a set of manifests is counted: every expression of policies, webhook configurations, definitions and certificate policies,
// with its points, whether any test comes near it or not.

import { type ExpressionKind, expressionFields } from "@celadon/admission/resources";
import type { Ast } from "@celadon/cel";
import { policyRuleFields } from "@celadon/certpolicy";
import { type JsonSchema, ruleFields } from "@celadon/crd";
import { kubeEnv } from "@celadon/kube-cel";
import { type Manifest, roleOf } from "@celadon/simulator";
import { Fallible, type Guards } from "./fallible.ts";
import { type Answer, type Point, pointsOf } from "./points.ts";
import { pathKey } from "./resource-key.ts";
import { ADMISSION_SHAPES, CERTIFICATE_SHAPES, type Shapes, schemaShapes } from "./shapes.ts";

/** `rule` is of definitions and certificate policies. */
export type CoveredKind = ExpressionKind | "rule" | "binding";

export interface CountedExpression {
  readonly path: readonly (string | number)[];
  readonly kind: CoveredKind;
  readonly text: string;
  readonly points: readonly Point[];
}

/** Empty for other resources. */
export function countedIn({ object }: Manifest): readonly CountedExpression[] {
  switch (roleOf(object)) {
    case "policy":
    case "webhooks":
      return admissionExpressions(object);
    case "definition":
      return ruleFields(object).flatMap((one, _, all) => {
        const schemaPath = one.path.slice(0, one.path.lastIndexOf("x-kubernetes-validations"));
        const schema = valueAt(object, schemaPath) as JsonSchema;
        return counted(one, schemaShapes(schema, schemaPath.at(-1) === "openAPIV3Schema"), readBefore(one, all));
      });
    case "certificatePolicy":
      return policyRuleFields(object).flatMap((one) => counted(one, CERTIFICATE_SHAPES));
    default:
      return [];
  }
}

function admissionExpressions(object: object): readonly CountedExpression[] {
  // Mutations are not evaluated, so there is nothing to be seen of them.
  const fields = expressionFields(object).filter(({ kind }) => kind !== "mutation");
  return fields.flatMap((one) => {
    const conditions = one.kind === "matchCondition" ? [] : fields.filter(({ kind }) => kind === "matchCondition");
    const guards = conditions.flatMap(({ text }) => [...guardsOf(text)]);
    return counted(one, ADMISSION_SHAPES, new Set([...guards, ...readBefore(one, fields)]));
  });
}

const ANSWERS: ReadonlySet<CoveredKind> = new Set(["matchCondition", "validation", "rule"]);

function counted(one: Written, shapes: Shapes, guards?: Guards): readonly CountedExpression[] {
  const ast = astOf(one.text);
  if (ast === undefined) return [];
  const answer: Answer = ANSWERS.has(one.kind) ? "boolean" : "value";
  return [{ ...one, points: pointsOf(ast, { answer, shapes, ...(guards && { guards }) }) }];
}

function guardsOf(text: string): Guards {
  const ast = astOf(text);
  return ast === undefined ? new Set() : new Fallible(ast).guards;
}

type Written = Pick<CountedExpression, "path" | "kind" | "text">;

/** A message is for a validation that came to an answer: what that reads did not fail. */
function readBefore({ kind, path }: Written, all: readonly Written[]): Guards {
  if (kind !== "messageExpression") return new Set();
  const place = pathKey(path.slice(0, -1));
  const judged = all.find((one) => one.kind !== kind && pathKey(one.path.slice(0, -1)) === place);
  const ast = judged && astOf(judged.text);
  return new Set(ast && new Fallible(ast).reads());
}

let environment: ReturnType<typeof kubeEnv> | undefined;

/** With every macro there is; undefined for an empty text. Suites do not start with expressions that do not compile. */
function astOf(text: string): Ast | undefined {
  environment ??= kubeEnv();
  return text === "" ? undefined : environment.parse(text).ast;
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], root);
}
