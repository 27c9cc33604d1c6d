// A server for tests, on loopback: objects of one collection kept in memory with versions, a history that can be cut, and failures on
// demand. It knows just enough of the API for a client to be tested against.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { KubeObject } from "@celadon/kube";
import { onTestFinished } from "vitest";
import { Api } from "./api.ts";
import { fixedCredentials } from "./connection.ts";

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

export interface FakeServer {
  readonly api: Api;
  readonly url: string;
  /** `METHOD path?query` of every request. */
  readonly asked: string[];
  /** Tried before the server's own answer, which comes only when this says false. */
  handle: Handler;
  put(object: KubeObject): void;
  remove(path: string): void;
  /** Forgets what happened before now: older versions answer 410. */
  compact(): void;
  /** Ends open watches. */
  endWatches(): void;
  openWatches(): number;
}

interface Entry {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly version: number;
  readonly collection: string;
  readonly object: KubeObject;
}

export async function fakeServer(): Promise<FakeServer> {
  const objects = new Map<string, KubeObject>();
  const history: Entry[] = [];
  const watches = new Set<{ readonly collection: string; readonly response: ServerResponse }>();
  let version = 1;
  let compacted = 0;

  const change = (type: Entry["type"], path: string, object: KubeObject): KubeObject => {
    version++;
    const stamped = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    if (type === "DELETED") objects.delete(path);
    else objects.set(path, stamped);
    const entry = { type, version, collection: path.slice(0, path.lastIndexOf("/")), object: stamped };
    history.push(entry);
    for (const watch of watches) if (watch.collection === entry.collection) watch.response.write(line(entry));
    return stamped;
  };
  const pathOf = (object: KubeObject): string => `/api/v1/things/${object.metadata?.name}`;

  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      fake.asked.push(`${request.method} ${request.url}`);
      if (fake.handle(request, response, body) === false) answer(request, response, body);
    });
  });

  function answer(request: IncomingMessage, response: ServerResponse, body: string): unknown {
    const url = new URL(request.url ?? "", "http://fake");
    const path = url.pathname;
    if (request.method === "GET" && url.searchParams.get("watch") === "true") return watch(url, response);
    const known = objects.get(path);
    switch (request.method) {
      case "GET": {
        if (known !== undefined) return send(response, 200, known);
        const children = [...objects].filter(([key]) => key.slice(0, key.lastIndexOf("/")) === path);
        if (children.length === 0 && !/s$/.test(path)) return sendStatus(response, 404, "NotFound");
        return page(
          url,
          response,
          children.map(([, object]) => object),
        );
      }
      case "POST": {
        const object = JSON.parse(body) as KubeObject;
        const at = `${path}/${object.metadata?.name}`;
        if (objects.has(at)) return sendStatus(response, 409, "AlreadyExists");
        return send(response, 201, change("ADDED", at, object));
      }
      case "PUT": {
        const object = JSON.parse(body) as KubeObject;
        if (known === undefined) return sendStatus(response, 404, "NotFound");
        if (object.metadata?.resourceVersion !== known.metadata?.resourceVersion)
          return sendStatus(response, 409, "Conflict");
        return send(response, 200, change("MODIFIED", path, object));
      }
      default:
        return sendStatus(response, 405, "MethodNotAllowed");
    }
  }

  function page(url: URL, response: ServerResponse, all: readonly KubeObject[]): void {
    const start = Number(url.searchParams.get("continue") ?? 0);
    const limit = Number(url.searchParams.get("limit") ?? all.length);
    const next = start + limit < all.length ? String(start + limit) : "";
    const items = all.slice(start, start + limit);
    send(response, 200, {
      apiVersion: "v1",
      kind: "ThingList",
      metadata: { resourceVersion: String(version), continue: next },
      items,
    });
  }

  function watch(url: URL, response: ServerResponse): void {
    const from = Number(url.searchParams.get("resourceVersion"));
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    if (from < compacted) {
      response.end(
        `${JSON.stringify({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "too old" } })}\n`,
      );
      return;
    }
    for (const entry of history)
      if (entry.version > from && entry.collection === url.pathname) response.write(line(entry));
    const open = { collection: url.pathname, response };
    watches.add(open);
    response.on("close", () => watches.delete(open));
  }

  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeServer = {
    api: new Api({ server: url, credentials: fixedCredentials({ authorization: "Bearer t" }), namespace: "default" }),
    url,
    asked: [],
    handle: () => false,
    put: (object) => void change(objects.has(pathOf(object)) ? "MODIFIED" : "ADDED", pathOf(object), object),
    remove: (name) => {
      const path = `/api/v1/things/${name}`;
      change("DELETED", path, objects.get(path)!);
    },
    compact: () => {
      compacted = version;
      history.length = 0;
    },
    endWatches: () => {
      for (const { response } of watches) response.end();
      watches.clear();
    },
    openWatches: () => watches.size,
  };
  onTestFinished(() => {
    fake.api.close();
    server.closeAllConnections();
    server.close();
  });
  return fake;
}

export const THINGS = { group: "", version: "v1", resource: "things" } as const;

export const thing = (name: string, value: unknown = 1): KubeObject => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name },
  value,
});

const line = ({ type, object }: Entry): string => `${JSON.stringify({ type, object })}\n`;

export function send(response: ServerResponse, code: number, value: unknown): void {
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

export function sendStatus(response: ServerResponse, code: number, reason: string): void {
  send(response, code, { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message: reason });
}
