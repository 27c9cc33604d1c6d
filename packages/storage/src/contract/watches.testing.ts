// Watches: every change once and in order, from any revision that is left, for fast and slow readers.

import { describe, expect, test } from "vitest";
import type { Notice } from "../index.ts";
import { type Subject, withStore } from "./subject.testing.ts";
import { bytes, codeOf, del, nextNotice, put, shownChange, take } from "./texts.testing.ts";

export function watchContract(subject: Subject): void {
  describe("watches", () => {
    test(
      "a watch delivers what is written after it, of its prefix, by transaction",
      withStore(subject, async (store) => {
        await put(store, "/p/a", "0");
        const from = (await store.revision()) + 1;
        const watch = store.watch("/p/", { from, previous: true });
        await put(store, "/q/a", "1");
        await put(store, "/p/a", "1");
        await store.write([
          { op: "put", key: "/p/b", value: bytes("2") },
          { op: "put", key: "/q/b", value: bytes("2") },
          { op: "delete", key: "/p/a" },
        ]);
        await del(store, "/q/a");
        await put(store, "/p/b", "3");
        const batches = await take(watch, 3);
        expect(batches.map((batch) => [batch.revision - from, batch.changes.map(shownChange)])).toEqual([
          [1, ["/p/a=1 was 0"]],
          [2, ["/p/b=2", "/p/a deleted was 1"]],
          [4, ["/p/b=3 was 2"]],
        ]);
        const change = batches[2]!.changes[0]!;
        expect(change.type === "put" && change.entry).toMatchObject({
          createRevision: from + 2,
          modRevision: from + 4,
          version: 2,
        });
        watch.close();
        expect(await watch.next()).toEqual({ done: true, value: undefined });
      }),
    );

    test(
      "a watch from the past delivers history, then what comes",
      withStore(subject, async (store) => {
        const first = await put(store, "/a", "1");
        await put(store, "/b", "2");
        await del(store, "/a");
        const watch = store.watch("/", { from: first, previous: true });
        const old = await take(watch, 3);
        await put(store, "/a", "3");
        const batches = [...old, ...(await take(watch, 1))];
        expect(batches.flatMap((batch) => batch.changes.map(shownChange))).toEqual([
          "/a=1",
          "/b=2",
          "/a deleted was 1",
          "/a=3",
        ]);
        expect(batches.map((batch) => batch.revision)).toEqual([first, first + 1, first + 2, first + 3]);
        watch.close();
      }),
    );

    test(
      "a watch from a revision that is yet to come waits for it",
      withStore(subject, async (store) => {
        const revision = await store.revision();
        const watch = store.watch("/", { from: revision + 3 });
        for (const value of ["1", "2", "3", "4"]) await put(store, "/a", value);
        const batches = await take(watch, 2);
        expect(batches.map((batch) => batch.revision)).toEqual([revision + 3, revision + 4]);
        watch.close();
      }),
    );

    test(
      "waiting ends when the watch is closed",
      withStore(subject, async (store) => {
        const watch = store.watch("/");
        const waiting = [watch.next(), watch.next()];
        watch.close();
        expect(await Promise.all(waiting)).toEqual([
          { done: true, value: undefined },
          { done: true, value: undefined },
        ]);
        const seen: Notice[] = [];
        const other = store.watch("/", { from: await put(store, "/a", "1") });
        for await (const notice of other) {
          seen.push(notice);
          break;
        }
        expect(seen).toHaveLength(1);
        expect((await other.next()).done).toBe(true);
      }),
    );

    test(
      "progress says up to where everything was delivered",
      withStore(subject, async (store) => {
        const from = (await store.revision()) + 1;
        const watch = store.watch("/p/", { from, progress: true });
        const silent = store.watch("/p/", { from });
        await put(store, "/p/a", "1");
        const revision = await put(store, "/q/a", "1");
        await store.requestProgress();
        const seen: Notice[] = [];
        while (seen.at(-1)?.type !== "progress") seen.push(await nextNotice(watch));
        expect(seen.map((notice) => notice.type)).toEqual(["changes", "progress"]);
        expect(seen[1]!.revision).toBeGreaterThanOrEqual(revision);
        expect((await take(silent, 1))[0]!.revision).toBe(from);
        await put(store, "/p/b", "1");
        expect((await nextNotice(silent)).type).toBe("changes");
        watch.close();
        silent.close();
      }),
    );

    test(
      "many watchers and a slow one, each every change once and in order",
      withStore(subject, async (store) => {
        const from = (await store.revision()) + 1;
        const writes = 300;
        const prefixes = ["/", "/p/", "/p/1", "/q/"];
        const watches = Array.from({ length: 40 }, (_, i) => store.watch(prefixes[i % prefixes.length]!, { from }));
        const wanted = new Map<string, number[]>(prefixes.map((prefix) => [prefix, []]));
        const pending: Promise<number>[] = [];
        const keys: string[] = [];
        for (let i = 0; i < writes; i++) {
          keys.push(`/${"pq"[i % 2]}/${i % 7}`);
          pending.push(put(store, keys[i]!, String(i)));
        }
        const revisions = await Promise.all(pending);
        keys.forEach((key, i) => {
          for (const prefix of prefixes) if (key.startsWith(prefix)) wanted.get(prefix)!.push(revisions[i]!);
        });
        for (const [i, watch] of watches.entries()) {
          const expected = wanted.get(prefixes[i % prefixes.length]!)!.sort((a, b) => a - b);
          const batches = await take(watch, expected.length);
          expect(batches.map((batch) => batch.revision)).toEqual(expected);
          watch.close();
        }
      }),
    );

    test(
      "a watch from no revision",
      withStore(subject, async (store) => {
        expect(await codeOf((async () => store.watch("/", { from: 0 }).next())())).toBe("invalid");
      }),
    );
  });
}
