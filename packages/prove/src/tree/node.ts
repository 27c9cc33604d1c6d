// A place in the JSON of a request of which only a part is decided: which kinds of value it may have, which of its members are
// there, and the elements of a list that are spoken of. A node belongs to one path.

import type { Shape } from "./shape.ts";

/** Kinds of JSON values, as bits. */
export const KIND = { null: 1, bool: 2, int: 4, double: 8, text: 16, list: 32, map: 64 } as const;
export const ANY_KIND = 127;

export type Presence = "open" | "present" | "absent";

/** What must hold for every element of a list, or every entry of a map. */
export interface Universal {
  /** Decides what has to hold of an element, or throws where it does not. */
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
  /** What this node was found equal to; all that is known is kept there. */
  alias: Node | undefined = undefined;
  readonly fields: Map<string, Node> = new Map();
  /** Entries of a map whose keys are not constants; the key is the node's text. */
  readonly entries: Node[] = [];
  /** Elements of a list that are spoken of, in no particular order. */
  readonly elements: Node[] = [];
  readonly indexes: Map<number, Node> = new Map();
  readonly universals: Universal[] = [];
  /** Of an entry of a map: the constant key, or the node that is the key. */
  key: string | Node | undefined = undefined;
  /** Whether what its schema says of the text is part of what the path knows. */
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
