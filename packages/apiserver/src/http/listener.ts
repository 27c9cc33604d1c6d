// An API server's port: listening, connections, and an orderly end.

import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { AuditedRequest } from "../audit/audit-event.ts";
import { DEFAULT_LIMITS, type ServerLimits } from "./limits.ts";
import { answerMalformed } from "./malformed.ts";
import { nodeServer, type TlsOptions } from "./node-server.ts";
import { RequestHandler, type Serving } from "./request-handler.ts";
import { asksForWatch, withoutUpgrade } from "./upgrade.ts";

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly limits?: Partial<ServerLimits>;
  /** Without it, HTTP in the clear. */
  readonly tls?: TlsOptions;
  /** Told of every request that was answered; of a watch when it begins. */
  readonly observe?: (request: AuditedRequest) => void;
}

export interface Listener {
  readonly port: number;
  /** The address of the server under one of its names. */
  url(host: string): string;
  /** Lets requests finish, ends watches and closes connections. */
  close(): Promise<void>;
}

export async function listen(server: Serving, options: ListenOptions): Promise<Listener> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const handler = new RequestHandler(server, limits, options.observe);
  const http = nodeServer(options.tls, limits, (request, response) => handler.handle(request, response));
  http.on("clientError", answerMalformed);
  const connected = options.tls === undefined ? "connection" : "secureConnection";
  http.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (asksForWatch(request)) handler.upgrade(request, socket, head);
    else withoutUpgrade(http, connected, request, socket, head);
  });
  const sockets = new Set<Socket>();
  http.on(connected, (socket: Socket) => {
    // A connection comes back with every request for an upgrade that is answered as any other.
    if (sockets.has(socket)) return;
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(options.port, options.host, () => resolve());
  });
  const { port } = http.address() as AddressInfo;
  return {
    port,
    url: (host) => `${options.tls === undefined ? "http" : "https"}://${hostText(host)}:${port}`,
    close: async () => {
      await closeAll(http, sockets, handler);
      handler.close();
    },
  };
}

const hostText = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** Requests that take longer are cut off when the server ends. */
const DRAIN_MS = 30_000;
/** The time that answers get to arrive when all requests have been answered. */
const FLUSH_MS = 1_000;

async function closeAll(http: Server, sockets: ReadonlySet<Socket>, handler: RequestHandler): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  const started = Date.now();
  let answered = 0;
  const timer = setInterval(() => {
    http.closeIdleConnections();
    const now = Date.now();
    if (handler.isIdle) answered ||= now;
    if (now > started + DRAIN_MS || (answered > 0 && now > answered + FLUSH_MS)) {
      for (const socket of sockets) socket.destroy();
    }
  }, 20);
  await closed;
  clearInterval(timer);
}
