// The fields that expressions read: a tree of fields, and at each field the literals it is compared with. Generation concentrates on them;
// a field that no expression reads cannot change a result.

export class Focus {
  /** Fields, and keys of maps, that are read by name. */
  readonly children: Map<string, Focus> = new Map();
  /** Strings the value is compared or matched with. */
  readonly texts: Set<string> = new Set();
  /** Regular expressions it is matched with. */
  readonly patterns: Set<string> = new Set();
  readonly numbers: Set<number | bigint> = new Set();
  /** The numbers with which its size is compared. */
  readonly sizes: Set<number> = new Set();
  #items: Focus | undefined;

  child(name: string): Focus {
    let child = this.children.get(name);
    if (child === undefined) {
      child = new Focus();
      this.children.set(name, child);
    }
    return child;
  }

  /** Elements of a list, values of a map read by a key that is computed. Made on first use. */
  get items(): Focus {
    this.#items ??= new Focus();
    return this.#items;
  }

  /** The same, only if something reads them. */
  get itemsIfRead(): Focus | undefined {
    return this.#items;
  }

  /** Whether the value counts as a whole, because nothing below it is read. */
  get isLeaf(): boolean {
    return this.children.size === 0 && this.#items === undefined;
  }
}

/** The fields that expressions read of each variable; `object` and `oldObject` have one focus, so have `self` and `oldSelf`. */
export interface Interests {
  readonly object: Focus;
  readonly params: Focus;
  readonly request: Focus;
  readonly namespaceObject: Focus;
}

export function createInterests(): Interests {
  return { object: new Focus(), params: new Focus(), request: new Focus(), namespaceObject: new Focus() };
}
