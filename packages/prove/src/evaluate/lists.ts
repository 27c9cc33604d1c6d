// Lists with some named elements: an element for which a condition holds is a witness that the path names, and conditions for all elements
// are kept and checked for every witness. The length of lists is not limited here.

import { isList, isMap, mapKeys, toArray } from "@celadon/cel/values";
import { constant, plus } from "../number/linear.ts";
import { GaveUp, INFEASIBLE } from "../path/choices.ts";
import { constantOf, ERROR, type Part, type Stage, type Symbolic } from "../path/symbolic.ts";
import { find, KIND, Node } from "../tree/node.ts";
import { compareNumbers, numbersEqual } from "./compare.ts";
import type { Evaluation } from "./evaluation.ts";

export function isListLike(value: Symbolic): boolean {
  return value.is === "list" || (value.is === "value" && isList(value.value));
}

/** The range of a loop: elements of a list or keys of a map; undefined for other values. */
export function partsOf({ path }: Evaluation, value: Symbolic): readonly Part[] | undefined {
  switch (value.is) {
    case "list":
      return value.parts;
    case "map":
      return [{ of: "items", items: value.entries.map(([key]) => key) }];
    case "value":
      if (isList(value.value)) return [{ of: "items", items: toArray(value.value).map(constantOf) }];
      return isMap(value.value) ? [{ of: "items", items: [...mapKeys(value.value)].map(constantOf) }] : undefined;
    case "node":
      return path.isKind(value.node, KIND.list | KIND.map)
        ? [{ of: "node", node: value.node, stages: [], filtered: false }]
        : undefined;
    case "opaque":
      throw new GaveUp(value.why);
    default:
      return undefined;
  }
}

/** The value of a loop's first variable for a part of a node: an element, or the key of an entry. */
export function elementOf(owner: Node, part: Node): Symbolic {
  if (find(owner).elements.includes(part)) return { is: "node", node: part };
  const { key } = part;
  return key instanceof Node ? { is: "node", node: key } : constantOf(key);
}

export function staged(element: Symbolic, stages: readonly Stage[]): Symbolic | undefined {
  let value: Symbolic | undefined = element;
  for (const stage of stages) {
    if (value === undefined) return undefined;
    value = stage(value);
    if (value?.is === "error") throw INFEASIBLE;
  }
  return value;
}

/** An element of a list, new or known; `besides` are places that it is not. Throws if it does not exist. */
export interface Witness {
  readonly value: Symbolic;
  /** The place it comes from; undefined for an element that is listed. */
  readonly node: Node | undefined;
  /** The index of an element that is listed. */
  readonly index?: Symbolic;
}

/**
 * An element for which a condition holds: a known one, or a new one without other facts. Known elements for which it does not hold are
 * distinguished from it on the way.
 */
export function witness(
  { path }: Evaluation,
  parts: readonly Part[],
  holds: (element: Witness) => boolean,
  besides: readonly Witness[] = [],
): Witness {
  const excluded = new Set(besides.map(({ node, value }) => node ?? value));
  const open: (readonly [Node, readonly Stage[]])[] = [];
  const accepted = (owner: Node, node: Node, stages: readonly Stage[]): Witness | undefined => {
    const value = staged(elementOf(owner, node), stages);
    return value !== undefined && holds({ value, node }) ? { value, node } : undefined;
  };
  for (const part of parts) {
    if (part.of === "items") {
      for (const value of part.items)
        if (!excluded.has(value) && holds({ value, node: undefined })) return { value, node: undefined };
      continue;
    }
    const owner = find(part.node);
    open.push([owner, part.stages]);
    for (const node of [...owner.elements, ...owner.fields.values(), ...owner.entries]) {
      if (excluded.has(node) || node.presence === "absent" || !path.isPresent(owner, node)) continue;
      const found = accepted(owner, node, part.stages);
      if (found !== undefined) return found;
    }
  }
  const [owner, stages] = (open.length === 1 ? open[0] : open[path.choose(open.length)]) ?? [];
  if (owner === undefined || stages === undefined) throw INFEASIBLE;
  const found = accepted(owner, path.isKind(owner, KIND.list) ? path.addElement(owner) : path.addMember(owner), stages);
  if (found === undefined) throw INFEASIBLE;
  return found;
}

