// Finds the expressions of manifests that are counted: every expression of policies, webhook configurations, definitions and certificate
// policies, with its points, whether any test comes near it or not.

import { type ExpressionKind, expressionFields } from "@celadon/admission/resources";
import { policyRuleFields } from "@celadon/certpolicy";
import type { JsonSchema } from "@celadon/crd";
import { ruleFields } from "@celadon/crd/rules";
import { type Manifest, roleOf } from "@celadon/simulator/manifests";
import { astOf } from "../ast-of.ts";
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
    case "mutatingPolicy":
    case "webhooks":
      return admissionExpressions(object);
    case "definition":
      return ruleFields(object).flatMap((ruleField, _, all) => {
        const schemaPath = ruleField.path.slice(0, ruleField.path.lastIndexOf("x-kubernetes-validations"));
        const schema = valueAt(object, schemaPath) as JsonSchema;
        return counted(
          ruleField,
          schemaShapes(schema, schemaPath.at(-1) === "openAPIV3Schema"),
          readBefore(ruleField, all),
        );
      });
    case "certificatePolicy":
      return policyRuleFields(object).flatMap((policyRuleField) => counted(policyRuleField, CERTIFICATE_SHAPES));
    default:
      return [];
  }
}

function admissionExpressions(object: object): readonly CountedExpression[] {
  const fields = expressionFields(object);
  return fields.flatMap((field) => {
    const conditions = field.kind === "matchCondition" ? [] : fields.filter(({ kind }) => kind === "matchCondition");
    const guards = conditions.flatMap(({ text }) => [...guardsOf(text)]);
    return counted(field, ADMISSION_SHAPES, new Set([...guards, ...readBefore(field, fields)]));
  });
}

const ANSWERS: ReadonlySet<CoveredKind> = new Set(["matchCondition", "validation", "rule"]);

function counted(written: Written, shapes: Shapes, guards?: Guards): readonly CountedExpression[] {
  const ast = astOf(written.text);
  if (ast === undefined) return [];
  const answer: Answer = ANSWERS.has(written.kind) ? "boolean" : "value";
  return [{ ...written, points: pointsOf(ast, { answer, shapes, ...(guards && { guards }) }) }];
}

function guardsOf(text: string): Guards {
  const ast = astOf(text);
  return ast === undefined ? new Set() : new Fallible(ast).guards;
}

type Written = Pick<CountedExpression, "path" | "kind" | "text">;

/** A message is for a validation with a result: its reads did not fail. */
function readBefore({ kind, path }: Written, all: readonly Written[]): Guards {
  if (kind !== "messageExpression") return new Set();
  const place = pathKey(path.slice(0, -1));
  const validation = all.find((written) => written.kind !== kind && pathKey(written.path.slice(0, -1)) === place);
  const ast = validation && astOf(validation.text);
  return new Set(ast && new Fallible(ast).reads());
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], root);
}
