// Finds the places of a plain document's nodes, or of one path, while the document is read a second time: only readers that need a place
// pay for it. Nodes are numbered in the order of the text; the children of one follow it.

import type { JsonPath } from "@celadon/base";
import { type FieldPlace, styleAt } from "../scalar-style.ts";

type Child = string | number;

/** The reader reports each node to it. */
export class PlaceRecorder {
  private readonly text: string;
  private readonly path: JsonPath | undefined;
  private readonly names: (string | undefined)[] = [];
  private readonly keys: number[] = [];
  private readonly values: number[] = [];
  /** The end of a scalar; -1 for a map or list. */
  private readonly ends: number[] = [];
  /** The number of the first node after this one and its children. */
  private readonly next: number[] = [];
  private readonly open: number[] = [];
  private readonly children = new Map<number, Map<Child, number>>();
  private pendingName: string | undefined;
  private pendingKey = -1;

  /** With a path, nothing else has to be found: the reader skips all nodes beside it. */
  constructor(text: string, path?: JsonPath) {
    this.text = text;
    this.path = path;
  }

  /** Whether the member or item that comes next is not on the path. */
  isBeside(step: Child): boolean {
    return this.path !== undefined && step !== this.path[this.open.length - 1];
  }

  /** The key of the value that comes next. */
  name(name: string, offset: number): void {
    this.pendingName = name;
    this.pendingKey = offset;
  }

  enter(offset: number): void {
    this.open.push(this.add(offset, -1));
  }

  leave(): void {
    this.next[this.open.pop()!] = this.values.length;
  }

  scalar(start: number, end: number): void {
    this.add(start, end);
  }

  locate(path: JsonPath): FieldPlace | undefined {
    let node = 0;
    for (const step of path) {
      const child = this.childrenOf(node).get(step);
      if (child === undefined) return undefined;
      node = child;
    }
    const start = this.values[node];
    const end = this.ends[node];
    if (start === undefined || end === undefined) return undefined;
    const key = this.keys[node]!;
    return {
      value: start,
      key: key === -1 ? undefined : key,
      scalar: end === -1 ? undefined : { start, end, style: styleAt(this.text, start) },
    };
  }

  private add(offset: number, end: number): number {
    const node = this.values.length;
    this.names.push(this.pendingName);
    this.keys.push(this.pendingKey);
    this.values.push(offset);
    this.ends.push(end);
    this.next.push(node + 1);
    this.pendingName = undefined;
    this.pendingKey = -1;
    return node;
  }

  private childrenOf(node: number): ReadonlyMap<Child, number> {
    const known = this.children.get(node);
    if (known !== undefined) return known;
    const found = new Map<Child, number>();
    const end = this.next[node] ?? 0;
    for (let child = node + 1; child < end; child = this.next[child]!)
      found.set(this.names[child] ?? found.size, child);
    this.children.set(node, found);
    return found;
  }
}
