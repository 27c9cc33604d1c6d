// Leader election by a Lease: one of several replicas writes, the others wait. The leader renews; if it cannot renew in time it stops
// leading before another may start, by its own clock alone. The clocks of two machines are never compared.

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { GroupVersionResource, KubeObject } from "@celadon/kube";
import { type Api, ApiError } from "./api.ts";
import { sleep } from "./backoff.ts";

/** The resource of leases. */
export const LEASES: GroupVersionResource = { group: "coordination.k8s.io", version: "v1", resource: "leases" };

/** The lease that is contended for, and its times. */
export interface ElectionOptions {
  readonly namespace: string;
  readonly name: string;
  /** Unique to this process. */
  readonly identity?: string;
  /** The time for which others wait for a silent leader. */
  readonly leaseMs?: number;
  /** The time for which a leader tries to renew before it gives up. Less than leaseMs. */
  readonly renewMs?: number;
  readonly retryMs?: number;
  /** Milliseconds that never go back, for waiting. */
  readonly now?: () => number;
  readonly started: () => void;
  /** Must stop writing at once. */
  readonly stopped: () => void;
  readonly failed?: (error: unknown) => void;
}

interface LeaseSpec {
  readonly holderIdentity?: string | null;
  readonly leaseDurationSeconds?: number | null;
  readonly acquireTime?: string | null;
  readonly renewTime?: string | null;
  readonly leaseTransitions?: number | null;
}

/** Holds a lease while this process is alive, so that one of several acts. */
export class LeaderElection {
  readonly identity: string;
  readonly #api: Api;
  readonly #options: Required<Pick<ElectionOptions, "leaseMs" | "renewMs" | "retryMs" | "now">> & ElectionOptions;
  readonly #stop = new AbortController();
  #done: Promise<void> | undefined;
  #leads = false;
  /** The last record seen and when it was, by this machine's clock. */
  #seen: { readonly record: string; readonly at: number } | undefined;
  #renewed = 0;

  constructor(api: Api, options: ElectionOptions) {
    this.#api = api;
    this.identity = options.identity ?? `${hostname()}_${randomUUID()}`;
    this.#options = { leaseMs: 15_000, renewMs: 10_000, retryMs: 2_000, now: () => performance.now(), ...options };
  }

  get leads(): boolean {
    return this.#leads;
  }

  start(): void {
    this.#done ??= this.#run();
  }

  /** Gives the lease back, so that another may start at once. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const { retryMs, renewMs, now, failed } = this.#options;
    while (!signal.aborted) {
      try {
        // A renewal that takes longer than a leader may be silent is of no use. Others count from the arrival at the server, which is never
        // before the request.
        const asked = now();
        const left = this.#leads ? Math.max(0, this.#renewed + renewMs - asked) : renewMs;
        const got = await this.#acquire(AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(left))]));
        if (got) this.#renewed = asked;
        this.#lead(got);
      } catch (error) {
        if (!signal.aborted && !isConflict(error)) failed?.(error);
      }
      if (this.#leads && now() - this.#renewed >= renewMs) this.#lead(false);
      await sleep(retryMs, signal);
    }
    const led = this.#leads;
    this.#lead(false);
    if (led) await this.#release().catch(() => {}); // it ends by itself
  }

  #lead(leads: boolean): void {
    if (leads === this.#leads) return;
    this.#leads = leads;
    if (leads) this.#options.started();
    else this.#options.stopped();
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    const { namespace, name, leaseMs, now } = this.#options;
    const time = microTime();
    const lease = await this.#api.find(LEASES, { namespace, name }, { signal });
    if (lease === undefined) {
      const spec: LeaseSpec = {
        holderIdentity: this.identity,
        leaseDurationSeconds: seconds(leaseMs),
        acquireTime: time,
        renewTime: time,
        leaseTransitions: 0,
      };
      await this.#api.create(
        LEASES,
        { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name, namespace }, spec },
        { namespace, signal },
      );
      return true;
    }
    const spec = (lease.spec ?? {}) as LeaseSpec;
    const held = spec.holderIdentity ?? "";
    if (held !== this.identity && held !== "" && !this.#isOver(spec, now())) return false;
    const mine = held === this.identity;
    const renewed: LeaseSpec = {
      ...spec,
      holderIdentity: this.identity,
      leaseDurationSeconds: seconds(leaseMs),
      renewTime: time,
      ...(!mine && { acquireTime: time, leaseTransitions: (spec.leaseTransitions ?? 0) + 1 }),
    };
    // The resource version goes along: of two that try, one gets a conflict.
    await this.#api.update(LEASES, { namespace, name }, { ...lease, spec: renewed }, { signal });
    return true;
  }

  /** A record that has not changed for its whole duration, as seen from here. */
  #isOver(spec: LeaseSpec, now: number): boolean {
    const record = JSON.stringify(spec);
    if (this.#seen?.record !== record) {
      this.#seen = { record, at: now };
      return false;
    }
    return now - this.#seen.at > (spec.leaseDurationSeconds ?? 0) * 1000;
  }

  async #release(): Promise<void> {
    const { namespace, name } = this.#options;
    const lease = await this.#api.get(LEASES, { namespace, name }, { timeoutMs: 2_000 });
    const spec = (lease.spec ?? {}) as LeaseSpec;
    if (spec.holderIdentity !== this.identity) return;
    const given: KubeObject = {
      ...lease,
      spec: { ...spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: microTime() },
    };
    await this.#api.update(LEASES, { namespace, name }, given, { timeoutMs: 2_000 });
  }
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** RFC 3339 with six digits, the format of MicroTime. */
function microTime(): string {
  return new Date().toISOString().replace("Z", "000Z");
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 409;
}
