// The authorizers of an AuthorizationConfiguration, in its order: the first that allows or denies counts. The file may change while requests
// come; authorizers of the server that were in it have to stay. Upstream: kubernetes pkg/kubeapiserver/authorizer.

import type { Authorizer } from "@celadon/admission";
import { ConnectionError, connectionFromKubeconfig, openTransport } from "@celadon/client";
import type { Attributes, AuthorizerDecision } from "@celadon/kube-cel";
import type { CompiledAuthorization } from "@celadon/kube-cel/access";
import { ALWAYS_ALLOW, firstToAllow } from "./access.ts";
import { type AskWebhook, WebhookAuthorizer } from "./webhook-authorizer.ts";

/** The authorizers that a server has itself, by the name of their type. */
export type OwnAuthorizers = Readonly<Record<"Node" | "RBAC", Authorizer>>;

/** Options for a chain. */
export interface ConfiguredChainOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Told why a webhook did not answer, or a condition could not be evaluated. */
  readonly observe?: (problem: string) => void;
}

const MOST_BYTES = 1024 * 1024;
const ALWAYS_DENY: Authorizer = { authorize: () => ({ decision: "noOpinion", reason: "Everything is forbidden." }) };

/** A chain by a configuration. Until a server has given its own authorizers, nothing is allowed. */
export class ConfiguredChain {
  readonly #options: ConfiguredChainOptions;
  #links: readonly ((own: OwnAuthorizers) => Authorizer)[] = [];
  #types: ReadonlySet<string> = new Set();
  /** Counts configurations: one that is read slowly must not replace a newer one. */
  #newest = 0;

  constructor(options: ConfiguredChainOptions = {}) {
    this.#options = options;
  }

  /** Puts a valid configuration in force; the problem if it cannot be. */
  async use({ authorizers }: CompiledAuthorization): Promise<string | undefined> {
    const types = new Set(authorizers.map(({ type }) => type));
    const missing = [...this.#types].filter((type) => type !== "Webhook" && !types.has(type));
    if (missing.length > 0) return `missing required types: [${missing.sort().join(" ")}]`;
    const number = ++this.#newest;
    const { now = Date.now, observe = () => {} } = this.#options;
    const links: ((own: OwnAuthorizers) => Authorizer)[] = [];
    for (const { type, name, webhook } of authorizers) {
      if (webhook !== undefined) {
        const { type: connection, kubeConfigFile } = webhook.webhook.connectionInfo ?? {};
        if (connection !== "KubeConfigFile") return `${name}: connectionInfo.type ${connection} is not supported`;
        let ask: AskWebhook;
        try {
          ask = await webhookOf(kubeConfigFile ?? "");
        } catch (error) {
          return `${name}: ${(error as Error).message}`;
        }
        const authorizer = new WebhookAuthorizer(name, webhook, ask, { now, observe });
        links.push(() => authorizer);
      } else if (type === "Node" || type === "RBAC") links.push((own) => own[type]);
      else if (type === "AlwaysAllow") links.push(() => ALWAYS_ALLOW);
      else if (type === "AlwaysDeny") links.push(() => ALWAYS_DENY);
      else return `authorizers of type ${type} are not supported`;
    }
    if (number !== this.#newest) return "a newer configuration came before this one was read";
    this.#links = links;
    this.#types = types;
    return undefined;
  }

  /** The authorizer of a server. */
  over(own: OwnAuthorizers): Authorizer {
    return {
      authorize: (attributes: Attributes): Promise<AuthorizerDecision> =>
        firstToAllow(
          this.#links.map((link) => link(own)),
          attributes,
        ),
    };
  }
}

const isReset = (error: unknown): boolean =>
  error instanceof ConnectionError && (error.cause as NodeJS.ErrnoException | undefined)?.code === "ECONNRESET";

/** Sends reviews to the cluster of a kubeconfig, with its credentials. */
async function webhookOf(path: string): Promise<AskWebhook> {
  const transport = openTransport(await connectionFromKubeconfig({ path }), "celadon");
  return async (body, timeoutMs) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const send = () => transport.send({ method: "POST", path: "", body, signal, timeoutMs });
      const answer = await send().catch((error: unknown) => {
        // A webhook may close a kept connection at any time, which must not put its failure policy in force.
        if (isReset(error)) return send();
        throw error;
      });
      const text = await answer.text(MOST_BYTES);
      if (answer.status >= 200 && answer.status < 300) return text;
      throw new Error(`status ${answer.status}`);
    } catch (error) {
      throw signal.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error;
    }
  };
}
