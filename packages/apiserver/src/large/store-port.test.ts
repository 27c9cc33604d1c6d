// A store at the other end of a port answers as the store itself does.

import { MessageChannel } from "node:worker_threads";
import { isStoreError, type Store } from "@celadon/storage";
import { openMemory } from "@celadon/storage/memory";
import { expect, onTestFinished, test } from "vitest";
import { PortStore, serveStore } from "./store-port.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const put = (key: string, value: string, ifRevision?: number) =>
  ({ op: "put", key, value: bytes(value), ...(ifRevision !== undefined && { ifRevision }) }) as const;

async function stores(): Promise<{ near: Store; far: PortStore }> {
  const near = await openMemory();
  const { port1, port2 } = new MessageChannel();
  serveStore(near, port1);
  const far = new PortStore(port2);
  onTestFinished(async () => {
    await far.close();
    await near.close();
  });
  return { near, far };
}

test("reads and writes", async () => {
  const { near, far } = await stores();
  const written = await far.write([put("/a", "1")]);
  expect(written).toEqual({ written: true, revision: await near.revision() });
  expect(await far.get("/a")).toEqual(await near.get("/a"));
  expect(await far.count("/")).toEqual(await near.count("/"));
  expect(await far.revision()).toBe(await near.revision());
  expect(await far.write([put("/a", "2", 0)])).toEqual(await near.write([put("/a", "2", 0)]));
});

test("a long list comes in pages of one revision", async () => {
  const { near, far } = await stores();
  for (let i = 0; i < 1_201; i++) await near.write([put(`/a/${String(i).padStart(5, "0")}`, "x")]);
  expect(await far.list("/a/")).toEqual(await near.list("/a/"));
  expect(await far.list("/a/", { limit: 700 })).toEqual(await near.list("/a/", { limit: 700 }));
  expect((await far.list("/b/")).entries).toEqual([]);
});

test("a watch sees every change once, in order, and ends", async () => {
  const { near, far } = await stores();
  const watch = far.watch("/a/");
  const seen: number[] = [];
  const read = (async () => {
    for await (const notice of watch) {
      seen.push(notice.revision);
      if (seen.length === 3) break;
    }
  })();
  const revisions: number[] = [];
  // The watch is open once the next question is answered.
  await far.revision();
  for (const value of ["1", "2", "3"]) revisions.push((await near.write([put("/a/x", value)])).revision);
  await read;
  expect(seen).toEqual(revisions);
});

test("errors keep their code", async () => {
  const { near, far } = await stores();
  for (const value of ["1", "2", "3"]) await near.write([put("/a", value)]);
  await near.compact((await near.revision()) - 1);
  const failed = await far.get("/a", { revision: 1 }).catch((error: unknown) => error);
  expect(isStoreError(failed, "compacted")).toBe(true);
  await far.close();
  expect(isStoreError(await far.revision().catch((error: unknown) => error), "closed")).toBe(true);
});
