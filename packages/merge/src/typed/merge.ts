// Two values of one type become one: the right one wins, maps and associative lists are merged item by item, atomic values are replaced as
// a whole. Items keep the order of the left list; new ones follow as the right list has them. Neither value is changed, and the result
// shares parts that come from one of them alone: without changes, it is the left value. Both have been validated. Upstream:
// structured-merge-diff typed/merge.go.

import { deepEqual } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { elementText, fieldElement, type PathElement } from "../fieldpath/path-element.ts";
import { type ListType, type MapType, type MergeType, memberType } from "../schema/merge-type.ts";
import { isEmptyMap, isMap, type JsonMap, setOwn } from "../value/value.ts";
import { formIn, sameForms, type TypeForm } from "./forms.ts";
import { itemElement } from "./item-element.ts";
import type { TypeProblem } from "./problem.ts";
import { isPlainScalar, scalarProblem } from "./validate.ts";

/** A merged value and its problems. */
export interface Merged {
  /** Undefined if both sides are empty. */
  readonly value: unknown;
  readonly problems: readonly TypeProblem[];
}

/** Merges one value into another by their type. */
export function mergeValues(type: MergeType, left: unknown, right: unknown): Merged {
  const walk = new Walk();
  const value = walk.merge(type, left, right);
  return { value, problems: walk.problems };
}

class Walk {
  readonly problems: TypeProblem[] = [];
  readonly #path: PathElement[] = [];

  merge(type: MergeType, left: unknown, right: unknown): unknown {
    if (right === undefined) return left;
    if (left === undefined) return right;
    if (isPlainScalar(type.scalar, left) && isPlainScalar(type.scalar, right)) return right;
    // If a type has several forms and the values differ in theirs, the left one is only checked for problems.
    if (!sameForms(type, left, right)) this.#as(formIn(type, left), type, left, right);
    return this.#as(formIn(type, right), type, left, right);
  }

  #as(form: TypeForm, type: MergeType, left: unknown, right: unknown): unknown {
    switch (form) {
      case "map":
        return this.#maps(type.map!, left, right);
      case "list":
        return this.#lists(type.list!, left, right);
      case "scalar": {
        const [leftProblem, rightProblem] = [
          scalarProblem(type.scalar!, left, "lhs: "),
          scalarProblem(type.scalar!, right, "rhs: "),
        ];
        if (leftProblem === undefined || rightProblem === undefined) return leaf(left, right);
        this.#report(leftProblem);
        this.#report(rightProblem);
        return undefined;
      }
      case "none":
        this.#report("schema error: invalid atom: inlined");
        return undefined;
    }
  }

  #report(message: string): void {
    this.problems.push({ path: [...this.#path], message });
  }

  #maps(type: MapType, left: unknown, right: unknown): unknown {
    const [l, r] = [isMap(left) ? left : undefined, isMap(right) ? right : undefined];
    if (type.atomic || ((l === undefined || isEmptyMap(l)) && (r === undefined || isEmptyMap(r))))
      return leaf(left, right);
    if (r === undefined) return left;
    // Only members of the right are checked; the left map is copied when the first of them changes something.
    let merged: Record<string, unknown> | undefined = l === undefined ? {} : undefined;
    for (const key of Object.keys(r)) {
      const item = l !== undefined && Object.hasOwn(l, key) ? l[key] : undefined;
      this.#path.push(fieldElement(key));
      const next = this.merge(memberType(type, key), item, r[key]);
      this.#path.pop();
      if (next === item) continue;
      merged ??= copyOf(l!);
      if (next === undefined) delete merged[key];
      else setOwn(merged, key, next);
    }
    if (merged === undefined) return left;
    return isEmptyMap(merged) ? undefined : merged;
  }

  #lists(type: ListType, left: unknown, right: unknown): unknown {
    const l = Array.isArray(left) ? left : [];
    const r = Array.isArray(right) ? right : [];
    if (!type.associative || (l.length === 0 && r.length === 0)) return leaf(left, right);
    if (left === right) return left;
    const before = this.problems.length;
    const rightItems = this.#index(type, r, false);
    const leftItems = this.#index(type, l, true);
    if (this.problems.length > before) return undefined;
    const merged = this.#zip(type, l, leftItems, rightItems);
    if (merged.length === 0) return undefined;
    return merged.length === l.length && merged.every((item, i) => item === l[i]) ? left : merged;
  }

  #index(type: ListType, list: readonly unknown[], allowDuplicates: boolean): Indexed {
    const elements: PathElement[] = [];
    const items = new Map<PathElement, unknown>();
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      const element = itemElement(type, item);
      if (element instanceof Invalid) {
        this.#report(`element ${i}: ${element.message}`);
        continue;
      }
      const found = items.has(element);
      if (found && !allowDuplicates) {
        this.#report(`duplicate entries for key ${elementText(element)}`);
        continue;
      }
      // Items that occur twice have nothing to be merged with.
      items.set(element, found ? null : item);
      elements.push(element);
    }
    return { elements, items };
  }

  /** Walks both lists at once. An item of both has the place of the left list as far as the right one allows. */
  #zip(type: ListType, left: readonly unknown[], l: Indexed, r: Indexed): unknown[] {
    const merged: unknown[] = [];
    const shared = r.elements.filter((element) => l.items.has(element));
    let next = 0;
    const done = new Set<PathElement>();
    const take = (leftItem: unknown, rightItem: unknown): void => {
      const item = this.#item(type, leftItem, rightItem);
      if (item !== undefined) merged.push(item);
    };
    let [i, j] = [0, 0];
    while (i < l.elements.length || j < r.elements.length) {
      const [mine, theirs] = [l.elements[i], r.elements[j]];
      if (mine !== undefined && theirs !== undefined) {
        if (mine === theirs) {
          done.add(mine);
          take(l.items.get(mine), r.items.get(mine));
          i++;
          j++;
          next++;
          continue;
        }
        if (r.items.has(mine) && next < shared.length && shared[next] !== mine) {
          i++;
          continue;
        }
      }
      if (mine !== undefined) {
        if (!r.items.has(mine)) {
          take(left[i], undefined);
          i++;
          continue;
        }
        if (done.has(mine)) i++;
      }
      if (theirs !== undefined) {
        done.add(theirs);
        take(l.items.get(theirs), r.items.get(theirs));
        j++;
        if (shared[next] === theirs) next++;
      }
    }
    return merged;
  }

  /** Problems inside items are not reported: upstream loses them too, and values were validated before. */
  #item(type: ListType, left: unknown, right: unknown): unknown {
    const before = this.problems.length;
    const item = this.merge(type.items, left, right);
    this.problems.length = before;
    return item;
  }
}

function copyOf(map: JsonMap): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(map)) setOwn(copy, key, map[key]);
  return copy;
}

interface Indexed {
  readonly elements: readonly PathElement[];
  readonly items: ReadonlyMap<PathElement, unknown>;
}

function leaf(left: unknown, right: unknown): unknown {
  return right === undefined || deepEqual(left, right) ? left : right;
}
