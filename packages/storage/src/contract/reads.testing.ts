// get, list, count: now and in the past.

import { describe, expect, test } from "vitest";
import { type Subject, withStore } from "./subject.testing.ts";
import { bytes, codeOf, del, put, revisionOf, shown, text } from "./texts.testing.ts";

export function readContract(subject: Subject): void {
  describe("reads", () => {
    test(
      "an absent key has no entry, an empty store a revision",
      withStore(subject, async (store) => {
        const revision = await store.revision();
        expect(revision).toBeGreaterThan(0);
        expect(await store.get("/a")).toEqual({ revision, entry: undefined });
        expect(await store.list("/")).toEqual({ revision, entries: [], more: false });
        expect(await store.count("/")).toEqual({ revision, count: 0 });
      }),
    );

    test(
      "an entry carries its revisions and version",
      withStore(subject, async (store) => {
        const first = await put(store, "/a", "1");
        const second = await put(store, "/a", "2");
        const { entry, revision } = await store.get("/a");
        expect(revision).toBe(second);
        expect(second).toBe(first + 1);
        expect({ ...entry, value: text(entry!.value) }).toEqual({
          key: "/a",
          value: "2",
          createRevision: first,
          modRevision: second,
          version: 2,
        });
        await del(store, "/a");
        const third = await put(store, "/a", "3");
        expect((await store.get("/a")).entry).toMatchObject({ createRevision: third, modRevision: third, version: 1 });
      }),
    );

    test(
      "values are bytes: empty ones, all of them, large ones",
      withStore(subject, async (store) => {
        const all = Uint8Array.from({ length: 256 }, (_, i) => i);
        const large = new Uint8Array(1_000_000).fill(7);
        for (const value of [new Uint8Array(), all, large]) {
          await store.write([{ op: "put", key: "/v", value }]);
          const read = (await store.get("/v")).entry!.value;
          expect(read.byteLength).toBe(value.byteLength);
          expect(Buffer.compare(read, value)).toBe(0);
        }
      }),
    );

    test(
      "lists are ordered by the bytes of keys and hold only the prefix",
      withStore(subject, async (store) => {
        // U+FFFD sorts before U+1F600 in UTF-8 and behind it in UTF-16.
        const keys = [
          "/p/\u{1f600}",
          "/p/\ufffd",
          "/p/b",
          "/p/a/x",
          "/p/a",
          "/p",
          "/p0",
          "/q/a",
          "/p/é",
          "/p/a\u0000",
          "/o",
        ];
        for (const key of keys) await put(store, key, "v");
        const listed = (await store.list("/p/")).entries.map((entry) => entry.key);
        expect(listed).toEqual(["/p/a", "/p/a\u0000", "/p/a/x", "/p/b", "/p/é", "/p/\ufffd", "/p/\u{1f600}"]);
        expect((await store.list("/p")).entries).toHaveLength(9);
        expect((await store.count("/p/")).count).toBe(7);
        expect((await store.list("")).entries).toHaveLength(keys.length);
        expect((await store.count("")).count).toBe(keys.length);
        expect((await store.list("/p/", { after: "/p/b" })).entries).toHaveLength(3);
      }),
    );

    test(
      "a prefix of the highest bytes",
      withStore(subject, async (store) => {
        await put(store, "/\u{10ffff}\u{10ffff}", "v");
        await put(store, "/\u{10ffff}", "v");
        expect((await store.list("/\u{10ffff}")).entries).toHaveLength(2);
        expect((await store.count("/\u{10ffff}\u{10ffff}")).count).toBe(1);
      }),
    );

    test(
      "pages at one revision fit together, whatever is written in between",
      withStore(subject, async (store) => {
        const keys = Array.from({ length: 25 }, (_, i) => `/p/${String(i).padStart(3, "0")}`);
        for (const key of keys) await put(store, key, "old");
        const revision = await store.revision();
        const seen: string[] = [];
        const remaining: (number | undefined)[] = [];
        let after: string | undefined;
        for (let page = 0; ; page++) {
          const read = await store.list("/p/", { revision, limit: 10, remaining: true, ...(after ? { after } : {}) });
          expect(read.revision).toBe(revision);
          seen.push(...shown(read.entries));
          remaining.push(read.remaining);
          after = read.entries.at(-1)!.key;
          await put(store, `/p/00${page}x`, "new");
          await del(store, keys[12 + page]!);
          await put(store, keys[20 + page]!, "changed");
          if (!read.more) break;
        }
        expect(seen).toEqual(keys.map((key) => `${key}=old`));
        expect(remaining).toEqual([15, 5, 0]);
        const now = await store.list("/p/", { limit: 1000, remaining: true });
        expect(now).toMatchObject({ more: false, remaining: 0 });
        expect(now.entries).toHaveLength(25);
        expect((await store.count("/p/", { revision })).count).toBe(25);
      }),
    );

    test(
      "reads of the past",
      withStore(subject, async (store) => {
        const start = await store.revision();
        const created = await put(store, "/a", "1");
        const changed = await put(store, "/a", "2");
        const deleted = await del(store, "/a");
        const again = await put(store, "/a", "3");
        const seen: string[] = [];
        for (let revision = start; revision <= again; revision++) {
          const { entry, revision: at } = await store.get("/a", { revision });
          expect(at).toBe(revision);
          seen.push(...shown([entry]));
          expect(shown((await store.list("/", { revision })).entries)).toEqual(entry ? shown([entry]) : []);
          expect((await store.count("/", { revision })).count).toBe(entry ? 1 : 0);
        }
        expect(seen).toEqual(["-", "/a=1", "/a=2", "-", "/a=3"]);
        expect([created, changed, deleted, again]).toEqual([start + 1, start + 2, start + 3, start + 4]);
        expect((await store.get("/a", { revision: changed })).entry).toMatchObject({
          createRevision: created,
          modRevision: changed,
          version: 2,
        });
      }),
    );

    test(
      "a revision that does not exist yet, and none",
      withStore(subject, async (store) => {
        const revision = revisionOf(await store.write([{ op: "put", key: "/a", value: bytes("1") }]));
        expect(await codeOf(store.get("/a", { revision: revision + 1 }))).toBe("future_revision");
        expect(await codeOf(store.list("/", { revision: revision + 1 }))).toBe("future_revision");
        expect(await codeOf(store.count("/", { revision: revision + 1 }))).toBe("future_revision");
        for (const none of [0, -1, 1.5, Number.NaN]) {
          expect(await codeOf(store.get("/a", { revision: none }))).toBe("invalid");
          expect(await codeOf(store.list("/", { revision: none }))).toBe("invalid");
        }
      }),
    );
  });
}
