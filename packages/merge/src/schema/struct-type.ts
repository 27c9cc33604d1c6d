// Structs: declared fields, each read on first use, so that recursive types end.

import type { MapType, MergeField, MergeType } from "./merge-type.ts";

export class StructType implements MapType {
  readonly atomic: boolean;
  readonly others: MergeType | undefined;
  readonly deduced: boolean;
  readonly #read: (name: string) => MergeField | undefined;
  readonly #fields = new Map<string, MergeField | undefined>();

  constructor(
    read: (name: string) => MergeField | undefined,
    about: { readonly atomic: boolean; readonly others: MergeType | undefined; readonly deduced?: boolean },
  ) {
    this.#read = read;
    this.atomic = about.atomic;
    this.others = about.others;
    this.deduced = about.deduced === true;
  }

  field(name: string): MergeField | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const read = this.#read(name);
    // Names that are no fields are anything a user writes: they are not kept.
    if (read !== undefined) this.#fields.set(name, read);
    return read;
  }
}

/** A list whose item type is resolved on first use. */
export class LazyList {
  readonly associative: boolean;
  readonly keys: readonly string[];
  readonly #read: () => MergeType;
  #items: MergeType | undefined;

  constructor(associative: boolean, keys: readonly string[], read: () => MergeType) {
    this.associative = associative;
    this.keys = keys;
    this.#read = read;
  }

  get items(): MergeType {
    this.#items ??= this.#read();
    return this.#items;
  }
}
