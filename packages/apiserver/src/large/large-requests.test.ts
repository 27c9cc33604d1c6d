// Requests that are handed to the thread, and the others. The thread itself is tested as a process, with the bundled command.

import { openMemory } from "@celadon/storage/memory";
import { expect, test } from "vitest";
import { Feed } from "../store/feed.ts";
import type { ObjectTable } from "../store/object-table.ts";
import type { Answer, Call } from "../wire/call.ts";
import { requestInfo } from "../wire/request-info.ts";
import { LargeRequests } from "./large-requests.ts";

const PATH = "/api/v1/namespaces/default/configmaps";
const HERE: Answer = { code: 200, type: "text/plain", body: "here" };
const notes = { warn: () => {}, annotate: () => {}, annotatePatch: () => {} };

function callOf(method: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Call & { reads: number } {
  return {
    method,
    path: method === "POST" ? PATH : `${PATH}/a`,
    query: "",
    reads: 0,
    header: (name) => headers[name],
    headerValues: (name) => (headers[name] === undefined ? [] : [headers[name]]),
    headerNames: () => Object.keys(headers),
    body() {
      this.reads += 1;
      return Promise.resolve(body);
    },
    peer: undefined,
    remoteAddress: "",
    signal: new AbortController().signal,
  };
}

interface Given {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly method?: string;
  /** The size of the stored object. */
  readonly stored?: number;
}

async function answered({ headers, body = new Uint8Array(0), method = "POST", stored = 0 }: Given) {
  const store = await openMemory();
  const entry = new URL("data:text/javascript,throw new Error('started')");
  const large = new LargeRequests({
    entry,
    setup: () => ({ options: {}, tokens: {}, tokenKey: "", address: "" }),
    store,
    feed: new Feed(store),
    count: () => {},
  });
  const call = callOf(method, headers, body);
  const info = requestInfo(method, call.path, new URLSearchParams());
  const table = { bytes: 100 * stored, get: () => ({ json: Buffer.alloc(stored) }) } as unknown as ObjectTable;
  const asked = { call, user: { username: "a" }, info, notes, stored: () => ({ table, key: "k" }) };
  const given = large.answer(asked, () => HERE);
  const isAtOnce = given === HERE;
  const answer = await Promise.resolve(given).catch((error: unknown) => error);
  await large.close();
  await store.close();
  return { isHere: answer === HERE, isAtOnce, reads: call.reads };
}

const sized = (bytes: number): Given => ({
  headers: { "content-length": String(bytes) },
  body: new Uint8Array(bytes),
});

test("a small body of known length costs nothing: it is answered at once, and not read first", async () => {
  expect(await answered(sized(32_767))).toEqual({ isHere: true, isAtOnce: true, reads: 0 });
  expect(await answered({ headers: {} })).toEqual({ isHere: true, isAtOnce: true, reads: 0 });
});

test("a large one goes to the thread", async () => {
  expect(await answered(sized(32_768))).toMatchObject({ isHere: false });
});

test("where the length is not given, the body tells", async () => {
  const headers = { "transfer-encoding": "chunked" };
  expect(await answered({ ...sized(32_767), headers })).toEqual({ isHere: true, isAtOnce: false, reads: 1 });
  expect(await answered({ ...sized(32_768), headers })).toMatchObject({ isHere: false });
});

test("JSON patches that may copy go to the thread: a few copies of copies make megabytes", async () => {
  const patch = (text: string): Given => ({
    method: "PATCH",
    headers: { "content-type": "application/json-patch+json", "content-length": String(text.length) },
    body: Buffer.from(text),
  });
  expect(await answered(patch(`[{"op":"add","path":"/data/a","value":"b"}]`))).toMatchObject({ isHere: true });
  expect(await answered(patch(`[{"op":"copy","from":"/data","path":"/data/a"}]`))).toMatchObject({ isHere: false });
  expect(await answered(patch(`[{"op":"c\\u006fpy","from":"/data","path":"/data/a"}]`))).toMatchObject({
    isHere: false,
  });
});

// biome-ignore format: one request per line
test.each<[string, boolean, Omit<Given, "stored">]>([
  ["a patch",                       false, { method: "PATCH",  headers: { "content-length": "2" } }],
  ["a deletion",                    false, { method: "DELETE", headers: {} }],
  ["a get as it is stored",         true,  { method: "GET",    headers: { accept: "application/json" } }],
  ["a get in protobuf",             false, { method: "GET",    headers: { accept: "application/vnd.kubernetes.protobuf" } }],
  ["a get as a table",              false, { method: "GET",    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }],
])("%s of a large object", async (_, isHere, given) => {
  expect(await answered({ ...given, stored: 32_768 })).toMatchObject({ isHere });
  expect(await answered({ ...given, stored: 32_767 })).toMatchObject({ isHere: true });
});
