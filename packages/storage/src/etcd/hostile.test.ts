// Servers that are not etcd, or no longer: for any response, calls end in time with an error of the store, and the process lives on.

import { createServer as createHttp1, type Server as Http1Server } from "node:http";
import { createServer as createHttp2, type Http2Server, type ServerHttp2Stream } from "node:http2";
import { createServer as createTcp, type Socket, type Server as TcpServer } from "node:net";
import fc from "fast-check";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { codeOf } from "../contract/texts.testing.ts";
import type { Store } from "../index.ts";
import { FieldReader, FieldWriter } from "./fields.ts";
import { openEtcd } from "./index.ts";
import { METHOD } from "./messages.ts";

/** For calls that fail however long they wait. */
const QUICK = { timeout: 300, attemptTimeout: 100, keepAliveInterval: 50, keepAliveTimeout: 50 };
/** For calls that are answered, on a busy machine after a while. */
const PATIENT = { timeout: 60_000, attemptTimeout: 60_000 };

/** The answers of a gRPC server to a method. */
type Answers = (method: string, stream: ServerHttp2Stream) => void;

const header = (revision: number): FieldWriter => new FieldWriter().integer(3, revision);
const answer = (revision: number): FieldWriter => new FieldWriter().message(1, header(revision));

function framed(message: Uint8Array, flag = 0, length = message.byteLength): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

function send(stream: ServerHttp2Stream, bytes: Uint8Array, trailers: Record<string, string> = { "grpc-status": "0" }) {
  stream.on("error", () => undefined);
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(trailers));
  stream.end(bytes);
}

async function listen(server: Http1Server | Http2Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function grpcServer(answers: Answers): Promise<string> {
  const server = createHttp2();
  server.on("sessionError", () => undefined);
  server.on("session", (session) => {
    session.on("error", () => undefined);
    onTestFinished(() => session.destroy());
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    answers(String(headers[":path"]), stream);
  });
  return listen(server);
}

/** etcd as far as opening a store needs it, but for some methods. */
async function almostEtcd(but: Answers): Promise<string> {
  return grpcServer((method, stream) => {
    if (method === METHOD.txn && !isOpened) {
      isOpened = true;
      send(stream, framed(answer(5).flag(2, true).finish()));
    } else if (method === METHOD.status) send(stream, framed(answer(5).text(2, "3.5.21").finish()));
    else but(method, stream);
  });
}
let isOpened = false;

/** A store whose calls soon give up; opening is tried until the server was fast enough. */
async function openAlmost(but: Answers): Promise<Store> {
  const endpoint = await almostEtcd(but);
  for (;;) {
    isOpened = false;
    const store = await openEtcd({ endpoints: [endpoint], ...QUICK }).catch(() => undefined);
    if (store === undefined) continue;
    onTestFinished(() => store.close());
    return store;
  }
}

const rejections: unknown[] = [];
const note = (error: unknown): void => void rejections.push(error);
process.on("uncaughtException", note);
process.on("unhandledRejection", note);
afterAll(() => {
  process.off("uncaughtException", note);
  process.off("unhandledRejection", note);
});

describe("opening", () => {
  const message = answer(5).flag(2, true).finish();
  // biome-ignore format: one server per line
  const servers: [what: string, answers: Answers][] = [
    ["HTTP errors",              (_, stream) => { stream.respond({ ":status": 503 }); stream.end("busy"); }],
    ["a page of HTML",           (_, stream) => { stream.respond({ ":status": 200 }); stream.end("<html></html>"); }],
    ["nothing",                  (_, stream) => send(stream, Buffer.alloc(0))],
    ["no revision",              (_, stream) => send(stream, framed(Buffer.alloc(0)))],
    ["a cut message",            (_, stream) => send(stream, framed(message).subarray(0, 7))],
    ["a compressed message",     (_, stream) => send(stream, framed(message, 1))],
    ["a length beyond all",      (_, stream) => send(stream, framed(message, 0, 0xffff_fff0))],
    ["no protobuf",              (_, stream) => send(stream, framed(Buffer.from("hello, who is there?")))],
    ["a huge revision",          (_, stream) => send(stream, framed(Buffer.from("0a0b18ffffffffffffffffff01", "hex")))],
    ["an endless number",        (_, stream) => send(stream, framed(Buffer.from(`0a20${"ff".repeat(32)}`, "hex")))],
    ["a status that is none",    (_, stream) => send(stream, Buffer.alloc(0), { "grpc-status": "fine" })],
    ["words that do not decode", (_, stream) => send(stream, Buffer.alloc(0), { "grpc-status": "13", "grpc-message": "%E0%A4%A" })],
    ["a reset",                  (_, stream) => stream.close(2)],
    ["the end of the session",   (_, stream) => stream.session?.destroy()],
  ];
  test.each(servers)("%s", async (what, answers) => {
    const isFinal = what === "a length beyond all";
    const opening = openEtcd({ endpoints: [await grpcServer(answers)], ...(isFinal ? PATIENT : QUICK) });
    expect(await codeOf(opening)).toBe(isFinal ? "too_large" : "unavailable");
  });

  test("HTTP/1, and bytes of anything", async () => {
    const http1 = createHttp1((_, response) => response.end("hello"));
    expect(await codeOf(openEtcd({ endpoints: [await listen(http1)], ...QUICK }))).toBe("unavailable");
    for (const bytes of ["SSH-2.0-OpenSSH_9.2\r\n", "\0".repeat(500), "\xff".repeat(500)]) {
      const sockets: Socket[] = [];
      const server = createTcp((socket) => {
        sockets.push(socket.on("error", () => undefined));
        socket.write(Buffer.from(bytes, "latin1"));
      });
      expect(await codeOf(openEtcd({ endpoints: [await listen(server)], ...QUICK }))).toBe("unavailable");
      for (const socket of sockets) socket.destroy();
    }
  });

  test("a login without a token", async () => {
    const endpoint = await grpcServer((_, stream) => send(stream, framed(answer(5).finish())));
    expect(await codeOf(openEtcd({ endpoints: [endpoint], user: "a", password: "b", ...QUICK }))).toBe("unavailable");
  });
});

describe("an open store", () => {
  test("lists: pages without entries, keys out of order", async () => {
    const entry = (key: string): FieldWriter =>
      new FieldWriter().text(1, key).integer(2, 5).integer(3, 5).integer(4, 1);
    const pages = [answer(5).flag(3, true), answer(5).message(2, entry("/a")).flag(3, true).integer(4, 9)];
    for (const page of pages) {
      const store = await openAlmost((method, stream) => {
        if (method === METHOD.range) send(stream, framed(page.finish()));
      });
      expect(await codeOf(store.list("/k/"))).toBe("unavailable");
    }
  });

  test("random answers to calls and watches", async () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      // Something like an answer, with a few bytes changed.
      fc.tuple(fc.nat(60), fc.nat(255)).map(([at, byte]) => {
        const event = new FieldWriter().message(2, new FieldWriter().text(1, "/k").integer(3, 6).text(5, "value"));
        const bytes = Buffer.from(answer(9).message(11, event).finish());
        bytes[at % bytes.length] = byte;
        return bytes;
      }),
    );
    let next = Buffer.alloc(0);
    const store = await openAlmost((method, stream) => {
      if (method !== METHOD.watch) return send(stream, framed(next));
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.write(framed(next));
    });
    const property = fc.asyncProperty(noise, async (bytes) => {
      next = bytes;
      const watch = store.watch("/");
      const codes = await Promise.all([
        codeOf(store.get("/a")),
        codeOf(store.write([{ op: "put", key: "/a", value: bytes }])),
      ]);
      watch.close();
      for (const code of codes) expect(["none", "unavailable", "too_large"]).toContain(code);
    });
    await fc.assert(property, { numRuns: 12, seed: 16 });
  });

  test("a watch that never opens is opened again elsewhere", async () => {
    let watches = 0;
    const store = await openAlmost((method, stream) => {
      if (method !== METHOD.watch) return;
      watches += 1;
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
    });
    const watch = store.watch("/");
    await expect.poll(() => watches, { timeout: 100_000 }).toBeGreaterThanOrEqual(3);
    watch.close();
  });

  test("nothing reached the process", () => expect(rejections).toEqual([]));
});

