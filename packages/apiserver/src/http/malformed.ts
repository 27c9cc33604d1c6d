// Requests that are no HTTP, too large or too slow: answered with a Status like every failure, and the connection is closed.

import type { Socket } from "node:net";
import { badRequest, failure, type Status } from "@celadon/kube/status";
import { statusAnswer } from "../wire/answers.ts";

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Payload Too Large",
  431: "Request Header Fields Too Large",
};

const NOT_ALLOWED = failure("MethodNotAllowed", "the server does not allow this method on the requested resource", {});

interface ClientError extends Error {
  readonly code?: string;
  readonly reason?: string;
  readonly rawPacket?: Uint8Array;
}

/** For the event `clientError` of Node's servers. */
export function answerMalformed(error: ClientError, socket: Socket): void {
  // An answer that has begun cannot be replaced, and a broken connection has no reader.
  if (!socket.writable || error.code === "ECONNRESET" || hasBegunAnswer(socket)) {
    socket.destroy();
    return;
  }
  const status = isUnknownMethod(error) ? NOT_ALLOWED : statusOf(error);
  const { code = 400 } = status;
  const { type, body } = statusAnswer(status);
  const head = [
    `HTTP/1.1 ${code} ${REASONS[code] ?? ""}`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(body as string)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Later bytes of the client are ignored.
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/** A method that HTTP allows and Node has never heard of. */
function isUnknownMethod({ code, rawPacket }: ClientError): boolean {
  if (code !== "HPE_INVALID_METHOD" || rawPacket === undefined) return false;
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r\n/.test(Buffer.from(rawPacket).toString("latin1"));
}

function statusOf({ code, reason, message }: ClientError): Status {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return failure(undefined, "the request line and headers are too large", undefined, 431);
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return failure(undefined, "the extensions of a chunk are too large", undefined, 413);
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return failure(undefined, "the request was not sent in time", undefined, 408);
    default:
      return badRequest(`malformed HTTP request: ${reason ?? message}`);
  }
}

/** Node keeps the response of a connection here; there is no public name for it. */
function hasBegunAnswer(socket: Socket): boolean {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: { headersSent?: boolean } | null };
  return response?.headersSent === true;
}
