// Requests that ask for another protocol. Watches over WebSockets are served; every other request is answered as if it had not asked, like
// the API server does.

import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { parseQuery } from "../wire/query.ts";
import { requestInfo } from "../wire/request-info.ts";
import { isWebSocketRequest } from "../wire/web-socket.ts";

/** Whether a request is for a watch over a WebSocket. */
export function asksForWatch({ method = "", url = "", headers }: IncomingMessage): boolean {
  if (!isWebSocketRequest({ header: (name) => headers[name]?.toString() })) return false;
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) return false;
  const [path = "", query = ""] = url.split("?", 2);
  return requestInfo(method, path, parseQuery(query)).verb === "watch";
}

/** The connection goes back to the server, with the request as it was sent but for its Upgrade header. */
export function withoutUpgrade(
  http: Server,
  event: string,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at]!;
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${request.rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  http.emit(event, socket);
}
