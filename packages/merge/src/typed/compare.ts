// Compares two values: fields removed, modified and added. Upstream: structured-merge-diff typed/compare.go.

import { Invalid } from "@celadon/kube/errors";
import { FieldSet, MEMBER } from "../fieldpath/field-set.ts";
import { fieldElement, type PathElement } from "../fieldpath/path-element.ts";
import { type ListType, type MapType, type MergeType, memberType } from "../schema/merge-type.ts";
import { isEmptyMap, isMap, sameValue } from "../value/value.ts";
import { formIn, sameForms, type TypeForm } from "./forms.ts";
import { itemElement } from "./item-element.ts";
import type { TypeProblem } from "./problem.ts";
import { isPlainScalar, scalarProblem } from "./validate.ts";

/** The fields that were added, removed and changed. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
  readonly problems: readonly TypeProblem[];
}

/** Compares two values by their type. */
export function compareTyped(type: MergeType, before: unknown, after: unknown): Comparison {
  const walk = new Walk();
  if (before !== after) walk.compare(type, before, after);
  return walk;
}

class Walk implements Comparison {
  readonly removed: FieldSet = new FieldSet();
  readonly modified: FieldSet = new FieldSet();
  readonly added: FieldSet = new FieldSet();
  readonly problems: TypeProblem[] = [];
  readonly #path: PathElement[] = [];

  compare(type: MergeType, before: unknown, after: unknown): void {
    if (before === undefined && this.#path.length > 0) {
      this.added.insert(this.#path, this.#within(type, after));
      return;
    }
    const form = formIn(type, after === undefined ? before : after);
    if (before !== undefined && after !== undefined && !sameForms(type, before, after)) {
      this.#as(formIn(type, before), type, before, after);
    }
    if (this.#as(form, type, before, after)) return;
    if (before === undefined) this.added.insert(this.#path);
    else if (after === undefined) this.removed.insert(this.#path);
  }

  /** Whether the value is a leaf, which needs no further comparison. */
  #as(form: TypeForm, type: MergeType, before: unknown, after: unknown): boolean {
    switch (form) {
      case "map":
        return this.#maps(type.map!, before, after);
      case "list":
        return this.#lists(type.list!, before, after);
      case "scalar": {
        const problems = [
          scalarProblem(type.scalar!, before, "lhs: "),
          scalarProblem(type.scalar!, after, "rhs: "),
        ].filter((problem) => problem !== undefined);
        if (problems.length < 2) return this.#leaf(before, after);
        for (const problem of problems) this.#report(problem);
        return false;
      }
      case "none":
        this.#report("schema error: invalid atom: inlined");
        return false;
    }
  }

  #report(message: string): void {
    this.problems.push({ path: [...this.#path], message });
  }

  #leaf(before: unknown, after: unknown): true {
    if (before === undefined) this.added.insert(this.#path);
    else if (after === undefined) this.removed.insert(this.#path);
    else if (!sameValue(before, after)) this.modified.insert(this.#path);
    return true;
  }

  #maps(type: MapType, before: unknown, after: unknown): boolean {
    const [b, a] = [isMap(before) ? before : undefined, isMap(after) ? after : undefined];
    if (type.atomic || ((b === undefined || isEmptyMap(b)) && (a === undefined || isEmptyMap(a)))) {
      return this.#leaf(before, after);
    }
    for (const key in b) {
      if (!Object.hasOwn(b, key)) continue;
      const other = a !== undefined && Object.hasOwn(a, key) ? a[key] : undefined;
      if (b[key] !== other) this.#below(fieldElement(key), memberType(type, key), b[key], other);
    }
    for (const key in a) {
      if (!Object.hasOwn(a, key) || (b !== undefined && Object.hasOwn(b, key))) continue;
      this.#below(fieldElement(key), memberType(type, key), undefined, a[key]);
    }
    return false;
  }

  #below(element: PathElement, type: MergeType, before: unknown, after: unknown): void {
    this.#path.push(element);
    this.compare(type, before, after);
    this.#path.pop();
  }

  #lists(type: ListType, before: unknown, after: unknown): boolean {
    const b = Array.isArray(before) ? before : [];
    const a = Array.isArray(after) ? after : [];
    if (!type.associative || (b.length === 0 && a.length === 0)) return this.#leaf(before, after);
    const [old, fresh] = [this.#group(type, b), this.#group(type, a)];
    for (const [element, items] of old) this.#items(type, element, items, fresh.get(element) ?? []);
    for (const [element, items] of fresh) if (!old.has(element)) this.#items(type, element, [], items);
    return false;
  }

  #group(type: ListType, list: readonly unknown[]): Map<PathElement, unknown[]> {
    const groups = new Map<PathElement, unknown[]>();
    for (const [i, item] of list.entries()) {
      const element = itemElement(type, item);
      if (element instanceof Invalid) {
        this.#report(`element ${i}: ${element.message}`);
        continue;
      }
      const group = groups.get(element);
      if (group === undefined) groups.set(element, [item]);
      else group.push(item);
    }
    return groups;
  }

  /** Items with the same keys are one thing as long as they are several. */
  #items(type: ListType, element: PathElement, before: readonly unknown[], after: readonly unknown[]): void {
    const [manyBefore, manyAfter] = [before.length > 1, after.length > 1];
    if (!manyBefore && !manyAfter) {
      if (before[0] !== after[0]) this.#below(element, type.items, before[0], after[0]);
      return;
    }
    const here = [...this.#path, element];
    if (manyBefore && manyAfter) {
      if (!sameValue(before, after)) this.modified.insert(here);
    } else if (manyBefore) {
      if (after.length > 0) this.#below(element, type.items, undefined, after[0]);
      this.removed.insert(here);
    } else {
      if (before.length > 0) this.#below(element, type.items, before[0], undefined);
      this.added.insert(here);
    }
  }

  /** The fields below a value that is new, all of them added. */
  #within(type: MergeType, value: unknown): FieldSet | undefined {
    if (isPlainScalar(type.scalar, value)) return undefined;
    switch (formIn(type, value)) {
      case "map":
        return this.#withinMap(type.map!, value);
      case "list":
        return this.#withinList(type.list!, value);
      case "scalar":
        return undefined;
      case "none":
        this.#report("schema error: invalid atom: inlined");
        return undefined;
    }
  }

  #withinMap(type: MapType, map: unknown): FieldSet | undefined {
    if (type.atomic || !isMap(map)) return undefined;
    const set = new FieldSet();
    for (const key in map) {
      if (Object.hasOwn(map, key)) this.#addTo(set, fieldElement(key), memberType(type, key), map[key]);
    }
    return set.nodes.size === 0 ? undefined : set;
  }

  #withinList(type: ListType, list: unknown): FieldSet | undefined {
    if (!type.associative || !Array.isArray(list) || list.length === 0) return undefined;
    const set = new FieldSet();
    for (const [element, items] of this.#group(type, list)) {
      if (items.length > 1) set.nodes.set(element, MEMBER);
      else this.#addTo(set, element, type.items, items[0]);
    }
    return set.nodes.size === 0 ? undefined : set;
  }

  #addTo(set: FieldSet, element: PathElement, type: MergeType, value: unknown): void {
    this.#path.push(element);
    const children = this.#within(type, value);
    this.#path.pop();
    set.nodes.set(element, children === undefined ? MEMBER : { member: true, children });
  }
}
