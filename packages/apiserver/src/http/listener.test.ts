// Limits of the listener, with clients that ask too much, send too slowly or do not read.

import { Agent, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { Notes } from "../registry/exchange.ts";
import type { Served } from "../route/serve.ts";
import type { Answer, Call } from "../wire/call.ts";
import { requestInfo } from "../wire/request-info.ts";
import type { ServerLimits } from "./limits.ts";
import { type Listener, listen } from "./listener.ts";

let listener: Listener | undefined;
afterEach(() => listener?.close());

async function serving(
  limits: Partial<ServerLimits>,
  answer: (call: Call) => Answer | Promise<Answer>,
): Promise<number> {
  listener = await listen(
    {
      async serve(call): Promise<Served> {
        const info = requestInfo(call.method, call.path, new URLSearchParams());
        const username = new URLSearchParams(call.query).get("as") ?? "somebody";
        call.seat = { holder: username, without: (wait) => wait };
        const answered = await answer(call);
        return { answer: answered, info, notes: new Notes(), isAuthorized: true, authenticated: { username } };
      },
    },
    { host: "127.0.0.1", port: 0, limits },
  );
  return listener.port;
}

const ok: Answer = { code: 200, type: "text/plain", body: "ok" };

interface Got {
  readonly code: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

function get(port: number, path = "/", options: object = {}, body?: string | Buffer): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, agent: new Agent(), ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ code: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

test.each([204, 304])("an answer %i has no body, and so no type and no length", async (code) => {
  const headers = { etag: "x" };
  const port = await serving({}, () => ({ code, type: "text/plain", body: "", headers }));
  const { headers: sent, text } = await get(port);
  expect(text).toBe("");
  expect([sent["content-type"], sent["content-length"], sent.etag]).toEqual([undefined, undefined, "x"]);
});

test("a body too large is refused, whether its length is known or not", async () => {
  const port = await serving({ maxBodyBytes: 1000 }, async (call) => {
    try {
      return { ...ok, body: String((await call.body()).length) };
    } catch (error) {
      const { status } = error as { status: { code: number; reason: string } };
      return { code: status.code, type: "text/plain", body: status.reason };
    }
  });
  const post = (size: number, headers: object = {}) =>
    get(port, "/", { method: "POST", headers }, Buffer.alloc(size, "a"));
  expect((await post(1000)).text).toBe("1000");
  expect((await post(1001)).text).toBe("RequestEntityTooLarge");
  expect((await post(1000, { "transfer-encoding": "chunked" })).text).toBe("1000");
  expect(await post(5000, { "transfer-encoding": "chunked" })).toMatchObject({ code: 413 });
  expect((await get(port)).text).toBe("0");
});

test("paths and headers have their size", async () => {
  const port = await serving({ maxHeaderBytes: 16 * 1024 }, (call) => ({ ...ok, body: String(call.path.length) }));
  expect((await get(port, `/${"a".repeat(10_000)}`)).text).toBe("10001");
  const tooLong = await get(port, `/${"a".repeat(20_000)}`);
  expect([tooLong.code, JSON.parse(tooLong.text).kind]).toEqual([431, "Status"]);
  expect((await get(port, "/", { headers: { x: "a".repeat(20_000) } })).code).toBe(431);
  expect((await get(port)).code).toBe(200);
});

test("a watch beyond the limit gets 429; one that ends makes room", async () => {
  const stream: Answer = { code: 200, type: "application/json", open: (sink) => sink.write(Buffer.from("{}\n")) };
  const port = await serving({ maxWatches: 1 }, () => stream);
  const first = await new Promise<{ close(): void }>((resolve) => {
    const sent = request({ host: "127.0.0.1", port, agent: new Agent() }, (response) => {
      response.once("data", () => resolve({ close: () => sent.destroy() }));
    });
    sent.on("error", () => {});
    sent.end();
  });
  const refused = await get(port);
  expect([refused.code, refused.headers["retry-after"]]).toEqual([429, "1"]);
  first.close();
  let again = refused.code;
  while (again === 429) {
    again = await new Promise<number>((resolve) => {
      const sent = request({ host: "127.0.0.1", port, agent: new Agent() }, (response) => {
        resolve(response.statusCode ?? 0);
        sent.destroy();
      });
      sent.on("error", () => {});
      sent.end();
    });
  }
  expect(again).toBe(200);
});

/** A client that says something and reads nothing. */
function silent(port: number, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.pause();
      socket.write(text);
      resolve(socket);
    });
    socket.on("error", () => {});
  });
}
const closed = (socket: Socket): Promise<void> => {
  const end = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  return end;
};

test("what all watchers leave unread is bounded: those that read least are cut off", async () => {
  const port = await serving({ maxUnreadWatchBytes: 8e6 }, ({ path }) => ({
    code: 200,
    type: "application/json",
    // More than the system takes for a client that does not read.
    open: (sink) => sink.write(Buffer.alloc(path === "/small" ? 10 : 12e6, " ")),
  }));
  const open = (path: string): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
        resolve(socket);
      });
      socket.on("error", () => {});
    });
  const small = await open("/small");
  await new Promise((resolve) => small.once("data", resolve));
  const large = await open("/large");
  // Cut off by the server: the rest ends before all of it came.
  let read = 0;
  await new Promise((resolve) => setTimeout(resolve, 600));
  const ended = new Promise((resolve) => large.once("close", resolve));
  large.on("data", (chunk: Buffer) => (read += chunk.length));
  await ended;
  expect(read).toBeLessThan(12e6);
  expect(small.destroyed).toBe(false);
  small.destroy();
});

