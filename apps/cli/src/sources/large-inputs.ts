// V8 lets the heap of a program that allocates quickly grow to several times what is in use. For inputs of hundreds of megabytes that is
// too much: from a size on, the heap grows in smaller steps. Small inputs keep the fewer collections.

import { growHeapSlowly } from "../program/v8.ts";

/** Characters. */
const LARGE = 32_000_000;

export class InputSize {
  #characters = 0;

  add(characters: number): void {
    const before = this.#characters;
    this.#characters += characters;
    if (before < LARGE && this.#characters >= LARGE) growHeapSlowly();
  }
}
