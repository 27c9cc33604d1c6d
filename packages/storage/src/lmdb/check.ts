// Checks a store for damage: every page and every record is read, every pointer followed, every count computed again.

import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { RootDatabase } from "lmdb";
import { StoreError } from "../error.ts";
import type { Revision } from "../store.ts";
import { decodeCount, decodeDirectory, directoriesOf } from "./counts.ts";
import { dataFile, openRoot, openTables, type Tables } from "./environment.ts";
import { decodeDue, encodeDue } from "./expiry.ts";
import { openFailure } from "./failure.ts";
import { decodeFormat, decodeState, FORMAT, FORMAT_KEY, STATE_KEY, type State } from "./format.ts";
import { type MetaPage, readDataFile } from "./meta-page.ts";
import { absentError, otherFormat, otherLmdb, truncationOf } from "./open.ts";
import { walkPages } from "./pages.ts";
import { whilePresent } from "./presence.ts";
import {
  decodeKey,
  decodePlace,
  decodePointer,
  decodeVersion,
  encodeKey,
  encodePlace,
  isIntact,
  type Pointer,
  type VersionPlace,
} from "./record.ts";

/** The result of checking a store. */
export interface CheckReport {
  readonly revision: Revision;
  readonly compactedRevision: Revision;
  /** Live keys. */
  readonly keys: number;
  /** Versions kept, the live ones included. */
  readonly versions: number;
  readonly fileBytes: number;
  /** Bytes of the file that hold data; the rest is free for new data, and a copy leaves it out. */
  readonly usedBytes: number;
  /** The problems; empty when the store is sound. */
  readonly problems: readonly string[];
}

/** A repeated problem is reported only a few times. */
const MOST_PROBLEMS = 100;

