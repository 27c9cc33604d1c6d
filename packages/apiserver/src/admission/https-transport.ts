// Reviews carried to webhooks over HTTPS: their certificate authority, their timeout, and a bound on their response.

import { Agent, request } from "node:https";
import { isIP } from "node:net";
import type { WebhookAnswer, WebhookTransport } from "@celadon/admission/webhook";
import { quoteGo, toJson } from "@celadon/base";
import type { Endpoint } from "./service-endpoints.ts";

/** More than any honest answer has. */
const MAX_ANSWER = 4 * 1024 * 1024;

export interface TransportOptions {
  /** The address of a service of the cluster; rejects if it has no endpoints. */
  resolve(namespace: string, name: string, port: number): Promise<Endpoint>;
}

/** One POST of a review. */
export interface ReviewPost {
  /** The address as errors show it. */
  readonly url: string;
  /** The service the address stands for. */
  readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number } | undefined;
  /** The name a service's certificate must have. */
  readonly serverName?: string | undefined;
  /** PEM in base64. */
  readonly caBundle?: string | undefined;
  readonly timeoutSeconds: number;
  readonly review: unknown;
  /** Bytes an answer may have. */
  readonly maxAnswer?: number | undefined;
}

/** As in Go, every certificate of a bundle is trusted for itself: an intermediate one, and the one that the webhook serves. */
const TRUST = { keepAlive: true, allowPartialTrustChain: true };

/** Rejects with an Error that says why there is no answer. */
export type PostReview = (post: ReviewPost) => Promise<WebhookAnswer>;

export function httpsPost(options: TransportOptions): PostReview {
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
      agent = new Agent({ ...TRUST, ...(ca && { ca }), ...(servername && { servername }) });
      agents.set(key, agent);
    }
    return agent;
  };
  return async (post) => {
    const address = await addressOf(post, options).catch((error: Error) => {
      throw new Error(`Post ${quoteGo(post.url)}: ${error.message}`);
    });
    return send(post, address, agentOf);
  };
}

export function httpsTransport(post: PostReview): WebhookTransport {
  return {
    call: ({ webhook, url, serverName, caBundle, timeoutSeconds, review }) => {
      const { service } = webhook.webhook.clientConfig ?? {};
      return post({ url, service, serverName, caBundle, timeoutSeconds, review });
    },
  };
}

async function addressOf({ url, service }: ReviewPost, options: TransportOptions): Promise<URL> {
  const address = new URL(url);
  if (service === undefined) return address;
  const found = await options.resolve(service.namespace ?? "", service.name ?? "", service.port ?? 443);
  address.hostname = found.host.includes(":") ? `[${found.host}]` : found.host;
  address.port = String(found.port);
  return address;
}

function send(
  { caBundle, serverName, timeoutSeconds, review, url, maxAnswer = MAX_ANSWER }: ReviewPost,
  address: URL,
  agentOf: (ca: string | undefined, servername: string | undefined) => Agent,
): Promise<WebhookAnswer> {
  const ca = caBundle ? Buffer.from(caBundle, "base64").toString("utf8") : undefined;
  const body = Buffer.from(toJson(review));
  return new Promise((resolve, reject) => {
    const failed = (text: string): void => reject(new Error(`Post ${quoteGo(url)}: ${text}`));
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
          if (size > maxAnswer) {
            sent.destroy();
            failed(`the answer is larger than ${maxAnswer} bytes`);
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

const UNVERIFIED = "tls: failed to verify certificate: x509: ";

/** A certificate that has other names than the host's. */
interface NameError extends Error {
  readonly host: string;
  /** The names come as `DNS:a, IP Address:b`. */
  readonly cert: { readonly subjectaltname?: string };
}

function otherName({ host, cert }: NameError): string {
  const isAddress = isIP(host) !== 0;
  const kind = isAddress ? "IP Address:" : "DNS:";
  const written = (cert.subjectaltname ?? "").split(", ").filter((name) => name.startsWith(kind));
  if (written.length > 0) {
    return `certificate is valid for ${written.map((name) => name.slice(kind.length)).join(", ")}, not ${host}`;
  }
  return isAddress
    ? `cannot validate certificate for ${host} because it doesn't contain any IP SANs`
    : `certificate is not valid for any names, but wanted to match ${host}`;
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
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "CERT_SIGNATURE_FAILURE":
      return `${UNVERIFIED}certificate signed by unknown authority`;
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return `${UNVERIFIED}certificate has expired or is not yet valid`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `${UNVERIFIED}${otherName(error as NameError)}`;
    case "ECONNRESET":
      return "EOF";
    default:
      return error.message;
  }
}
