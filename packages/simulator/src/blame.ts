// Where in the data a false expression was decided: the element of the loop, the field of the clause. One place, for editors and CI
// annotations; an explanation shows the whole.

import type { DataPath, ExplainedNode } from "@celadon/cel/explain";

/** Undefined when no data of the given roots was read. */
export function blameOf(tree: ExplainedNode, roots: ReadonlySet<string> = OBJECT): DataPath | undefined {
  if (!tree.evaluated) return undefined;
  const element = tree.loop?.deciding?.dataPath;
  if (element !== undefined && roots.has(element.root)) {
    const body = tree.children.at(-1);
    const inside = body && blameOf(body, roots);
    return inside && startsWith(inside, element) ? inside : element;
  }
  if (tree.dataPath !== undefined && roots.has(tree.dataPath.root) && tree.dataPath.path.length > 0)
    return tree.dataPath;
  for (const child of decidingFirst(tree.children)) {
    const found = blameOf(child, roots);
    if (found !== undefined) return found;
  }
  return undefined;
}

const OBJECT: ReadonlySet<string> = new Set(["object"]);

/** Of several clauses those that are false or failed come first; the last of them is the one that settled it. */
function decidingFirst(children: readonly ExplainedNode[]): readonly ExplainedNode[] {
  const decides = ({ value, error }: ExplainedNode): boolean => value === false || error !== undefined;
  return [...children.filter(decides).reverse(), ...children.filter((child) => !decides(child))];
}

function startsWith({ root, path }: DataPath, start: DataPath): boolean {
  return root === start.root && start.path.every((step, i) => step === path[i]);
}
