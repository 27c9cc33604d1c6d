// The newest answer, in memory that page and worker share. Between a key and the frame that shows it a browser takes no message, but the
// frame can read this: the verdict is drawn together with the letter. Without shared memory, answers come as messages alone.

import type { WorkAnswer } from "./answer.ts";

/** Larger answers are not written; their messages come a little later. */
const CAPACITY = 64_000;

/** Words at the start: the version that is written, 0 while it is being written; how many bytes it has. */
const [VERSION, LENGTH, WORDS] = [0, 1, 2];

export class Slate {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT + CAPACITY)) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer, 0, WORDS);
    this.#bytes = new Uint8Array(buffer, this.#words.byteLength);
  }

  write(version: number, answer: WorkAnswer): void {
    const bytes = new TextEncoder().encode(JSON.stringify(answer));
    if (bytes.length > this.#bytes.length) return;
    Atomics.store(this.#words, VERSION, 0);
    this.#bytes.set(bytes);
    Atomics.store(this.#words, LENGTH, bytes.length);
    Atomics.store(this.#words, VERSION, version);
  }

  /** The answer for a version; undefined until it arrives. */
  read(version: number): WorkAnswer | undefined {
    if (Atomics.load(this.#words, VERSION) !== version) return undefined;
    const bytes = this.#bytes.slice(0, Atomics.load(this.#words, LENGTH));
    // It may have been written over meanwhile.
    if (Atomics.load(this.#words, VERSION) !== version) return undefined;
    return JSON.parse(new TextDecoder().decode(bytes)) as WorkAnswer;
  }
}

/** One to give to a worker, where the page may share memory: it has to be isolated from others, by headers of its server. */
export function sharedSlate(): Slate | undefined {
  return globalThis.crossOriginIsolated ? new Slate() : undefined;
}
