// Completes at a place of a file: in an expression, or in the YAML around it.

import { isRecord, memberOf } from "@celadon/base";
import { cursorAt, type ExpressionAt } from "../cursor/expression-at.ts";
import type { File } from "../document/file.ts";
import type { Known } from "../known.ts";
import type { Completions } from "./completion.ts";
import { completeExpression, type KeysOf } from "./expression-completion.ts";
import { usageOf } from "./usage-of.ts";
import { completeYaml } from "./yaml-completion.ts";

export function completeAt(workspace: Known, file: File, offset: number): Completions {
  const found = cursorAt(file, offset);
  if (found.expression !== undefined) return expressionCompletions(workspace, found.expression);
  const nothing = { items: [], range: { start: offset, end: offset } };
  if (workspace.options.yamlKeys === false) return nothing;
  return completeYaml(workspace, file, found) ?? nothing;
}

function expressionCompletions(workspace: Known, at: ExpressionAt): Completions {
  const { object, path, scalar, offset } = at;
  const site = workspace.sites.at(object, path);
  const source = scalar.toSource(offset);
  if (site === undefined) return { items: [], range: { start: source, end: source } };
  const usage = usageOf(object, path, scalar.text.slice(0, offset), scalar.text.slice(offset));
  const { items, start, end } = completeExpression({
    site,
    text: scalar.text,
    offset,
    usage,
    keysOf: keysIn(workspace, at),
  });
  return {
    items,
    range: { start: scalar.toSource(start), end: Math.max(scalar.toSource(start), scalar.toSource(end)) },
  };
}

/** Keys of the ConfigMaps and other params that the workspace has for the policy. */
function keysIn(workspace: Known, { object }: ExpressionAt): KeysOf {
  return (operand) => {
    const [root, ...steps] = operand.replace(/\?/g, "").split(".");
    if (root !== "params") return [];
    const kind = memberOf(memberOf(object.spec, "paramKind"), "kind");
    const keys = new Set<string>();
    for (const { object: kubeObject } of workspace.simulated.manifests("object")) {
      if (kubeObject.kind !== kind) continue;
      const value = steps.reduce<unknown>((held, step) => memberOf(held, step), kubeObject);
      if (isRecord(value)) for (const key of Object.keys(value)) keys.add(key);
    }
    return [...keys];
  };
}
