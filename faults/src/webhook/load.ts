// Sends requests to the API server one after another for as long as a campaign lasts, alternately allowed and denied. Meanwhile a client that
// trusts only the configuration's CA bundle opens new connections to the webhook.

import { connect } from "node:tls";
import { type Api, ApiError } from "@celadon/client";
import type { Findings } from "../campaign.ts";
import { pause } from "../campaign.ts";

export const CONFIG_MAPS = { group: "", version: "v1", resource: "configmaps" };
export const CONFIGURATIONS = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  resource: "validatingwebhookconfigurations",
};
export const CONFIGURATION = { name: "celadon-webhook" };

export class Load {
  readonly #api: Api;
  readonly #findings: Findings;
  readonly #webhookPort: number;
  #running: Promise<unknown> | undefined;
  #stopped = false;
  requests = 0;
  connections = 0;
  /** The current phase, for problem reports. */
  during = "";
  /** Denied requests may pass, because the configuration was changed on purpose. */
  isOpen = false;
  /** The API server itself is down. */
  isAway = false;

  constructor(api: Api, webhookPort: number, findings: Findings) {
    this.#api = api;
    this.#webhookPort = webhookPort;
    this.#findings = findings;
  }

  start(): void {
    this.#running = Promise.all([this.#run(), this.#connect()]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** Whether a ConfigMap of this name is denied. */
  async isDenied(name: string): Promise<boolean> {
    const { code } = await this.#create(name);
    return code === 422 || code === 403;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const { during } = this;
      const good = await this.#create("good");
      if (good.code !== 201 && !(this.isAway && good.code === 0))
        this.#findings.problem(`${during}: an allowed request got ${good.code} ${good.text.slice(0, 300)}`);
      const bad = await this.#create("bad");
      if (bad.code !== 422 && !this.isOpen && !(this.isAway && bad.code === 0))
        this.#findings.problem(`${during}: a denied request got ${bad.code} ${bad.text.slice(0, 300)}`);
      await pause(5);
    }
  }

  /** 0 when there was no response. */
  async #create(name: string): Promise<{ readonly code: number; readonly text: string }> {
    this.requests++;
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { name } } };
    try {
      await this.#api.create(CONFIG_MAPS, object, { namespace: "default", dryRun: true });
      return { code: 201, text: "" };
    } catch (error) {
      return { code: error instanceof ApiError ? error.code : 0, text: (error as Error).message };
    }
  }

  async #connect(): Promise<void> {
    while (!this.#stopped) {
      const { during } = this;
      const configuration = await this.#api.find(CONFIGURATIONS, CONFIGURATION).catch(() => undefined);
      const [entry] = (configuration?.webhooks ?? []) as readonly { clientConfig: { caBundle: string } }[];
      if (entry !== undefined) {
        const problem = await this.#handshake(Buffer.from(entry.clientConfig.caBundle, "base64").toString());
        this.connections++;
        if (problem !== undefined) this.#findings.problem(`${during}: a new connection failed: ${problem}`);
      }
      await pause(50);
    }
  }

  #handshake(ca: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      const socket = connect({ host: "127.0.0.1", port: this.#webhookPort, ca }, () => {
        socket.destroy();
        resolve(undefined);
      });
      socket.on("error", (error) => resolve(error.message));
    });
  }
}