test("random bytes are read or refused, never anything else", () => {
  const property = fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
    const reader = new FieldReader(bytes);
    try {
      for (let fields = 0; reader.next(); fields++) if (fields % 2 === 0) reader.integer();
    } catch (error) {
      expect((error as Error).name).toBe("WireError");
    }
  });
  fc.assert(property, { numRuns: 2_000, seed: 16 });
});

describe("an etcd whose progress notices overtake events", () => {
  // Opened at revision 5. A key is written at 6; the server sends the requested progress notice first and the event behind it.
  const event = (key: string, revision: number): Buffer => {
    const entry = new FieldWriter().text(1, key).integer(2, revision).integer(3, revision).integer(4, 1);
    return framed(answer(revision).message(11, new FieldWriter().message(2, entry)).finish());
  };

  async function opened(version: string): Promise<{ store: Store; asked: () => number; marks: () => number }> {
    let feed: ServerHttp2Stream | undefined;
    let [asked, marks] = [0, 0];
    const endpoint = await grpcServer((method, stream) => {
      if (method === METHOD.status) send(stream, framed(answer(6).text(2, version).finish()));
      else if (method === METHOD.range) send(stream, framed(answer(6).finish()));
      else if (method === METHOD.txn) {
        marks++;
        send(
          stream,
          framed(
            answer(marks === 1 ? 5 : 7)
              .flag(2, true)
              .finish(),
          ),
        );
        if (marks > 1) feed?.write(Buffer.concat([event("/k", 6), event(".celadon", 7)]));
      } else if (method === METHOD.watch) {
        feed = stream;
        stream.respond({ ":status": 200, "content-type": "application/grpc" });
        stream.write(framed(answer(5).flag(3, true).finish()));
        stream.on("data", (bytes: Buffer) => {
          // Field 3 of a request, behind the five bytes of its frame.
          if (bytes[5] !== 0x1a) return;
          asked++;
          stream.write(Buffer.concat([framed(answer(6).finish()), event("/k", 6)]));
        });
      }
    });
    const store = await openEtcd({ endpoints: [endpoint], ...PATIENT });
    onTestFinished(() => store.close());
    return { store, asked: () => asked, marks: () => marks };
  }

  async function noticesOf(store: Store): Promise<string[]> {
    const watch = store.watch("/", { progress: true });
    const notices: string[] = [];
    await store.requestProgress();
    for await (const notice of watch) {
      notices.push(`${notice.type} ${notice.revision}`);
      if (notice.type === "progress") break;
    }
    watch.close();
    return notices;
  }

  test("is not asked for progress: the store writes a mark after all events", async () => {
    const { store, asked, marks } = await opened("3.4.30");
    expect(await noticesOf(store)).toEqual(["changes 6", "progress 7"]);
    expect([asked(), marks()]).toEqual([0, 2]);
  });

  test("is asked for progress from 3.4.31 on, where they do not", async () => {
    const { store, asked, marks } = await opened("3.4.31");
    await store.requestProgress();
    expect(asked()).toBeGreaterThan(0);
    expect(marks()).toBe(1);
  });
});
