// Transactions and their conditions, limits, TTL, closing.

import { describe, expect, test } from "vitest";
import {
  create,
  MAX_KEY_BYTES,
  MAX_OPERATIONS,
  MAX_TRANSACTION_BYTES,
  remove,
  type StoreOperation,
  update,
} from "../index.ts";
import { type Subject, withStore } from "./subject.testing.ts";
import { bytes, codeOf, del, put, revisionOf, shown, shownChange, take } from "./texts.testing.ts";

export function writeContract(subject: Subject): void {
  describe("writes", () => {
    test(
      "create, update and remove hold to the revision given",
      withStore(subject, async (store) => {
        const created = revisionOf(await create(store, "/a", bytes("1")));
        const refused = await create(store, "/a", bytes("2"));
        expect(refused).toMatchObject({ written: false, revision: created });
        expect(shown(refused.written ? [] : refused.current)).toEqual(["/a=1"]);

        const updated = revisionOf(await update(store, "/a", bytes("2"), created));
        const stale = await update(store, "/a", bytes("3"), created);
        expect(stale).toMatchObject({ written: false, revision: updated });
        expect(stale.written ? undefined : stale.current[0]?.modRevision).toBe(updated);

        expect(await remove(store, "/a", created)).toMatchObject({ written: false });
        revisionOf(await remove(store, "/a", updated));
        const gone = await update(store, "/a", bytes("4"), updated);
        expect(gone).toMatchObject({ written: false, current: [undefined] });
        expect((await store.get("/a")).entry).toBeUndefined();
      }),
    );

    test(
      "several operations take one revision or none",
      withStore(subject, async (store) => {
        const a = await put(store, "/a", "1");
        const b = await put(store, "/b", "1");
        const written = await store.write([
          { op: "put", key: "/a", value: bytes("2"), ifRevision: a },
          { op: "delete", key: "/b", ifRevision: b },
          { op: "check", key: "/c", ifRevision: 0 },
          { op: "put", key: "/d", value: bytes("2") },
        ]);
        expect(revisionOf(written)).toBe(b + 1);
        expect(shown((await store.list("/")).entries)).toEqual(["/a=2", "/d=2"]);

        const refused = await store.write([
          { op: "put", key: "/a", value: bytes("3") },
          { op: "check", key: "/d", ifRevision: a },
          { op: "delete", key: "/b" },
        ]);
        expect(refused).toMatchObject({ written: false, revision: b + 1 });
        expect(shown(refused.written ? [] : refused.current)).toEqual(["/a=2", "/d=2", "-"]);
        expect(shown((await store.list("/")).entries)).toEqual(["/a=2", "/d=2"]);
      }),
    );

    test(
      "what changes nothing takes no revision",
      withStore(subject, async (store) => {
        const revision = await put(store, "/a", "1");
        expect(await store.write([{ op: "delete", key: "/none" }])).toEqual({ written: true, revision });
        expect(await store.write([{ op: "check", key: "/a", ifRevision: revision }])).toEqual({
          written: true,
          revision,
        });
        expect(await store.revision()).toBe(revision);
        expect(await put(store, "/a", "1")).toBe(revision + 1);
      }),
    );

    test(
      "of writers at once on one key, each sees the one before",
      withStore(subject, async (store) => {
        const start = await put(store, "/n", "0");
        const add = async (): Promise<void> => {
          for (;;) {
            const { entry } = await store.get("/n");
            const next = Number(Buffer.from(entry!.value).toString()) + 1;
            if ((await update(store, "/n", bytes(String(next)), entry!.modRevision)).written) return;
          }
        };
        await Promise.all(Array.from({ length: 20 }, add));
        expect(shown([(await store.get("/n")).entry])).toEqual(["/n=20"]);
        expect(await store.revision()).toBe(start + 20);
      }),
    );

    test(
      "of many creators of one key, one succeeds",
      withStore(subject, async (store) => {
        const all = await Promise.all(Array.from({ length: 50 }, (_, i) => create(store, "/one", bytes(String(i)))));
        const winners = all.flatMap((written, i) => (written.written ? [String(i)] : []));
        expect(winners).toHaveLength(1);
        expect(shown([(await store.get("/one")).entry])).toEqual([`/one=${winners[0]}`]);
        for (const written of all) {
          if (!written.written) expect(shown(written.current)).toEqual([`/one=${winners[0]}`]);
        }
      }),
    );

    test(
      "what a transaction may not be",
      withStore(subject, async (store) => {
        const op = (key: string): StoreOperation => ({ op: "put", key, value: bytes("x") });
        const cases: [string, StoreOperation[]][] = [
          ["invalid", []],
          ["invalid", [op("")]],
          ["invalid", [op("a/b")]],
          ["invalid", [op("/a\ud800")]],
          ["invalid", [op("/a"), { op: "delete", key: "/a" }]],
          ["invalid", [{ op: "check", key: "/a", ifRevision: -1 }]],
          ["invalid", [{ op: "put", key: "/a", value: bytes(""), ttl: 0 }]],
          ["too_large", [op(`/${"k".repeat(MAX_KEY_BYTES)}`)]],
          ["too_large", [{ op: "put", key: "/a", value: new Uint8Array(MAX_TRANSACTION_BYTES) }]],
          ["too_large", Array.from({ length: MAX_OPERATIONS + 1 }, (_, i) => op(`/${i}`))],
        ];
        const revision = await store.revision();
        for (const [code, operations] of cases) expect(await codeOf(store.write(operations))).toBe(code);
        expect(await store.revision()).toBe(revision);
        const most = Array.from({ length: MAX_OPERATIONS }, (_, i) => op(`/${i}`));
        expect(revisionOf(await store.write(most))).toBe(revision + 1);
        revisionOf(await store.write([op(`/${"k".repeat(MAX_KEY_BYTES - 1)}`)]));
      }),
    );

    test(
      "a TTL deletes a key, and a write without one keeps it",
      withStore(subject, async (store) => {
        const watch = store.watch("/", { previous: true });
        await store.write([
          { op: "put", key: "/gone", value: bytes("1"), ttl: 1 },
          { op: "put", key: "/kept", value: bytes("1"), ttl: 1 },
        ]);
        await put(store, "/kept", "2");
        const batches = await take(watch, 3);
        expect(batches.map((batch) => batch.changes.map(shownChange))).toEqual([
          ["/gone=1", "/kept=1"],
          ["/kept=2 was 1"],
          ["/gone deleted was 1"],
        ]);
        watch.close();
        expect(shown((await store.list("/")).entries)).toEqual(["/kept=2"]);
        expect(await store.revision()).toBe(batches[2]!.revision);
      }),
    );

    test("a closed store says so", async () => {
      const store = await subject.open();
      await put(store, "/a", "1");
      const writes = Array.from({ length: 10 }, (_, i) => put(store, `/w${i}`, "1"));
      const watch = store.watch("/");
      const waiting = codeOf(watch.next());
      const [revisions] = await Promise.all([Promise.all(writes), store.close()]);
      expect(new Set(revisions).size).toBe(10);
      await waiting;
      expect(await codeOf(watch.next())).toBe("closed");
      expect(await codeOf(store.get("/a"))).toBe("closed");
      expect(await codeOf(store.list("/"))).toBe("closed");
      expect(await codeOf(store.count("/"))).toBe("closed");
      expect(await codeOf(del(store, "/a"))).toBe("closed");
      expect(await codeOf(store.compact(1))).toBe("closed");
      expect(await codeOf(store.revision())).toBe("closed");
      expect(await codeOf(store.watch("/").next())).toBe("closed");
      await store.close();
    });
  });
}
