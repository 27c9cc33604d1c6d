// Reviews carried to webhooks over HTTPS: their certificate authority, their timeout, and a bound on what they answer.

import { Agent, request } from "node:https";
import type { WebhookAnswer, WebhookCall, WebhookTransport } from "@celadon/admission/webhook";

/** More than any honest answer has. */
const MAX_ANSWER = 4 * 1024 * 1024;

export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

export interface TransportOptions {
  /** Where a service of the cluster answers; undefined when it has no endpoints. */
  resolve?(namespace: string, name: string, port: number): ServiceAddress | undefined;
}

export function httpsTransport(options: TransportOptions = {}): WebhookTransport {
  /** Connections are kept per authority and name. */
  const agents = new Map<string, Agent>();
  const agentOf = (ca: string | undefined, servername: string | undefined): Agent => {
    const key = `${servername ?? ""} ${ca ?? ""}`;
    let agent = agents.get(key);
    if (agent === undefined) {
      if (agents.size >= 100) {
        for (const old of agents.values()) old.destroy();
        agents.clear();
      }
      agents.set(key, (agent = new Agent({ keepAlive: true, ...(ca && { ca }), ...(servername && { servername }) })));
    }
    return agent;
  };
  return { call: (call) => post(call, addressOf(call, options), agentOf) };
}

function addressOf({ url, webhook }: WebhookCall, { resolve }: TransportOptions): URL {
  const address = new URL(url);
  const { service } = webhook.webhook.clientConfig ?? {};
  if (service === undefined) return address;
  const found = resolve?.(service.namespace ?? "", service.name ?? "", service.port ?? 443);
  if (found === undefined) throw new Error(`no endpoints available for service "${service.name ?? ""}"`);
  address.hostname = found.host.includes(":") ? `[${found.host}]` : found.host;
  address.port = String(found.port);
  return address;
}

function post(
  { caBundle, serverName, timeoutSeconds, review, url }: WebhookCall,
  address: URL,
  agentOf: (ca: string | undefined, servername: string | undefined) => Agent,
): Promise<WebhookAnswer> {
  const ca = caBundle ? Buffer.from(caBundle, "base64").toString("utf8") : undefined;
  const body = Buffer.from(JSON.stringify(review));
  return new Promise((resolve, reject) => {
    const failed = (text: string): void => reject(new Error(`Post ${JSON.stringify(url)}: ${text}`));
    const sent = request(
      address,
      {
        method: "POST",
        agent: agentOf(ca, serverName),
        headers: { accept: "application/json, */*", "content-type": "application/json", "content-length": body.length },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER) {
            sent.destroy();
            failed(`the answer is larger than ${MAX_ANSWER} bytes`);
          } else chunks.push(chunk);
        });
        response.on("end", () => {
          clearTimeout(timer);
          const contentType = response.headers["content-type"];
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, body: text, ...(contentType !== undefined && { contentType }) });
        });
        response.on("error", (error) => failed(error.message));
      },
    );
    const timer = setTimeout(() => {
      failed("context deadline exceeded");
      sent.destroy();
    }, timeoutSeconds * 1000);
    sent.on("error", (error) => {
      clearTimeout(timer);
      failed(goErrorText(error));
    });
    sent.end(body);
  });
}

/** In the words people know from Kubernetes, where there are some. */
function goErrorText(error: Error & { code?: string; address?: string; port?: number }): string {
  switch (error.code) {
    case "ECONNREFUSED":
      return `dial tcp ${error.address}:${error.port}: connect: connection refused`;
    case "ENOTFOUND":
      return `dial tcp: lookup ${(error as { hostname?: string }).hostname ?? ""}: no such host`;
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return "tls: failed to verify certificate: x509: certificate signed by unknown authority";
    case "ECONNRESET":
      return "EOF";
    default:
      return error.message;
  }
}
