// Sets of fields. A node says whether its field is in the set, and which of the fields below it are. Sets are immutable once they are
// handed out: operations share common parts. Upstream: structured-merge-diff fieldpath/set.go.

import { type MergeType, memberType, UNDECLARED } from "../schema/merge-type.ts";
import { compareElements, fieldName, type Path, type PathElement } from "./path-element.ts";

export interface FieldNode {
  readonly member: boolean;
  readonly children: FieldSet | undefined;
}

/** A field without others below it. */
export const MEMBER: FieldNode = { member: true, children: undefined };

/** Places in objects: a pattern for each step, by `ANY_ELEMENT` for the other steps. `ALL` is everything below. */
export type FieldPattern = "ALL" | ReadonlyMap<PathElement, FieldPattern>;
/** Stands for every element that a pattern does not name. */
export const ANY_ELEMENT: PathElement = "*";

/** The pattern of some paths with everything below them. */
export function fieldPattern(...paths: readonly Path[]): FieldPattern {
  const firsts = new Map<PathElement, Path[]>();
  for (const [first, ...rest] of paths) {
    if (first === undefined) return "ALL";
    firsts.set(first, [...(firsts.get(first) ?? []), rest]);
  }
  return new Map([...firsts].map(([first, rests]) => [first, fieldPattern(...rests)]));
}

/** A set of fields, as a tree. */
export class FieldSet {
  readonly nodes: Map<PathElement, FieldNode> = new Map();

  static of(...paths: readonly Path[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  get isEmpty(): boolean {
    for (const { member, children } of this.nodes.values()) {
      if (member || (children !== undefined && !children.isEmpty)) return false;
    }
    return true;
  }

  get size(): number {
    let count = 0;
    for (const { member, children } of this.nodes.values()) count += Number(member) + (children?.size ?? 0);
    return count;
  }

  /** The field with everything below it. Only while the set is built. The empty path is the whole object, which has no owner. */
  insert(path: Path, below?: FieldSet): void {
    let set: FieldSet = this;
    const last = path.length - 1;
    for (let i = 0; i < last; i++) {
      const element = path[i]!;
      const node = set.nodes.get(element);
      const children: FieldSet = node?.children ?? new FieldSet();
      if (node?.children === undefined) set.nodes.set(element, { member: node?.member ?? false, children });
      set = children;
    }
    if (last >= 0) set.insertNode(path[last]!, below === undefined ? MEMBER : { member: true, children: below });
  }

  private insertNode(element: PathElement, node: FieldNode): void {
    const before = this.nodes.get(element);
    this.nodes.set(element, before === undefined ? node : unite(before, node));
  }

  has(path: Path): boolean {
    let set: FieldSet | undefined = this;
    for (const [i, element] of path.entries()) {
      const node: FieldNode | undefined = set?.nodes.get(element);
      if (node === undefined) return false;
      if (i === path.length - 1) return node.member;
      set = node.children;
    }
    return false;
  }

  union(other: FieldSet): FieldSet {
    if (this.nodes.size === 0) return other;
    if (other.nodes.size === 0 || other === this) return this;
    const result = new FieldSet();
    for (const [element, node] of this.nodes) {
      const right = other.nodes.get(element);
      result.nodes.set(element, right === undefined ? node : unite(node, right));
    }
    for (const [element, node] of other.nodes) if (!this.nodes.has(element)) result.nodes.set(element, node);
    return result;
  }

  intersection(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const [element, node] of this.nodes) {
      const right = other.nodes.get(element);
      if (right === undefined) continue;
      const both =
        node.children === undefined ? undefined : right.children && node.children.intersection(right.children);
      result.add(element, node.member && right.member, both);
    }
    return result;
  }

  /** Returns the fields that are here and not there. A field there takes only itself away, not the fields below it. */
  difference(other: FieldSet): FieldSet {
    if (other.nodes.size === 0) return this;
    const result = new FieldSet();
    for (const [element, node] of this.nodes) {
      const right = other.nodes.get(element);
      if (right === undefined) {
        result.nodes.set(element, node);
        continue;
      }
      const rest =
        node.children === undefined || right.children === undefined
          ? node.children
          : node.children.difference(right.children);
      result.add(element, node.member && !right.member, rest);
    }
    return result;
  }

  /** Returns the fields that are here and neither there nor below a field there. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.nodes.size === 0) return this;
    const result = new FieldSet();
    for (const [element, node] of this.nodes) {
      const right = other.nodes.get(element);
      if (right === undefined) result.nodes.set(element, node);
      else if (right.member) continue;
      else if (node.children === undefined || right.children === undefined) result.nodes.set(element, node);
      else result.add(element, node.member, node.children.recursiveDifference(right.children));
    }
    return result;
  }

  /** Returns the fields on the way to a place of the pattern, or below it. */
  matching(pattern: FieldPattern): FieldSet {
    if (pattern === "ALL") return this;
    const result = new FieldSet();
    for (const [element, { member, children }] of this.nodes) {
      const below = pattern.get(element) ?? pattern.get(ANY_ELEMENT);
      if (below !== undefined) result.add(element, member, children?.matching(below));
    }
    return result;
  }

  /** The fields below one step. */
  below(element: PathElement): FieldSet | undefined {
    const children = this.nodes.get(element)?.children;
    return children === undefined || children.isEmpty ? undefined : children;
  }

  equals(other: FieldSet): boolean {
    return this === other || (this.covers(other) && other.covers(this));
  }

  /** Whether all fields there are here too. */
  covers(other: FieldSet): boolean {
    for (const [element, node] of other.nodes) {
      const mine = this.nodes.get(element);
      if (node.member && mine?.member !== true) return false;
      if (node.children !== undefined && !node.children.isEmpty) {
        if (mine?.children === undefined || !mine.children.covers(node.children)) return false;
      }
    }
    return true;
  }

  /** Every field: those of one level in order, then those below them. */
  *paths(prefix: Path = []): Generator<Path> {
    const sorted = [...this.nodes].sort(([a], [b]) => compareElements(a, b));
    for (const [element, { member }] of sorted) if (member) yield [...prefix, element];
    for (const [element, { children }] of sorted)
      if (children !== undefined) yield* children.paths([...prefix, element]);
  }

  /** The set with every declared field that has a field of the set below it. */
  withNamedFields(type: MergeType): FieldSet {
    const result = new FieldSet();
    for (const [element, { member, children }] of this.nodes) {
      const name = fieldName(element);
      const named = children !== undefined && name !== undefined && type.map?.field(name) !== undefined;
      result.nodes.set(element, {
        member: member || named,
        children: children?.withNamedFields(typeBelow(type, element, name)),
      });
    }
    return result;
  }

  private add(element: PathElement, member: boolean, children: FieldSet | undefined): void {
    const rest = children === undefined || children.isEmpty ? undefined : children;
    if (member || rest !== undefined) this.nodes.set(element, { member, children: rest });
  }
}

function unite(a: FieldNode, b: FieldNode): FieldNode {
  const children =
    a.children === undefined ? b.children : b.children === undefined ? a.children : a.children.union(b.children);
  return { member: a.member || b.member, children };
}

function typeBelow(type: MergeType, element: PathElement, name: string | undefined): MergeType {
  if (name !== undefined) return type.map === undefined ? UNDECLARED : memberType(type.map, name);
  return element.startsWith("k:") && type.list !== undefined ? type.list.items : UNDECLARED;
}