test("a client that does not read a large response is cut off", async () => {
  const large: Answer = { code: 200, type: "text/plain", body: Buffer.alloc(64 * 1024 * 1024) };
  const port = await serving({ readTimeout: 200 }, (call) => (call.path === "/large" ? large : ok));
  const socket = await silent(port, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  expect((await get(port)).code).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 600));
  let read = 0;
  socket.on("data", (chunk: Buffer) => (read += chunk.length));
  socket.resume();
  await closed(socket);
  expect(read).toBeLessThan(large.body.length);
});

test("what all clients leave unread is bounded: the user who leaves most is cut off, and others are answered", async () => {
  const large: Answer = { code: 200, type: "text/plain", body: Buffer.alloc(8e6) };
  const port = await serving({ maxUnreadBytes: 20e6 }, () => large);
  const greedy = await Promise.all(
    Array.from({ length: 2 }, () => silent(port, "GET /?as=greedy HTTP/1.1\r\nHost: x\r\n\r\n")),
  );
  // Both answers are on their way before others ask.
  await Promise.all(greedy.map((socket) => vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(0))));
  await new Promise((resolve) => setTimeout(resolve, 200));
  const refused = await get(port, "/?as=greedy");
  expect([refused.code, refused.headers["retry-after"], JSON.parse(refused.text)]).toEqual([
    429,
    "1",
    {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Too many requests, please try again later.",
      reason: "TooManyRequests",
      details: { retryAfterSeconds: 1 },
      code: 429,
    },
  ]);
  expect((await get(port, "/?as=modest")).text.length).toBe(8e6);
  let cut = 0;
  for (const socket of greedy) {
    let read = 0;
    socket.on("data", (chunk: Buffer) => (read += chunk.length));
    socket.once("close", () => read < 8e6 && cut++);
    socket.resume();
  }
  await vi.waitFor(() => expect(cut).toBe(1), 5_000);
  for (const socket of greedy) socket.destroy();
});

test("who does not finish a request is cut off", async () => {
  const port = await serving({ sendTimeout: 200 }, async (call) => ({
    ...ok,
    body: String((await call.body()).length),
  }));
  const socket = await silent(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf");
  socket.resume();
  await closed(socket);
  expect((await get(port)).code).toBe(200);
});

test("bytes that are no HTTP are answered and forgotten", async () => {
  const port = await serving({}, () => ok);
  for (const text of [
    "\0\0\0\0",
    "GET\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
  ]) {
    const socket = await silent(port, text);
    let answer = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
    socket.resume();
    await closed(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({ kind: "Status", code: 400 });
  }
  expect((await get(port)).code).toBe(200);
});

test("a method that nobody knows is not allowed", async () => {
  const port = await serving({}, () => ok);
  const socket = await silent(port, "FOO /api/v1/namespaces HTTP/1.1\r\nHost: x\r\n\r\n");
  let answer = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
  socket.resume();
  await closed(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({
    message: "the server does not allow this method on the requested resource",
    reason: "MethodNotAllowed",
    code: 405,
  });
});

test("a request that takes too long is answered with a Timeout, at the client's wish sooner", async () => {
  let aborted = 0;
  const port = await serving({ requestTimeout: 700 }, (call) => {
    if (call.path !== "/slow") return ok;
    call.signal.addEventListener("abort", () => aborted++);
    return new Promise<Answer>(() => {});
  });
  const replies = await Promise.all([get(port, "/slow"), get(port, "/slow?timeout=100ms"), get(port, "/")]);
  expect(replies.map(({ code }) => code)).toEqual([504, 504, 200]);
  expect(JSON.parse(replies[0]!.text)).toMatchObject({
    kind: "Status",
    reason: "Timeout",
    message: "Timeout: request did not complete within the allotted timeout",
  });
  expect(aborted).toBe(2);
});

test("the bodies of all requests are bounded: the user with most gives way", async () => {
  const limits = { maxBodyBytes: 1000, maxBodiesBytes: 1500 };
  const port = await serving(limits, async (call) => {
    try {
      return { ...ok, body: String((await call.body()).length) };
    } catch (error) {
      return { code: (error as { status: { code: number } }).status.code, type: "text/plain", body: "" };
    }
  });
  const half = `POST /?as=greedy HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n${"a".repeat(250)}`;
  const sockets = await Promise.all(Array.from({ length: 4 }, () => silent(port, half)));
  const post = async (user: string, bytes = 900): Promise<number> =>
    (await get(port, `/?as=${user}`, { method: "POST" }, Buffer.alloc(bytes, "a"))).code;
  // Until all halves have arrived.
  await vi.waitFor(async () => expect(await post("greedy")).toBe(429), 5_000);
  expect(await post("modest", 600)).toBe(200);
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(async () => expect(await post("greedy")).toBe(200), 5_000);
});

test("a server that ends lets requests finish and closes idle connections", async () => {
  let release: (answer: Answer) => void = () => {};
  let asked: () => void = () => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const port = await serving({}, (call) => {
    if (call.path !== "/slow") return ok;
    asked();
    return new Promise<Answer>((resolve) => (release = resolve));
  });
  const agent = new Agent({ keepAlive: true });
  expect((await get(port, "/", { agent })).code).toBe(200);
  const slow = get(port, "/slow");
  await isAsked;
  const ending = listener!.close();
  await expect(get(port)).rejects.toThrow();
  release(ok);
  expect((await slow).code).toBe(200);
  await ending;
  agent.destroy();
});
