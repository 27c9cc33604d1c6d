// The settings of V8 for large inputs. From some size of the inputs on, functions are optimised sooner; from a larger one on, the heap
// grows in smaller steps: V8 lets the heap of a program that allocates quickly grow to several times the used size. Smaller inputs keep the
// fewer collections. Why: docs/decisions/0021-optimise-later.md.

import { growHeapSlowly, optimiseSooner } from "../program/v8.ts";

/** Characters: some thousand objects. */
const LONG = 8_000_000;
const LARGE = 64_000_000;

export class InputSize {
  #characters = 0;

  add(characters: number): void {
    const before = this.#characters;
    this.#characters += characters;
    const passes = (size: number): boolean => before < size && this.#characters >= size;
    if (passes(LONG)) optimiseSooner();
    if (passes(LARGE)) growHeapSlowly();
  }
}
