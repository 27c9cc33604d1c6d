// The certificates a program serves with: from files that its host replaces, or from a Secret that all replicas share, made by the first
// replica, renewed by the leader, and created again after a deletion.

import { type Api, Reflector } from "@celadon/client";
import {
  CHECK_MS,
  ensureCertificates,
  isServable,
  readCertificates,
  SECRETS,
  type ServingCertificates,
} from "./certificates.ts";
import { retried } from "./retried.ts";

export interface KeptCertificates {
  readonly namespace: string;
  readonly secret: string;
  /** The names by which clients call the program. */
  readonly names: readonly string[];
}

export interface ManagedOptions {
  readonly changed: (certificates: ServingCertificates) => void;
  readonly failed: (what: string, error: unknown) => void;
}

export class ManagedCertificates {
  readonly #api: Api;
  readonly #source: KeptCertificates | ServingCertificates;
  readonly #options: ManagedOptions;
  #current: ServingCertificates | undefined;
  #watch: Reflector | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #stop = new AbortController();
  #leads = false;

  constructor(api: Api, source: KeptCertificates | ServingCertificates, options: ManagedOptions) {
    this.#api = api;
    this.#source = source;
    this.#options = options;
    if ("certificate" in source) this.#current = source;
  }

  /** Undefined before `start`. */
  get current(): ServingCertificates | undefined {
    return this.#current;
  }

  /** Any replica may make the first ones: the API server takes one of them. */
  async start(): Promise<ServingCertificates> {
    const source = this.#source;
    if ("certificate" in source) return this.#current ?? source;
    const made = await retried(() => ensureCertificates(this.#api, source), {
      failed: (error) => this.#options.failed("certificates", error),
      signal: this.#stop.signal,
    });
    this.#current = made;
    this.#watch = new Reflector(this.#api, SECRETS, {
      namespace: source.namespace,
      fieldSelector: `metadata.name=${source.secret}`,
      changed: (changes) => {
        const last = changes.at(-1);
        const read = last?.deleted === false ? readCertificates(last.object) : undefined;
        if (read !== undefined && isServable(read, Date.now())) this.replace(read);
        // Deleted, ended, or outdated; a correct one is left alone.
        if (this.#leads && changes.length > 0) void this.#renew(source);
      },
      failed: (error) => this.#options.failed(`secret ${source.secret}`, error),
    });
    this.#watch.start();
    return made;
  }

  replace(certificates: ServingCertificates): void {
    const { certificate, caBundle } = this.#current ?? {};
    if (certificate === certificates.certificate && caBundle === certificates.caBundle) return;
    this.#current = certificates;
    this.#options.changed(certificates);
  }

  lead(leads: boolean): void {
    this.#leads = leads;
    clearInterval(this.#timer);
    const source = this.#source;
    if (!leads || "certificate" in source) return;
    this.#timer = setInterval(() => void this.#renew(source), CHECK_MS);
    this.#timer.unref();
    void this.#renew(source);
  }

  async stop(): Promise<void> {
    this.#leads = false;
    this.#stop.abort();
    clearInterval(this.#timer);
    await this.#watch?.stop();
  }

  async #renew(source: KeptCertificates): Promise<void> {
    try {
      this.replace(await ensureCertificates(this.#api, source, this.#current));
    } catch (error) {
      this.#options.failed("certificates", error);
    }
  }
}
