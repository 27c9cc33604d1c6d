// kill -9 for the embedded store: a writer is killed at random moments, again and again on the same directory. After every kill the store
// must hold each acknowledged transaction completely, at its acknowledged revision, and nothing else.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Changes, Store } from "@celadon/storage";
import { checkLmdb, openLmdb } from "@celadon/storage/lmdb";
import { startChild } from "@celadon/storage/testing";
import { type CampaignOptions, Findings, pause, type WriteReport } from "../campaign.ts";
import { type Random, seeded } from "../random.ts";
import { idOf, type JournalChange, type JournalLine, readJournal, writtenValue } from "./journal.ts";

export interface KillOptions extends CampaignOptions {
  /** The JavaScript file of the writer. */
  readonly writer: string;
  readonly times: number;
  /** Stop earlier after so many seconds. */
  readonly seconds?: number;
}

export interface KillReport extends WriteReport {
  readonly kills: number;
  readonly killsBeforeOpen: number;
  readonly killsWhileCompacting: number;
  readonly revision: number;
}

/** The longest time from opening the store to kill. */
const LIFE_MS = 120;
/** One in this many is killed before it has opened the store. */
const EARLY = 10;

export async function killCampaign(options: KillOptions): Promise<KillReport> {
  const directory = mkdtempSync(join(tmpdir(), "celadon-kill-"));
  const campaign = new Campaign(directory, seeded(options.seed));
  const end = Date.now() + (options.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  try {
    for (let round = 0; round < options.times && Date.now() < end && campaign.isSound; round++) {
      if (options.signal?.aborted) break;
      await campaign.round(options.writer, round);
      if (round % 50 === 49) options.progress?.(`${round + 1} kills`);
    }
    return campaign.report();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

class Campaign {
  readonly #directory: string;
  readonly #random: Random;
  /** The content that the store must have, up to `#verified`. */
  readonly #model = new Map<string, { value: string; revision: number }>();
  #verified = 1;
  #kills = 0;
  #early = 0;
  #compacting = 0;
  readonly #findings = new Findings();

  constructor(directory: string, random: Random) {
    this.#directory = directory;
    this.#random = random;
    mkdirSync(join(directory, "store"));
  }

  get isSound(): boolean {
    return this.#findings.isSound;
  }

  async round(writer: string, round: number): Promise<void> {
    const journal = join(this.#directory, `journal-${round}`);
    const compact = round % 3 === 2 ? this.#verified : 0;
    const early = this.#random(EARLY) === 0;
    await this.#run(writer, [join(this.#directory, "store"), journal, String(round), String(compact)], early);
    this.#kills += 1;
    if (early) this.#early += 1;
    if (compact > 0) this.#compacting += 1;
    await this.#verify(readLines(journal), round);
    rmSync(journal, { force: true });
  }

  report(): KillReport {
    return {
      kills: this.#kills,
      killsBeforeOpen: this.#early,
      killsWhileCompacting: this.#compacting,
      ...this.#findings.writes,
      revision: this.#verified,
      problems: this.#findings.problems,
    };
  }

  /** Runs the writer and kills it, at a random moment after it opened or before. */
  async #run(writer: string, args: string[], early: boolean): Promise<void> {
    const child = startChild(process.execPath, [writer, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    if (!early) await Promise.race([new Promise((resolve) => child.stdout!.once("data", resolve)), exited]);
    await pause(this.#random(early ? LIFE_MS * 3 : LIFE_MS));
    child.kill("SIGKILL");
    const code = await exited;
    if (code !== null) this.#findings.problem(`the writer ended by itself with ${code}`);
  }

  async #verify(lines: readonly JournalLine[], round: number): Promise<void> {
    const begun = new Map<string, readonly JournalChange[]>();
    const ended = new Map<string, { written: boolean; revision: number }>();
    for (const line of lines) {
      if (line.say === "begin") begun.set(line.id, line.changes);
      else if (line.say === "end") ended.set(line.id, line);
    }
    const store = await openLmdb(join(this.#directory, "store"));
    for (const batch of await historyOf(store, this.#verified)) this.#apply(batch, begun, ended);
    for (const [id, { written, revision }] of ended) {
      if (!written) continue;
      this.#findings.lose(`transaction ${id} was acknowledged at revision ${revision} and is not there`);
    }
    this.#findings.unacknowledgedAbsent += [...begun.keys()].filter((id) => !ended.has(id)).length;
    await this.#compare(store);
    await store.close();
    if (round % 10 === 9) {
      const { problems } = await checkLmdb(join(this.#directory, "store"));
      this.#findings.problem(...problems);
    }
  }

  /** Applies a transaction of the history to the model; it must be complete and have been started by the writer. */
  #apply(
    { revision, changes }: Changes,
    begun: Map<string, readonly JournalChange[]>,
    ended: Map<string, { written: boolean; revision: number }>,
  ): void {
    const mark = changes.find(({ key }) => key.startsWith("/mark/"));
    const id = mark?.type === "put" ? idOf(textOf(mark.entry.value)) : "none";
    const wanted = (begun.get(id) ?? []).filter(({ key, padding }) => padding !== undefined || this.#model.has(key));
    const found = changes.map((change) => `${change.key}=${change.type === "put" ? textOf(change.entry.value) : "-"}`);
    const expected = wanted.map(
      ({ key, padding }) => `${key}=${padding === undefined ? "-" : writtenValue(id, padding)}`,
    );
    if (found.join() !== expected.join())
      this.#findings.problem(`revision ${revision} is not transaction ${id} as begun`);
    const end = ended.get(id);
    if (end === undefined) this.#findings.unacknowledgedFound += 1;
    else if (!end.written || end.revision !== revision) this.#findings.problem(`transaction ${id} is at ${revision}`);
    else this.#findings.acknowledged += 1;
    begun.delete(id);
    ended.delete(id);
    for (const change of changes) {
      if (change.type === "put") this.#model.set(change.key, { value: textOf(change.entry.value), revision });
      else this.#model.delete(change.key);
    }
    this.#verified = revision;
  }

  /** The store's state equals the model. */
  async #compare(store: Store): Promise<void> {
    const { entries, revision } = await store.list("");
    const { count } = await store.count("");
    const same =
      revision === this.#verified &&
      entries.length === this.#model.size &&
      count === entries.length &&
      entries.every(({ key, value, modRevision }) => {
        const kept = this.#model.get(key);
        return kept?.revision === modRevision && kept.value === textOf(value);
      });
    if (!same) this.#findings.problem(`at revision ${revision} the store is not what its history says`);
  }
}

function readLines(path: string): JournalLine[] {
  try {
    return readJournal(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

async function historyOf(store: Store, after: number): Promise<Changes[]> {
  const head = await store.revision();
  const batches: Changes[] = [];
  if (head === after) return batches;
  const watch = store.watch("", { from: after + 1 });
  for await (const notice of watch) {
    if (notice.type === "changes") batches.push(notice);
    if (notice.revision >= head) break;
  }
  return batches;
}

function textOf(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8");
}
