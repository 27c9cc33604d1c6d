// Concurrent clients on a few keys. Revisions say in which order the store took everything, so linearizability is checked directly:
// every answer is right for its revision, and what ended before something else began has a revision that is not behind.

import { describe, expect, test } from "vitest";
import type { Entry, Revision, Store } from "../index.ts";
import { type Subject, withStore } from "./subject.testing.ts";
import { bytes, take, text } from "./texts.testing.ts";

interface Done {
  /** A logical clock, counted up at the beginning and the end of every call. */
  readonly began: number;
  readonly ended: number;
  readonly revision: Revision;
  /** A write that succeeded: its changes. */
  readonly wrote?: readonly { key: string; value: string | undefined }[];
  /** The entries that were read, or that prevented a write. */
  readonly saw?: readonly { key: string; entry: Entry | undefined }[];
}

export function linearizableContract(subject: Subject): void {
  describe("concurrent clients", () => {
    test(
      "see one order of everything",
      { timeout: 120_000 },
      withStore(subject, async (store) => {
        const from = (await store.revision()) + 1;
        const done = await run(store, 12, subject.linearizableCalls ?? 150);
        const watch = store.watch("/", { from });
        const writes = done.filter(({ wrote }) => wrote !== undefined).sort((a, b) => a.revision - b.revision);
        const history = await take(watch, writes.length);
        watch.close();

        expect(history.map(({ revision }) => revision)).toEqual(writes.map(({ revision }) => revision));
        expect(history.map(({ changes }) => changes.map(shown))).toEqual(writes.map(({ wrote }) => wrote));
        const states = statesOf(history.map(({ revision, changes }) => ({ revision, changes: changes.map(shown) })));
        for (const { revision, saw } of done) {
          for (const { key, entry } of saw ?? []) {
            const value = entry === undefined ? undefined : text(entry.value);
            expect({ revision, key, value }).toEqual({ revision, key, value: states(revision).get(key) });
          }
        }
        expect(outOfOrder(done)).toEqual([]);
      }),
    );
  });
}

function shown(change: { type: string; key: string; entry?: Entry }): { key: string; value: string | undefined } {
  return { key: change.key, value: change.entry === undefined ? undefined : text(change.entry.value) };
}

/** Clients that read, write, and compare and write, each one call after the other. */
async function run(store: Store, clients: number, calls: number): Promise<Done[]> {
  const done: Done[] = [];
  let clock = 0;
  const client = async (id: number): Promise<void> => {
    const random = generator(id + 1);
    const known = new Map<string, Revision>();
    for (let i = 0; i < calls; i++) {
      const key = `/k/${random(4)}`;
      const value = `${id}.${i}`;
      const began = ++clock;
      const finish = (rest: Omit<Done, "began" | "ended">): void => {
        done.push({ began, ended: ++clock, ...rest });
      };
      const action = random(10);
      if (action < 3) {
        const { revision, entry } = await store.get(key);
        known.set(key, entry?.modRevision ?? 0);
        finish({ revision, saw: [{ key, entry }] });
      } else if (action < 4) {
        const { revision, entries } = await store.list("/k/");
        const saw = ["/k/0", "/k/1", "/k/2", "/k/3"].map((name) => ({
          key: name,
          entry: entries.find((entry) => entry.key === name),
        }));
        finish({ revision, saw });
      } else if (action < 5 && known.has(key)) {
        const written = await store.write([{ op: "delete", key, ifRevision: known.get(key)! }]);
        const deleted = known.get(key) === 0 ? undefined : [{ key, value: undefined }];
        if (!written.written) finish({ revision: written.revision, saw: [{ key, entry: written.current[0] }] });
        else finish({ revision: written.revision, ...(deleted === undefined ? {} : { wrote: deleted }) });
        known.delete(key);
      } else {
        const other = `/k/${(Number(key.at(-1)) + 1) % 4}`;
        const condition = known.has(key) ? { ifRevision: known.get(key)! } : {};
        const both = random(3) === 0;
        const written = await store.write([
          { op: "put", key, value: bytes(value), ...condition },
          ...(both ? [{ op: "put" as const, key: other, value: bytes(value) }] : []),
        ]);
        if (written.written) {
          known.set(key, written.revision);
          finish({ revision: written.revision, wrote: [{ key, value }, ...(both ? [{ key: other, value }] : [])] });
        } else {
          known.set(key, written.current[0]?.modRevision ?? 0);
          finish({ revision: written.revision, saw: [{ key, entry: written.current[0] }] });
        }
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, id) => client(id)));
  return done;
}

/** The values at any revision. */
function statesOf(
  history: readonly { revision: Revision; changes: readonly { key: string; value: string | undefined }[] }[],
) {
  const states = new Map<Revision, Map<string, string>>();
  const state = new Map<string, string>();
  for (const { revision, changes } of history) {
    for (const { key, value } of changes) {
      if (value === undefined) state.delete(key);
      else state.set(key, value);
    }
    states.set(revision, new Map(state));
  }
  return (revision: Revision): Map<string, string> => states.get(revision) ?? new Map<string, string>();
}

/** Calls that began after another had ended, and have a revision before it; writes must be behind. */
function outOfOrder(done: readonly Done[]): string[] {
  const wrong: string[] = [];
  const byBegin = [...done].sort((a, b) => a.began - b.began);
  const byEnd = [...done].sort((a, b) => a.ended - b.ended);
  let latest = 0;
  let next = 0;
  for (const call of byBegin) {
    for (; next < byEnd.length && byEnd[next]!.ended < call.began; next++) {
      latest = Math.max(latest, byEnd[next]!.revision);
    }
    const isBehind = call.wrote === undefined ? call.revision >= latest : call.revision > latest;
    if (!isBehind) wrong.push(`revision ${call.revision} after ${latest}`);
  }
  return wrong;
}

/** The same numbers in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % below;
  };
}
