// Answers onto Node's HTTP responses: whole ones at once, streams with their head flushed before the first event.

import type { ServerResponse } from "node:http";
import { gzip } from "node:zlib";
import type { Content, Stream } from "../wire/call.ts";
import { ResponseSink } from "./response-sink.ts";

/** Smaller answers are not worth the time. */
const GZIP_FROM = 128 * 1024;
/** Codes without a body, and so without its type and length: clients decode a body by its type, even an empty one. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

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
  if (BODILESS.has(content.code)) {
    response.writeHead(content.code, headersOf({ ...content, type: undefined }, notes));
    response.end();
    return;
  }
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
  { type, headers }: { type: string | undefined; headers?: Readonly<Record<string, string>> },
  notes: ResponseNotes,
): string[] {
  const list = ["audit-id", notes.auditId];
  if (type !== undefined) list.push("content-type", type);
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
