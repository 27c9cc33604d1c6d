// Variables that comprehensions bring, innermost last. A handful at a time, so a scan beats a map.

import type { Type } from "../value/type.ts";
import type { IdentEntry } from "./lookup.ts";

export class Scopes {
  private readonly entries: IdentEntry[] = [];

  /** A mark to `leave` to. */
  enter(): number {
    return this.entries.length;
  }

  leave(mark: number): void {
    this.entries.length = mark;
  }

  declare(name: string, type: Type): void {
    this.entries.push({ name, type, reference: { kind: "variable", name } });
  }

  find(name: string): IdentEntry | undefined {
    for (let i = this.entries.length - 1; i >= 0; i--) {
      const entry = this.entries[i] as IdentEntry;
      if (entry.name === name) {
        return entry;
      }
    }
    return undefined;
  }
}
