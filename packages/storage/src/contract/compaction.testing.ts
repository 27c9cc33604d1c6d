// Compaction: superseded revisions are removed, current ones stay, and reading a removed revision is an error.

import { describe, expect, test } from "vitest";
import { StoreError } from "../index.ts";
import { type Subject, withStore } from "./subject.testing.ts";
import { codeOf, del, put, shown, shownChange, take } from "./texts.testing.ts";

export function compactionContract(subject: Subject): void {
  describe("compaction", () => {
    test(
      "reads before it are compacted, reads from it on are not",
      withStore(subject, async (store) => {
        const first = await put(store, "/a", "1");
        await put(store, "/b", "1");
        await put(store, "/a", "2");
        const deleted = await del(store, "/b");
        await put(store, "/c", "1");
        const last = await put(store, "/a", "3");
        await store.compact(deleted);
        for (const revision of [first, deleted - 1]) {
          expect(await codeOf(store.get("/a", { revision }))).toBe("compacted");
          expect(await codeOf(store.list("/", { revision }))).toBe("compacted");
          expect(await codeOf(store.count("/", { revision }))).toBe("compacted");
        }
        expect(shown((await store.list("/", { revision: deleted })).entries)).toEqual(["/a=2"]);
        expect(shown((await store.list("/", { revision: deleted + 1 })).entries)).toEqual(["/a=2", "/c=1"]);
        expect(shown((await store.list("/")).entries)).toEqual(["/a=3", "/c=1"]);
        expect(await store.revision()).toBe(last);
        expect((await store.get("/a")).entry).toMatchObject({ createRevision: first, version: 3 });
      }),
    );

    test(
      "watches of what is gone end with compacted, others go on",
      withStore(subject, async (store) => {
        const first = await put(store, "/a", "1");
        const second = await put(store, "/a", "2");
        const watching = store.watch("/", { from: second + 1 });
        const third = await put(store, "/a", "3");
        await store.compact(third);
        expect((await take(watching, 1))[0]!.revision).toBe(third);
        const late = store.watch("/", { from: first });
        const failure = await late.next().catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(StoreError);
        expect(failure).toMatchObject({ code: "compacted", compactRevision: third });
        const next = store.watch("/", { from: third + 1 });
        await put(store, "/a", "4");
        expect((await take(next, 1))[0]!.changes.map(shownChange)[0]).toContain("/a=4");
        expect((await take(watching, 1))[0]!.revision).toBe(third + 1);
        watching.close();
        next.close();
      }),
    );

    test(
      "again, further, to the last revision, and beyond",
      withStore(subject, async (store) => {
        for (let i = 0; i < 10; i++) await put(store, `/${i % 3}`, String(i));
        const revision = await del(store, "/0");
        await store.compact(revision - 5);
        await store.compact(revision - 5);
        await store.compact(revision - 7);
        await store.compact(revision);
        expect(shown((await store.list("/", { revision })).entries)).toEqual(["/1=7", "/2=8"]);
        expect((await store.count("/")).count).toBe(2);
        expect(await codeOf(store.compact(revision + 1))).toBe("future_revision");
        expect(await codeOf(store.compact(-1))).toBe("invalid");
        expect(await put(store, "/0", "again")).toBe(revision + 1);
        expect((await store.get("/0")).entry).toMatchObject({ createRevision: revision + 1, version: 1 });
        expect((await store.get("/0", { revision })).entry).toBeUndefined();
      }),
    );
  });
}
