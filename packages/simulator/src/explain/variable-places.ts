// Places in the data behind a policy's variables: `variables.containers[1].image` is `spec.containers[1].image` where the variable
// stands for the object's containers, and also where it joins, filters or has a default for them.

import type { ExplainedExpression } from "@celadon/admission/explain";
import type { DataPath, ExplainedNode } from "@celadon/cel/explain";
import { isList } from "@celadon/cel/values";

/** Explanations of variables, by name. */
export type VariableTrees = ReadonlyMap<string, ExplainedNode>;

/** Variables nest as deep as a policy likes; the stack does not. One defined twice may even read itself. */
export const VARIABLES_DEEP = 64;

/**
 * The values of variables when the last of the given expressions ran. Expressions are in the order in which they ran: a variable
 * comes with its first reader, and again each time it was evaluated again, as for other params.
 */
export function variablesOf(expressions: readonly ExplainedExpression[]): ReadonlyMap<string, ExplainedExpression> {
  const found = new Map<string, ExplainedExpression>();
  // Some variables of a long chain are evaluated by themselves, before their readers.
  const add = (expression: ExplainedExpression): void => {
    const { kind, name, variables } = expression;
    if (kind === "variable" && name !== undefined) found.set(name, expression);
    for (const variable of variables) add(variable);
  };
  for (const expression of expressions) add(expression);
  return found;
}

/** The same, if only the trees are needed. */
export function variableTrees(expressions: readonly ExplainedExpression[]): VariableTrees {
  return new Map([...variablesOf(expressions)].map(([name, { tree }]) => [name, tree]));
}

/** The place that a path leads to; undefined below a variable that computed the value. Paths of other roots are places. */
export function throughVariables(path: DataPath, variables: VariableTrees): DataPath | undefined {
  let place: DataPath | undefined = path;
  for (let depth = 0; place?.root === "variables"; depth++) {
    const [name, ...rest]: DataPath["path"] = place.path;
    const tree = typeof name === "string" ? variables.get(name) : undefined;
    if (tree === undefined || depth === VARIABLES_DEEP) return undefined;
    const [index, ...inside] = rest;
    if (tree.dataPath !== undefined) place = below(tree.dataPath, rest);
    else place = typeof index === "number" ? below(elementPlace(tree, index), inside) : undefined;
  }
  return place;
}

/** The place of an element of the list that an expression returned. */
export function elementPlace(tree: ExplainedNode, index: number): DataPath | undefined {
  const { dataPath, loop, children, text } = tree;
  const [first, second, third] = children;
  if (dataPath !== undefined) return below(dataPath, [index]);
  if (first === undefined || second === undefined || !isList(tree.value)) return undefined;
  if (loop !== undefined) {
    const kept = loop.kept?.[index];
    return kept && (kept.dataPath ?? elementPlace(first, kept.index));
  }
  if (third !== undefined)
    return typeof first.value === "boolean" ? elementPlace(first.value ? second : third, index) : undefined;
  if (text.startsWith(`${first.text}.orValue(`)) {
    return second.evaluated && second.value === tree.value ? elementPlace(second, index) : elementPlace(first, index);
  }
  const [before, after] = [lengthOf(first), lengthOf(second)];
  // Only joining makes a list of two.
  if (before === undefined || after === undefined || before + after !== lengthOf(tree)) return undefined;
  return index < before ? elementPlace(first, index) : elementPlace(second, index - before);
}

function lengthOf({ value }: ExplainedNode): number | undefined {
  if (!isList(value)) return undefined;
  return "size" in value ? value.size : value.length;
}

function below(base: DataPath | undefined, steps: DataPath["path"]): DataPath | undefined {
  return base && { root: base.root, path: [...base.path, ...steps] };
}
