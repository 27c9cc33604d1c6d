// An explanation for machines: the outcome as `check` gives it, with the trees behind it.

import { expressionPath } from "@celadon/admission/explain";
import type { ExplainedNode } from "@celadon/cel/explain";
import { throughVariables, type VariableTrees, variableTrees } from "@celadon/simulator/explain";
import { reviewedJson } from "../outcome/outcome-json.ts";
import { reviewedOf } from "../outcome/reviewed.ts";
import { placeText } from "../output/place-text.ts";
import type { ExplainedSubject } from "./explained.ts";
import type { Sites } from "./sites.ts";

export function explainJson(subject: ExplainedSubject, sites: Sites): Record<string, unknown> {
  const { manifest, old, outcome, policies, rules, certificateRules } = subject;
  const roots = { object: manifest, oldObject: old };
  const node = (explainedNode: ExplainedNode, variables: VariableTrees): Record<string, unknown> => {
    const { text, start, end, evaluated, shown, error, cost, path, dataPath, loop, children } = explainedNode;
    const data = dataPath && throughVariables(dataPath, variables);
    const place = data && sites.data(data, roots);
    const deciding = loop?.deciding;
    return {
      text,
      start,
      end,
      evaluated,
      ...(shown !== undefined && { value: shown }),
      ...(error !== undefined && { error }),
      ...(cost !== undefined && { cost }),
      ...(path !== undefined && { path }),
      ...(place !== undefined && { place }),
      ...(loop && { iterations: loop.iterations }),
      ...(deciding && { deciding: { index: deciding.index, path: deciding.path, value: deciding.shown } }),
      ...(loop?.kept && { kept: loop.kept.map(({ index, path: at }) => ({ index, path: at })) }),
      children: children.map((child) => node(child, variables)),
    };
  };
  const expression = (like: ExpressionLike, variables: VariableTrees = new Map()): Record<string, unknown> => ({
    kind: like.kind,
    index: like.index,
    ...(like.name !== undefined && { name: like.name }),
    expression: like.expression,
    ...(like.error === undefined ? { value: like.shown } : { error: like.error }),
    cost: like.cost,
    shareOfBudget: like.shareOfBudget,
    tree: node(like.tree, variables),
    ...(like.variables && { variables: like.variables.map((read) => expression(read, variables)) }),
  });
  return {
    ...reviewedJson(reviewedOf(manifest, outcome)),
    policies: policies.map(({ kind, policy, applied, refusals, error, expressions }) => ({
      kind,
      policy,
      applied,
      refusals: refusals.map(({ binding, text }) => ({ ...(binding !== undefined && { binding }), text })),
      ...(error !== undefined && { error }),
      expressions: expressions.map((explainedExpression, i) => {
        const variables = variableTrees(expressions.slice(0, i + 1));
        const place = sites.expression(
          { kind, policy },
          expressionPath(explainedExpression.kind, explainedExpression.index),
        );
        return { ...expression(explainedExpression, variables), ...(place && { place: placeText(place) }) };
      }),
    })),
    ...(rules && {
      rules: {
        definition: rules.definition,
        version: rules.version,
        cost: rules.cost,
        budget: rules.budget,
        expressions: rules.expressions.map((rule) => ({ ...expression(rule), fieldPath: rule.fieldPath })),
        skipped: rules.skipped,
      },
    }),
    ...(certificateRules.length > 0 && {
      certificateRules: certificateRules.map((certificateRule) => ({
        policy: certificateRule.policy,
        field: certificateRule.fieldPath,
        self: certificateRule.self,
        expression: certificateRule.expression,
        ...(certificateRule.error === undefined ? { value: certificateRule.shown } : { error: certificateRule.error }),
        cost: certificateRule.cost,
        shareOfLimit: certificateRule.shareOfLimit,
        tree: node(certificateRule.tree, new Map()),
      })),
    }),
  };
}

interface ExpressionLike {
  readonly kind: string;
  readonly index: number;
  readonly name?: string;
  readonly expression: string;
  readonly shown?: string;
  readonly error?: string;
  readonly cost: number;
  readonly shareOfBudget: number;
  readonly tree: ExplainedNode;
  readonly variables?: readonly ExpressionLike[];
}
