// A partly decided place in the JSON of a request: its possible kinds of value, its members, and the named elements of a list. A node
// belongs to one path.

import type { Shape } from "./shape.ts";

/** Kinds of JSON values, as bits. */
export const KIND = { null: 1, bool: 2, int: 4, double: 8, text: 16, list: 32, map: 64 } as const;
export const ANY_KIND = 127;

export type Presence = "open" | "present" | "absent";

/** A condition on every element of a list, or every entry of a map. */
export interface Universal {
  /** Decides the condition for an element, or throws if it does not hold. */
  readonly check: (element: Node) => void;
  readonly except: readonly Node[];
}

export class Node {
  readonly id: number;
  /** Its place, for people: `object.spec.containers[0]`. */
  readonly label: string;
  shape: Shape;
  kinds: number;
  presence: Presence = "present";
  bool: boolean | undefined = undefined;
  /** The node that this one was found equal to; it has all facts of both. */
  alias: Node | undefined = undefined;
  readonly fields: Map<string, Node> = new Map();
  /** Entries of a map whose keys are not constants; the key is the node's text. */
  readonly entries: Node[] = [];
  /** Named elements of a list, in no particular order. */
  readonly elements: Node[] = [];
  readonly indexes: Map<number, Node> = new Map();
  readonly universals: Universal[] = [];
  /** The constant key of an entry of a map, or the node that is the key. */
  key: string | Node | undefined = undefined;
  /** Whether the facts of its schema about the text are part of the path. */
  touched = false;

  constructor(id: number, label: string, shape: Shape, kinds: number) {
    this.id = id;
    this.label = label;
    this.shape = shape;
    this.kinds = kinds;
  }

  get text(): string {
    return `t${this.id}`;
  }
  get number(): string {
    return `n${this.id}`;
  }
  get size(): string {
    return `s${this.id}`;
  }
}

export function find(node: Node): Node {
  let found = node;
  while (found.alias !== undefined) found = found.alias;
  return found;
}

export function isOnly(node: Node, kinds: number): boolean {
  return (node.kinds & ~kinds) === 0;
}
