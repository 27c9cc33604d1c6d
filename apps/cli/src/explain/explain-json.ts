// An explanation for machines: the outcome as `check` gives it, with the trees behind it.

import { expressionPath } from "@celadon/admission";
import type { ExplainedNode } from "@celadon/cel/explain";
import { throughVariables, type VariableTrees, variableTrees } from "@celadon/simulator";
import { reviewedJson } from "../outcome/outcome-json.ts";
import { placeText } from "../outcome/place.ts";
import { reviewedOf } from "../outcome/reviewed.ts";
import type { ExplainedSubject } from "./explained.ts";
import type { Sites } from "./sites.ts";

export function explainJson(subject: ExplainedSubject, sites: Sites): Record<string, unknown> {
  const { manifest, old, outcome, policies, rules, certificateRules } = subject;
  const roots = { object: manifest, oldObject: old };
  const node = (one: ExplainedNode, variables: VariableTrees): Record<string, unknown> => {
    const { text, start, end, evaluated, shown, error, cost, path, dataPath, loop, children } = one;
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
  const expression = (one: ExpressionLike, variables: VariableTrees = new Map()): Record<string, unknown> => ({
    kind: one.kind,
    index: one.index,
    ...(one.name !== undefined && { name: one.name }),
    expression: one.expression,
    ...(one.error === undefined ? { value: one.shown } : { error: one.error }),
    cost: one.cost,
    shareOfBudget: one.shareOfBudget,
    tree: node(one.tree, variables),
    ...(one.variables && { variables: one.variables.map((read) => expression(read, variables)) }),
  });
  return {
    ...reviewedJson(reviewedOf(manifest, outcome)),
    policies: policies.map(({ policy, applied, refusals, error, expressions }) => ({
      policy,
      applied,
      refusals,
      ...(error !== undefined && { error }),
      expressions: expressions.map((one, i) => {
        const variables = variableTrees(expressions.slice(0, i + 1));
        const place = sites.expression(policy, expressionPath(one.kind, one.index));
        return { ...expression(one, variables), ...(place && { place: placeText(place) }) };
      }),
    })),
    ...(rules && {
      rules: {
        definition: rules.definition,
        version: rules.version,
        cost: rules.cost,
        budget: rules.budget,
        expressions: rules.expressions.map((one) => ({ ...expression(one), fieldPath: one.fieldPath })),
        skipped: rules.skipped,
      },
    }),
    ...(certificateRules.length > 0 && {
      certificateRules: certificateRules.map((one) => ({
        policy: one.policy,
        field: one.fieldPath,
        self: one.self,
        expression: one.expression,
        ...(one.error === undefined ? { value: one.shown } : { error: one.error }),
        cost: one.cost,
        shareOfLimit: one.shareOfLimit,
        tree: node(one.tree, new Map()),
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
