// A server that listens: its keys, its store, its sockets, and how clients find it.

import { createPrivateKey } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { UserInfo } from "@celadon/admission";
import type { Store } from "@celadon/storage";
import type { AuditedRequest } from "./audit/audit-event.ts";
import { AuditLog } from "./audit/audit-log.ts";
import type { AuditPolicy } from "./audit/audit-policy.ts";
import { staticTokens } from "./authn/static-tokens.ts";
import { publishEndpoints } from "./bootstrap/endpoints.ts";
import type { LocalClient } from "./client/local-client.ts";
import { advertisedHost, certificateNames, clientHost, isLoopback } from "./http/addresses.ts";
import { DEFAULT_LIMITS, type ServerLimits } from "./http/limits.ts";
import { type Listener, listen } from "./http/listener.ts";
import { type AdminPki, createAdmin, createPki, type Pki } from "./pki/authority.ts";
import { type OpenedPki, openPki } from "./pki/pki-files.ts";
import { ApiServer } from "./server.ts";
import type { ServerOptions } from "./server-options.ts";
import { compactRegularly } from "./store/compactor.ts";
import type { Peer } from "./wire/call.ts";

/** Options for launching a server. */
export interface LaunchOptions
  extends Omit<
    ServerOptions,
    | "store"
    | "tokens"
    | "tokenKey"
    | "rootCa"
    | "clientCa"
    | "address"
    | "requestLimit"
    | "requestTimeout"
    | "follows"
    | "largeRequests"
  > {
  readonly host?: string;
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** More names and addresses of the server, for its certificate. */
  readonly names?: readonly string[];
  /** The directory for keys and certificates; without it, each start creates new ones. */
  readonly directory?: string;
  /** Users by their bearer token. */
  readonly tokens?: Readonly<Record<string, UserInfo>>;
  /** The certificate to serve with, and its key, in PEM; by default one that the server's own authority signs. */
  readonly serving?: { readonly certificate: string; readonly key: string };
  /** Authorities beside the server's own whose client certificates count, in PEM. */
  readonly clientCa?: string;
  /** File of the audit log. */
  readonly auditLog?: string;
  /** The rules of the audit log; by default the metadata of every request. */
  readonly auditPolicy?: AuditPolicy;
  /** Told of every request. */
  readonly observe?: (request: AuditedRequest) => void;
  readonly limits?: Partial<ServerLimits>;
  /** HTTP in the clear; only for loopback addresses. */
  readonly insecure?: boolean;
  /** The JavaScript of the thread for requests with large bodies, where it is not beside this module. */
  readonly largeThread?: URL;
}

/** A server that listens, and how to reach it. */
export interface LaunchedServer {
  readonly server: ApiServer;
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** The certificate clients must trust, in PEM. */
  readonly caCertificate: string;
  /** For kubectl and every client library: the administrator at this server. */
  readonly kubeconfig: string;
  /** Calls of the administrator, inside the process. */
  readonly client: LocalClient;
  /** The same addresses and keys over another store; the old one is closed. */
  renew(store: Store): Promise<LaunchedServer>;
  /** Lets requests finish, ends watches, closes the store. */
  close(): Promise<void>;
}

export const ADMINISTRATOR: Peer = { username: "celadon-admin", groups: ["system:masters"] };

