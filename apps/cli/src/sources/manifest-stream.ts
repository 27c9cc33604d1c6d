// The manifests of the inputs, in order. Manifests of ordinary inputs stay in memory. Beyond a budget, objects that decide nothing do not:
// each is read again from the text when it is its turn.

import type { KubeObject } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import { identityHash, PassedManifests } from "./passed.ts";
import type { ReadPart } from "./read-source.ts";
import type { Part } from "./split.ts";

export interface KeepOptions {
  /** Whether an object need not stay in memory; without it, all do. */
  readonly passes?: (object: KubeObject) => boolean;
  /** The memory for what passes: characters of text, and `EACH` for every object. */
  readonly budget?: number;
}

const BUDGET = 32_000_000;
const EACH = 1024;

/** Manifests one behind the other that are read in the same way, and do not stay in memory. */
interface Run {
  readonly read: ReadPart;
  /** Among all that passed. */
  readonly first: number;
  count: number;
}

type Entry = Manifest | Run;

const isRun = (entry: Entry): entry is Run => "count" in entry;

export class ManifestStream implements Iterable<Manifest> {
  readonly #entries: readonly Entry[];
  readonly #passed: PassedManifests;
  /** The manifests that stay in memory. */
  readonly kept: readonly Manifest[];

  constructor(entries: readonly Entry[], passed: PassedManifests = new PassedManifests()) {
    this.#entries = entries;
    this.#passed = passed;
    this.kept = entries.filter((entry): entry is Manifest => !isRun(entry));
  }

  get length(): number {
    return this.kept.length + this.#passed.length;
  }

  /** All of them. Manifests that are not in memory are read during the iteration. */
  *[Symbol.iterator](): Generator<Manifest> {
    for (const entry of this.#entries) {
      if (isRun(entry)) yield* this.#runWhere(entry, () => true);
      else yield entry;
    }
  }

  /** The same with replacements for those in memory; undefined removes one. */
  withKept(change: (manifest: Manifest) => Manifest | undefined): ManifestStream {
    const entries = this.#entries.flatMap((entry) => (isRun(entry) ? entry : (change(entry) ?? [])));
    return new ManifestStream(entries, this.#passed);
  }

  /** Returns manifests of some kinds (`apps/Deployment`) that are not in memory. */
  *passedOf(kinds: ReadonlySet<string>): Generator<Manifest> {
    const numbers = this.#passed.kindsAmong(kinds);
    if (numbers.size === 0) return;
    for (const entry of this.#entries) {
      if (isRun(entry)) yield* this.#runWhere(entry, (i) => numbers.has(this.#passed.kindAt(i)));
    }
  }

  /** A hash of what identifies each, 0 for those without a name; in no order. */
  identityHashes(): Int32Array {
    const hashes = new Int32Array(this.length);
    for (const [i, { object }] of this.kept.entries()) hashes[i] = identityHash(object);
    for (let i = 0; i < this.#passed.length; i++) hashes[this.kept.length + i] = this.#passed.identityAt(i);
    return hashes;
  }

  /** Returns manifests with one of these hashes, in order. */
  *withHashIn(hashes: ReadonlySet<number>): Generator<Manifest> {
    for (const entry of this.#entries) {
      if (isRun(entry)) yield* this.#runWhere(entry, (i) => hashes.has(this.#passed.identityAt(i)));
      else if (hashes.has(identityHash(entry.object))) yield entry;
    }
  }

  *#runWhere({ read, first, count }: Run, wanted: (index: number) => boolean): Generator<Manifest> {
    for (let i = first; i < first + count; i++) if (wanted(i)) yield this.#passed.at(i, read);
  }
}

/** The position of a stream. */
interface Mark {
  readonly entries: number;
  readonly passed: number;
}

/** A stream while its manifests are read for the first time. */
export class ManifestCollector {
  readonly #passes: (object: KubeObject) => boolean;
  readonly #entries: Entry[] = [];
  readonly #passed = new PassedManifests();
  #left: number;

  constructor({ passes = () => false, budget = BUDGET }: KeepOptions) {
    this.#passes = passes;
    this.#left = budget;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** `nth` of the manifests in the part. */
  add(manifest: Manifest, read: ReadPart, part: Part, nth: number): void {
    if (!this.#passes(manifest.object) || this.#fits(part)) this.#entries.push(manifest);
    else this.#pass(manifest.object, read, part, nth);
  }

  keep(manifest: Manifest): void {
    this.#entries.push(manifest);
  }

  /** When the budget is used up nothing fits any more, however small. */
  #fits({ start, end }: Part): boolean {
    if (this.#left >= 0) this.#left -= end - start + EACH;
    return this.#left >= 0;
  }

  #pass(object: KubeObject, read: ReadPart, part: Part, nth: number): void {
    const last = this.#entries.at(-1);
    if (last !== undefined && isRun(last) && last.read === read) last.count++;
    else this.#entries.push({ read, first: this.#passed.length, count: 1 });
    this.#passed.push(object, part, nth);
  }

  mark(): Mark {
    return { entries: this.#entries.length, passed: this.#passed.length };
  }

  /** Removes later additions. Only a List needs this; it is read differently and so begins a run. */
  reset({ entries, passed }: Mark): void {
    this.#entries.length = entries;
    this.#passed.cut(passed);
  }

  done(): ManifestStream {
    return new ManifestStream(this.#entries, this.#passed);
  }
}
