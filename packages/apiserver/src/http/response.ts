// Answers onto Node's HTTP responses: whole ones at once, streams with their head flushed before the first event.

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { gzip } from "node:zlib";
import type { Content, Sink, Stream } from "../wire/call.ts";
import { unreadOf } from "./open-streams.ts";

/** Smaller answers are not worth the time. */
const GZIP_FROM = 128 * 1024;

export interface ResponseNotes {
  readonly auditId: string;
  /** Values of Warning headers. */
  readonly warnings: readonly string[];
}

export function writeContent(
  response: ServerResponse,
  content: Content,
  notes: ResponseNotes,
  acceptsGzip: boolean,
): void {
  const headers = headersOf(content, notes);
  const body = content.body;
  if (!acceptsGzip || body.length < GZIP_FROM) {
    headers.push("content-length", String(typeof body === "string" ? Buffer.byteLength(body) : body.length));
    response.writeHead(content.code, headers);
    response.end(body);
    return;
  }
  gzip(body, { level: 1 }, (error, packed) => {
    if (error !== null) {
      response.destroy(error);
      return;
    }
    headers.push("content-encoding", "gzip", "vary", "Accept-Encoding", "content-length", String(packed.length));
    response.writeHead(content.code, headers);
    response.end(packed);
  });
}

function headersOf(
  { type, headers }: { type: string; headers?: Readonly<Record<string, string>> },
  notes: ResponseNotes,
): string[] {
  const list = ["audit-id", notes.auditId, "content-type", type];
  if (headers?.["cache-control"] === undefined) list.push("cache-control", "no-cache, private");
  for (const name in headers) list.push(name, headers[name]!);
  for (const warning of notes.warnings) list.push("warning", warning);
  return list;
}

export function writeStream(response: ServerResponse, stream: Stream, notes: ResponseNotes): void {
  response.writeHead(stream.code, headersOf(stream, notes));
  // Without a first byte clients would wait for the head.
  response.flushHeaders();
  stream.open(new ResponseSink(response));
}

/** Bytes that wait to be sent together: they are copied into one buffer for it. */
const MAX_HELD = 64 * 1024;

/** Chunks with their HTTP framing: what many watchers get is framed once. */
const frames = new WeakMap<Uint8Array, Uint8Array>();
const LINE_END = Buffer.from("\r\n");

function frameOf(chunk: Uint8Array): Uint8Array {
  let frame = frames.get(chunk);
  if (frame === undefined) {
    frame = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, LINE_END]);
    frames.set(chunk, frame);
  }
  return frame;
}

/**
 * Writes of ServerResponse frame every chunk for every client, in three pieces. Where the response has its connection and sends chunks, whole
 * frames go there directly, behind the head and before the end that ServerResponse writes.
 */
class ResponseSink implements Sink {
  readonly #response: ServerResponse;
  /** The connection, while what is written waits. */
  #holding: Socket | undefined;
  /** Bytes that wait. */
  #held = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get pending(): number {
    return unreadOf(this.#response);
  }

  write(chunk: Uint8Array): void {
    const { socket, chunkedEncoding, writableEnded, writableLength } = this.#response;
    // What the response keeps because it did not have the connection comes first.
    const isDirect = socket !== null && chunkedEncoding && writableLength === socket.writableLength && chunk.length > 0;
    if (!isDirect) this.#response.write(chunk);
    else if (!writableEnded && socket.writable) socket.write(frameOf(chunk));
    if (this.#holding === undefined) return;
    this.#held += chunk.length;
    if (this.#held < MAX_HELD) return;
    this.release();
    this.hold();
  }

  hold(): void {
    const { socket } = this.#response;
    if (this.#holding !== undefined || socket === null) return;
    socket.cork();
    this.#holding = socket;
    this.#held = 0;
  }

  release(): void {
    const socket = this.#holding;
    this.#holding = undefined;
    socket?.uncork();
  }

  end(): void {
    this.release();
    this.#response.end();
  }

  cut(): void {
    this.#response.destroy();
  }

  onClose(listener: () => void): void {
    this.#response.once("close", listener);
  }
}