/** Starts a server that listens, with its own certificates unless some are given. New ones are written while the server starts. */
export async function launch(
  options: LaunchOptions & { readonly store: Store | Promise<Store> },
): Promise<LaunchedServer> {
  const { host = "127.0.0.1", port = 0, directory, insecure = false } = options;
  if (insecure && !isLoopback(host)) {
    throw new Error(
      `HTTP in the clear is for loopback addresses only, not ${host}: everybody on the way could read and act`,
    );
  }
  // Only the owner of the store owns the directory: nothing is written there before.
  const opened = await options.store;
  const addresses = [...certificateNames(host), ...(options.names ?? [])];
  const { pki, admin: identity } =
    directory === undefined ? createIdentities(addresses) : openPki(join(directory, "pki"), addresses);
  const clientCa = [pki.caCertificate, ...(options.clientCa === undefined ? [] : [options.clientCa])];
  let listener: Listener | undefined;
  const address = (): string => (listener === undefined ? "" : `${advertisedHost(host)}:${listener.port}`);
  const open = async (store: Store): Promise<ApiServer> => {
    const server = new ApiServer({
      ...options,
      store,
      tokens: [staticTokens(new Map(Object.entries(options.tokens ?? {})))],
      tokenKey: createPrivateKey(pki.tokenKey),
      rootCa: pki.caCertificate,
      clientCa: clientCa.join(""),
      requestLimit: options.limits?.maxInFlight ?? DEFAULT_LIMITS.maxInFlight,
      requestTimeout: options.limits?.requestTimeout ?? DEFAULT_LIMITS.requestTimeout,
      address,
      ...largeRequestsOf(options, pki, address),
    });
    await keepingAlive(server.start());
    return server;
  };
  let [current, admin] = await Promise.all([open(opened), identity]);
  const audit = options.auditLog === undefined ? undefined : new AuditLog(options.auditLog, options.auditPolicy);
  const { serving = { certificate: pki.serverCertificate, key: pki.serverKey } } = options;
  const tls = { ...serving, clientCa };
  const listening = await listen(
    { serve: (call) => current.serve(call) },
    {
      host,
      port,
      ...(options.limits && { limits: options.limits }),
      ...(!insecure && { tls }),
      ...observing(audit, options.observe),
    },
  );
  listener = listening;
  await publishEndpoints(current.client(ADMINISTRATOR), advertisedHost(host), listening.port);
  const url = listening.url(clientHost(host));
  // A certificate that was given is trusted for itself.
  const trusted = options.serving?.certificate ?? pki.caCertificate;
  const launched = (server: ApiServer): LaunchedServer => {
    const stopCompacting = compactRegularly(server.objects);
    return {
      server,
      url,
      host,
      port: listening.port,
      caCertificate: trusted,
      kubeconfig: kubeconfigOf(url, trusted, admin),
      client: server.client(ADMINISTRATOR),
      async renew(store) {
        stopCompacting();
        current = await open(store);
        await publishEndpoints(current.client(ADMINISTRATOR), advertisedHost(host), listening.port);
        await server.close();
        return launched(current);
      },
      async close() {
        stopCompacting();
        server.endWatches();
        await listening.close();
        await server.close();
        await audit?.close();
      },
    };
  };
  return launched(current);
}

function createIdentities(addresses: readonly string[]): OpenedPki {
  const pki = createPki(addresses);
  return { pki, admin: createAdmin(pki.caKey) };
}

/** The thread for large requests: none from sources, which no thread can run, nor where something cannot be sent to one. */
function largeRequestsOf(
  options: LaunchOptions & { readonly store: unknown },
  pki: Pki,
  address: () => string,
): Pick<ServerOptions, "largeRequests"> {
  const { largeThread: entry = LARGE_THREAD, tokens = {} } = options;
  const { webhooks, now, authorizationChain } = options;
  const isSendable = webhooks === undefined && now === undefined && authorizationChain === undefined;
  if (!isSendable || !existsSync(entry)) return {};
  const { store, observe, limits, auditLog, auditPolicy, directory, names, serving, clientCa, largeThread, ...own } =
    options;
  const { authentication: _, ...rest } = own;
  const requestLimit = limits?.maxInFlight ?? DEFAULT_LIMITS.maxInFlight;
  const setup = () => ({
    options: { ...rest, rootCa: pki.caCertificate, requestLimit },
    tokens,
    tokenKey: pki.tokenKey,
    address: address(),
  });
  return { largeRequests: { entry, setup } };
}

const LARGE_THREAD = new URL("./large-thread.js", import.meta.url);

/** Before it listens, a server may wait for the watch of a store, which does not keep a process from ending. */
async function keepingAlive(work: Promise<void>): Promise<void> {
  const timer = setInterval(() => {}, 60_000);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
}

function observing(
  audit: AuditLog | undefined,
  observe: LaunchOptions["observe"],
): { observe?: (request: AuditedRequest) => void } {
  if (audit === undefined) return observe === undefined ? {} : { observe };
  return {
    observe(request) {
      audit.write(request);
      observe?.(request);
    },
  };
}

/** The administrator at a server, as kubectl reads it. */
export function kubeconfigOf(url: string, caCertificate: string, admin: AdminPki): string {
  const data = (pem: string): string => Buffer.from(pem).toString("base64");
  return `apiVersion: v1
kind: Config
clusters:
- name: celadon
  cluster:
    server: ${url}
    certificate-authority-data: ${data(caCertificate)}
users:
- name: celadon-admin
  user:
    client-certificate-data: ${data(admin.adminCertificate)}
    client-key-data: ${data(admin.adminKey)}
contexts:
- name: celadon
  context:
    cluster: celadon
    user: celadon-admin
current-context: celadon
`;
}
