// Requests that are handed to the thread, and those that are not. The thread itself is tested as a process, with the bundled command.

import { openMemory } from "@celadon/storage/memory";
import { expect, test } from "vitest";
import { Feed } from "../store/feed.ts";
import type { Answer, Call } from "../wire/call.ts";
import { requestInfo } from "../wire/request-info.ts";
import { LargeRequests } from "./large-requests.ts";

const PATH = "/api/v1/namespaces/default/configmaps";
const HERE: Answer = { code: 200, type: "text/plain", body: "here" };
const notes = { warn: () => {}, annotate: () => {}, annotatePatch: () => {} };

function callOf(headers: Readonly<Record<string, string>>, bytes: number): Call & { reads: number } {
  return {
    method: "POST",
    path: PATH,
    query: "",
    reads: 0,
    header: (name) => headers[name],
    headerValues: (name) => (headers[name] === undefined ? [] : [headers[name]]),
    headerNames: () => Object.keys(headers),
    body() {
      this.reads += 1;
      return Promise.resolve(new Uint8Array(bytes));
    },
    peer: undefined,
    remoteAddress: "",
    signal: new AbortController().signal,
  };
}

async function answered(headers: Readonly<Record<string, string>>, bytes: number) {
  const store = await openMemory();
  const entry = new URL("data:text/javascript,throw new Error('started')");
  const large = new LargeRequests({
    entry,
    setup: () => ({ options: {}, tokens: {}, tokenKey: "", address: "" }),
    store,
    feed: new Feed(store),
  });
  const call = callOf(headers, bytes);
  const info = requestInfo("POST", PATH, new URLSearchParams());
  const given = large.answer(call, { username: "a" }, info, notes, () => HERE);
  const isAtOnce = given === HERE;
  const answer = await Promise.resolve(given).catch((error: unknown) => error);
  await large.close();
  await store.close();
  return { isHere: answer === HERE, isAtOnce, reads: call.reads };
}

test("a small body of known length costs nothing: it is answered at once, and not read first", async () => {
  expect(await answered({ "content-length": "65535" }, 65_535)).toEqual({ isHere: true, isAtOnce: true, reads: 0 });
  expect(await answered({}, 0)).toEqual({ isHere: true, isAtOnce: true, reads: 0 });
});

test("a large one goes to the thread", async () => {
  expect(await answered({ "content-length": "65536" }, 65_536)).toMatchObject({ isHere: false });
});

test("where the length is not given, the body tells", async () => {
  expect(await answered({ "transfer-encoding": "chunked" }, 65_535)).toEqual({
    isHere: true,
    isAtOnce: false,
    reads: 1,
  });
  expect(await answered({ "transfer-encoding": "chunked" }, 65_536)).toMatchObject({ isHere: false });
});