/** Lets `check` decide a condition of every element, and throw if it does not hold. */
export function forAll(
  { path }: Evaluation,
  parts: readonly Part[],
  check: (value: Symbolic) => void,
  besides: readonly Witness[] = [],
): void {
  const except = besides.flatMap(({ node }) => (node === undefined ? [] : [node]));
  for (const part of parts) {
    if (part.of === "items") {
      for (const item of part.items) if (!besides.some(({ value }) => value === item)) check(item);
      continue;
    }
    const { node, stages } = part;
    path.forAll(node, {
      except,
      check: (element) => {
        const value = staged(elementOf(node, element), stages);
        if (value !== undefined) check(value);
      },
    });
  }
}

/** The number of elements, where every element counts; undefined where a filter decides. */
export function sizeOfParts({ path }: Evaluation, parts: readonly Part[]): ReturnType<typeof constant> | undefined {
  let sum = constant(0n);
  for (const part of parts) {
    if (part.of === "node" && part.filtered) return undefined;
    sum = plus(sum, part.of === "items" ? constant(BigInt(part.items.length)) : path.sizeOf(part.node));
  }
  return sum;
}

/** The number of elements of filtered lists that are distinguished. */
const MOST_COUNTED = 3;

/** Whether at least so many elements are left. */
export function atLeast(evaluation: Evaluation, parts: readonly Part[], count: number): boolean {
  const { path } = evaluation;
  if (count <= 0) return true;
  const size = sizeOfParts(evaluation, parts);
  if (size !== undefined) return compareNumbers(path, constant(BigInt(count)), "<=", size);
  if (count > MOST_COUNTED) throw new GaveUp(`a filtered list of ${count} elements`);
  const found: Witness[] = [];
  // With 0 there are enough; with k + 1 there are exactly k.
  const chosen = path.choose(count + 1);
  const wanted = chosen === 0 ? count : chosen - 1;
  for (let i = 0; i < wanted; i++) found.push(witness(evaluation, parts, () => true, found));
  if (chosen === 0) return true;
  forAll(
    evaluation,
    parts,
    () => {
      throw INFEASIBLE;
    },
    found,
  );
  return false;
}

/** Whether a list has exactly so many elements. */
export function sizeIs(evaluation: Evaluation, list: Symbolic, count: number): boolean {
  const { path } = evaluation;
  if (list.is === "node") return numbersEqual(path, path.sizeOf(list.node), constant(BigInt(count)));
  const parts = partsOf(evaluation, list) ?? [];
  const size = sizeOfParts(evaluation, parts);
  if (size !== undefined) return numbersEqual(path, size, constant(BigInt(count)));
  return atLeast(evaluation, parts, count) && !atLeast(evaluation, parts, count + 1);
}

/** The element at a constant index; an error where the list is shorter. */
export function elementAt(evaluation: Evaluation, list: Symbolic, index: number): Symbolic {
  const { path } = evaluation;
  if (list.is === "node") {
    const node = path.elementAt(list.node, index);
    return node === undefined ? ERROR : { is: "node", node };
  }
  let left = index;
  const parts = partsOf(evaluation, list) ?? [];
  for (const [i, part] of parts.entries()) {
    if (part.of === "items") {
      const item = part.items[left];
      if (item !== undefined) return item;
      left -= part.items.length;
      continue;
    }
    if (part.filtered || (i < parts.length - 1 && left > 0)) break;
    const node = path.elementAt(part.node, left);
    if (node !== undefined) return staged(elementOf(part.node, node), part.stages) ?? ERROR;
    if (i < parts.length - 1) break;
    return ERROR;
  }
  if (parts.every((part) => part.of === "items")) return ERROR;
  if (!atLeast(evaluation, parts, index + 1)) return ERROR;
  // Any of them may be the one: wherever one is wanted, another path takes another.
  throw new GaveUp("an index into a filtered list");
}
