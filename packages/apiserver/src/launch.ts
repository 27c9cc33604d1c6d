// A server that listens: its keys, its store, its sockets, and how clients find it.

import { createPrivateKey } from "node:crypto";
import { join } from "node:path";
import type { UserInfo } from "@celadon/admission";
import type { Store } from "@celadon/storage";
import type { AuditedRequest } from "./audit/audit-event.ts";
import { AuditLog } from "./audit/audit-log.ts";
import { staticTokens } from "./authn/static-tokens.ts";
import type { LocalClient } from "./client/local-client.ts";
import { type Limits, type Listener, listen } from "./http/listener.ts";
import { createPki, type Pki } from "./pki/authority.ts";
import { openPki } from "./pki/pki-files.ts";
import { ApiServer, type ServerOptions } from "./server.ts";
import { compactRegularly } from "./store/compactor.ts";
import type { Peer } from "./wire/call.ts";

export interface LaunchOptions extends Omit<ServerOptions, "tokens" | "tokenKey" | "rootCa" | "address"> {
  readonly host?: string;
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** Keys and certificates are kept here; made anew each time when absent. */
  readonly directory?: string;
  /** Users by their bearer token. */
  readonly tokens?: Readonly<Record<string, UserInfo>>;
  /** File of the audit log. */
  readonly auditLog?: string;
  /** Told of every request. */
  readonly observe?: (request: AuditedRequest) => void;
  readonly limits?: Partial<Limits>;
  /** HTTP in the clear; only for loopback addresses. */
  readonly insecure?: boolean;
}

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

export async function launch(options: LaunchOptions & { readonly store: Store }): Promise<LaunchedServer> {
  const { host = "127.0.0.1", port = 0, directory, insecure = false } = options;
  if (insecure && !isLoopback(host)) {
    throw new Error(
      `HTTP in the clear is for loopback addresses only, not ${host}: everybody on the way could read and act`,
    );
  }
  const addresses = host === "0.0.0.0" || host === "::" ? [] : [host];
  const pki = directory === undefined ? createPki(addresses) : openPki(join(directory, "pki"), addresses);
  let listener: Listener | undefined;
  const open = async (store: Store): Promise<ApiServer> => {
    const server = new ApiServer({
      ...options,
      store,
      tokens: [staticTokens(new Map(Object.entries(options.tokens ?? {})))],
      tokenKey: createPrivateKey(pki.tokenKey),
      rootCa: pki.caCertificate,
      address: () => (listener === undefined ? "" : `${listener.host}:${listener.port}`),
    });
    await server.start();
    return server;
  };
  let current = await open(options.store);
  const audit = options.auditLog === undefined ? undefined : new AuditLog(options.auditLog);
  const tls = { certificate: pki.serverCertificate, key: pki.serverKey, clientCa: pki.caCertificate };
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
  const { url } = listening;
  const launched = (server: ApiServer): LaunchedServer => {
    const stopCompacting = compactRegularly(server.objects);
    return {
      server,
      url,
      host,
      port: listening.port,
      caCertificate: pki.caCertificate,
      kubeconfig: kubeconfigOf(url, pki),
      client: server.client(ADMINISTRATOR),
      async renew(store) {
        stopCompacting();
        current = await open(store);
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

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** The administrator at a server, as kubectl reads it. */
export function kubeconfigOf(url: string, pki: Pki): string {
  const data = (pem: string): string => Buffer.from(pem).toString("base64");
  return `apiVersion: v1
kind: Config
clusters:
- name: celadon
  cluster:
    server: ${url}
    certificate-authority-data: ${data(pki.caCertificate)}
users:
- name: celadon-admin
  user:
    client-certificate-data: ${data(pki.adminCertificate)}
    client-key-data: ${data(pki.adminKey)}
contexts:
- name: celadon
  context:
    cluster: celadon
    user: celadon-admin
current-context: celadon
`;
}
