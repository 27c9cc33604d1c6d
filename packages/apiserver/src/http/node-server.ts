// Node's HTTP or HTTPS server with the settings of an API server: TLS, client certificates, all headers, times to send.

import { constants } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { ServerLimits } from "./limits.ts";

/** All PEM. */
export interface TlsOptions {
  readonly certificate: string;
  readonly key: string;
  /** The authorities whose client certificates count. */
  readonly clientCa?: readonly string[];
}

/** A server that does not listen yet. */
export function nodeServer(tls: TlsOptions | undefined, limits: ServerLimits, listener: RequestListener): Server {
  const { maxHeaderBytes: maxHeaderSize, sendTimeout } = limits;
  const settings = {
    maxHeaderSize,
    // Missed below, where the answer is a Status.
    requireHostHeader: false,
    keepAliveTimeout: 90_000,
    requestTimeout: sendTimeout,
    headersTimeout: sendTimeout,
    connectionsCheckingInterval: Math.min(30_000, sendTimeout),
  };
  if (tls === undefined) return withAllHeaders(createServer(settings, listener));
  const { certificate: cert, key, clientCa } = tls;
  // A client without certificate may have a token.
  const clients = clientCa === undefined ? {} : { ca: [...clientCa], requestCert: true, rejectUnauthorized: false };
  // Certificates of clients are verified with every connection: none resumes a session.
  const secureOptions = constants.SSL_OP_NO_TICKET;
  const secured = { cert, key, minVersion: "TLSv1.2", ALPNProtocols: ["http/1.1"], secureOptions } as const;
  return withAllHeaders(createTlsServer({ ...settings, ...secured, ...clients }, listener));
}

/** Node drops headers beyond a count without a word, and a request is decided by its headers: only their bytes are limited. */
function withAllHeaders<S extends Server>(server: S): S {
  server.maxHeadersCount = 0;
  return server;
}