/** Checks a directory or a backup file. It may be open elsewhere: the last commit is checked. */
export async function checkLmdb(path: string, options: { readonly file?: boolean } = {}): Promise<CheckReport> {
  if (!options.file) return whilePresent(path, () => checkFile(path, dataFile(path), false));
  // LMDB puts a lock beside a file; it is put into a temporary directory, because the directory of the file may be read-only.
  const folder = mkdtempSync(join(tmpdir(), "celadon-check-"));
  try {
    const link = join(folder, "backup");
    symlinkSync(resolve(path), link);
    return await checkFile(link, path, true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `data` is the file as users know it. */
async function checkFile(path: string, data: string, isFile: boolean): Promise<CheckReport> {
  let root: RootDatabase<Uint8Array, Uint8Array> | undefined;
  try {
    const before = readDataFile(data);
    if (before.kind === "empty") throw absentError(data);
    if (before.kind === "foreign") throw new StoreError("foreign", `${data} is not a store`);
    if (before.kind === "version") throw otherLmdb(data);
    const missing = truncationOf(data);
    if (missing !== undefined) return broken(before.bytes, `the file is truncated: ${missing}`);
    root = openRoot(path, { readOnly: true, file: isFile });
    const { meta, bytes, transaction } = holdSnapshot(root, data);
    try {
      const pages = walkPages(data, meta, bytes);
      const found = { fileBytes: bytes, usedBytes: pages.used * meta.pageSize };
      if (pages.problems.length > 0) return { ...broken(bytes, ...pages.problems), ...found };
      const tables = openTables(root);
      if (tables === undefined) throw new StoreError("foreign", `${data} is another program's LMDB database`);
      return { ...new Check(tables, data).run(), ...found };
    } catch (error) {
      if (error instanceof RangeError) return broken(bytes, "a record is too short");
      throw error;
    } finally {
      transaction.done();
    }
  } catch (error) {
    throw openFailure(error, data);
  } finally {
    await root?.close();
  }
}

function broken(fileBytes: number, ...problems: string[]): CheckReport {
  return { revision: 0, compactedRevision: 0, keys: 0, versions: 0, fileBytes, usedBytes: 0, problems };
}

/** Keeps LMDB from using pages again, and finds the head of the file that belongs to the kept snapshot. */
function holdSnapshot(root: RootDatabase<Uint8Array, Uint8Array>, data: string) {
  for (;;) {
    const before = readDataFile(data);
    root.resetReadTxn();
    const transaction = root.useReadTransaction();
    const after = readDataFile(data);
    if (before.kind === "data" && after.kind === "data" && sameTransaction(before.meta, after.meta)) {
      return { meta: after.meta, bytes: after.bytes, transaction };
    }
    transaction.done();
  }
}

function sameTransaction(a: MetaPage, b: MetaPage): boolean {
  return a.transaction === b.transaction;
}

class Check {
  readonly #tables: Tables;
  readonly #path: string;
  readonly #problems: string[] = [];
  #more = 0;

  constructor(tables: Tables, path: string) {
    this.#tables = tables;
    this.#path = path;
  }

  run(): Omit<CheckReport, "fileBytes" | "usedBytes"> {
    const state = this.#state();
    const versions = this.#log(state);
    const keys = this.#live(state);
    this.#expiry();
    if (this.#more > 0) this.#problems.push(`${this.#more} more problems`);
    return {
      revision: state.head,
      compactedRevision: state.compacted,
      keys,
      versions,
      problems: this.#problems,
    };
  }

  #state(): State {
    const format = this.#tables.meta.getBinary(FORMAT_KEY);
    const known = format === undefined ? undefined : decodeFormat(format);
    if (known === undefined) throw new StoreError("foreign", `${this.#path} is another program's LMDB database`);
    if (known !== FORMAT) throw otherFormat(this.#path, known);
    const state = decodeState(this.#tables.meta.getBinary(STATE_KEY)!);
    if (state.compacted > state.head || state.scrubbed > state.compacted) {
      this.#say(`revision ${state.head} is before compacted revision ${state.compacted}`);
    }
    return state;
  }

  /** Every version is intact, and the version it supersedes exists unless a compaction removed it. */
  #log(state: State): number {
    let versions = 0;
    for (const { key, value } of this.#tables.log.getRange({})) {
      versions += 1;
      const place = decodePlace(key);
      const name = `version ${place.revision}.${place.order}`;
      if (!isIntact(value)) {
        this.#say(`${name} is damaged`);
        continue;
      }
      if (place.revision > state.head) this.#say(`${name} is after the last revision ${state.head}`);
      const { previous, key: of } = decodeVersion(value);
      if (previous !== undefined && place.revision > state.compacted && previous.revision > state.compacted) {
        const before = this.#version(previous);
        if (before === undefined) this.#say(`${name} follows ${previous.revision}.${previous.order}, which is missing`);
        else if (decodeVersion(before).key !== of) this.#say(`${name} follows a version of another key`);
      }
      if (place.revision <= state.scrubbed && !this.#isCurrentAt(of, place, state.scrubbed)) {
        this.#say(`${name} was compacted but still exists`);
      }
    }
    return versions;
  }

  /** True when the version is the key's last one up to a revision. */
  #isCurrentAt(key: string, wanted: VersionPlace, revision: Revision): boolean {
    const bytes = this.#tables.live.getBinary(encodeKey(key));
    let place: VersionPlace | undefined = bytes === undefined ? undefined : decodePointer(bytes);
    while (place !== undefined && place.revision > revision) {
      const version = this.#version(place);
      place = version === undefined ? undefined : decodeVersion(version).previous;
    }
    return place?.revision === wanted.revision && place.order === wanted.order;
  }

  /** Every pointer leads to its key's version; counts are those of the live keys. */
  #live(state: State): number {
    const counts = new Map<string, number>();
    let keys = 0;
    for (const { key: bytes, value } of this.#tables.live.getRange({})) {
      const key = decodeKey(bytes);
      const pointer = decodePointer(value);
      this.#pointer(key, pointer, state);
      if (!pointer.live) continue;
      keys += 1;
      for (const directory of directoriesOf(key)) counts.set(directory, (counts.get(directory) ?? 0) + 1);
    }
    for (const { key, value } of this.#tables.counts.getRange({})) {
      const directory = decodeDirectory(key);
      const counted = counts.get(directory) ?? 0;
      counts.delete(directory);
      if (counted !== decodeCount(value)) {
        this.#say(`"${directory}" has ${counted} keys, but ${decodeCount(value)} are on record`);
      }
    }
    for (const [directory, counted] of counts) this.#say(`"${directory}" has ${counted} keys, but none are on record`);
    return keys;
  }

  #pointer(key: string, pointer: Pointer, state: State): void {
    const bytes = this.#version(pointer);
    if (bytes === undefined) {
      if (pointer.live || pointer.revision > state.scrubbed) this.#say(`the value of "${key}" is missing`);
      return;
    }
    if (!isIntact(bytes)) return;
    const version = decodeVersion(bytes);
    const agrees =
      version.key === key &&
      (version.value !== undefined) === pointer.live &&
      version.createRevision === pointer.createRevision &&
      version.version === pointer.version &&
      version.expires === pointer.expires;
    if (!agrees) this.#say(`"${key}" points to a version of another key`);
    if (
      pointer.expires > 0 &&
      this.#tables.expiry.getBinary(encodeDue(pointer.expires, encodeKey(key))) === undefined
    ) {
      this.#say(`"${key}" would never expire`);
    }
  }

  #expiry(): void {
    for (const bytes of this.#tables.expiry.getKeys({})) {
      const { second, key } = decodeDue(bytes);
      const pointer = this.#tables.live.getBinary(encodeKey(key));
      if (pointer === undefined || decodePointer(pointer).expires !== second) {
        this.#say(`"${key}" is due to expire without a TTL`);
      }
    }
  }

  #version(place: VersionPlace): Buffer | undefined {
    return this.#tables.log.getBinary(encodePlace(place));
  }

  #say(problem: string): void {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(problem);
    else this.#more += 1;
  }
}
