// Authorization checks as recorded from the reference, with an authorizer that returns the question as its reason.

import { readFileSync } from "node:fs";
import { requirementText } from "@celadon/kube/selectors";
import { expect, test } from "vitest";
import { compileExpression } from "../compile.ts";
import { kubeEnv } from "../environment.ts";
import { tag, type Vector } from "../vectors.testing.ts";
import {
  type Attributes,
  AUTHORIZER,
  type AuthorizerDecision,
  AuthorizerValue,
  type ExpressionAuthorizer,
  RESOURCE_CHECK,
} from "./authorizer.ts";

function describe(asked: Attributes): string {
  const { user, verb, resourceRequest, fieldSelector, labelSelector } = asked;
  const fields = fieldSelector?.requirements.map(({ field, operator, value }) => `${field}${operator}${value}`) ?? [];
  const labels = labelSelector?.requirements.map(requirementText) ?? [];
  return JSON.stringify({
    apiGroup: asked.apiGroup ?? "",
    apiVersion: asked.apiVersion ?? "",
    ...(fieldSelector?.error !== undefined && { fieldError: fieldSelector.error }),
    ...(fields.length > 0 && { fields }),
    groups: user.groups,
    ...(labelSelector?.error !== undefined && { labelError: labelSelector.error }),
    ...(labels.length > 0 && { labels }),
    name: asked.name ?? "",
    namespace: asked.namespace ?? "",
    path: asked.path ?? "",
    resource: asked.resource ?? "",
    resourceRequest,
    subresource: asked.subresource ?? "",
    user: user.name,
    verb,
  });
}

const DECISIONS: Readonly<Record<string, Omit<AuthorizerDecision, "reason">>> = {
  get: { decision: "allow" },
  deny: { decision: "deny" },
  fail: { decision: "noOpinion", error: "boom" },
};

const telling: ExpressionAuthorizer = {
  authorize: (asked) => ({ ...(DECISIONS[asked.verb] ?? { decision: "noOpinion" }), reason: describe(asked) }),
};

const authorizer = new AuthorizerValue({ name: "jane", groups: ["dev"] }, telling);
const variables = {
  authorizer,
  "authorizer.requestResource": authorizer.forResource({
    group: "apps",
    resource: "deployments",
    subresource: "scale",
    namespace: "prod",
    name: "web",
  }),
};
const env = kubeEnv({
  mode: "newExpressions",
  variables: { authorizer: AUTHORIZER, "authorizer.requestResource": RESOURCE_CHECK },
});

const vectors = readFileSync(new URL("../testdata/authz.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Vector);

test.each(vectors)("$expr", ({ expr, id: _, ...want }) => {
  for (const mode of ["interpreted", "compiled"] as const) {
    const compiled = compileExpression(env, expr, { mode });
    if (!compiled.ok) {
      expect({ compileError: compiled.message }).toEqual(want);
      continue;
    }
    const { value, error, cost } = compiled.program.evaluate(variables);
    const type = String(compiled.checked.type);
    expect(error === undefined ? { type, cost, value: tag(value) } : { type, cost, error: error.message }).toEqual(
      want,
    );
  }
});
