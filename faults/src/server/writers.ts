// Writers and watchers for servers that are killed. Writers record every acknowledgement, watchers resume from the last version they saw, and both
// are compared at the end.

import { Findings, pause, until } from "../campaign.ts";
import type { Random } from "../random.ts";
import { Broken, type Client } from "./client.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const LABEL = "labelSelector=campaign%3Dyes";

/** The time after which clients retry. */
const RETRY_MS = 40;

interface Noted {
  readonly id: string;
  readonly name: string;
  /** The acknowledged version; absent when the response was lost. */
  readonly version?: number;
}

/** An acknowledged deletion. */
interface Deleted {
  readonly name: string;
  /** The last acknowledged version before the deletion. */
  readonly after: number;
}

interface Seen {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly version: number;
}

export interface WriterOptions {
  /** Errors that are correct while etcd is unavailable; the write may have been carried out. */
  readonly isOutage?: (code: number) => boolean;
}

/** Writes ConfigMaps, each with its own id, until it is stopped. */
export class Writers {
  readonly #isOutage: (code: number) => boolean;
  /** Errors during outages, by message. */
  readonly outages: Map<string, number> = new Map();
  readonly noted: Noted[] = [];
  readonly deleted: Deleted[] = [];
  readonly #versions = new Map<string, number>();
  /** Responses that no client should see, by code. */
  readonly failures: Map<string, number> = new Map();
  /** Requests that the policy denied, as it must. */
  denied = 0;
  passed = 0;
  longestOutage = 0;
  #last = Date.now();
  #next = 0;
  #isOver = false;
  readonly #running: Promise<void>[] = [];

  constructor({ isOutage = () => false }: WriterOptions = {}) {
    this.#isOutage = isOutage;
  }

  start(client: () => Client, count: number, random: Random): void {
    for (let i = 0; i < count; i++) this.#running.push(this.#write(client, `w${this.#running.length}`, random));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async #write(client: () => Client, writer: string, random: Random): Promise<void> {
    while (!this.#isOver) {
      const id = `${writer}.${this.#next++}`;
      // Each writer has its own names, so that a conflict is never caused by another writer.
      const name = `${writer}-${random(20)}`;
      try {
        if (random(10) === 0) await this.#forbidden(client(), name);
        else await this.#apply(client(), name, id, random);
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        await pause(RETRY_MS);
      }
      await pause(2);
    }
  }

  /** Writes something that the policy denies: a restarted server must enforce it at once. */
  async #forbidden(client: Client, name: string): Promise<void> {
    const { code, body } = await client.call("POST", CONFIG_MAPS, configMap(`${name}-no`, "no", { deny: "yes" }));
    if (code === 422 && body.message.includes("denied request")) this.denied += 1;
    else if (code === 201) this.passed += 1;
    else this.#fail(code, body);
  }

  async #apply(client: Client, name: string, id: string, random: Random): Promise<void> {
    const isDeletion = random(5) === 0;
    try {
      const { code, body } = isDeletion
        ? await client.call("DELETE", `${CONFIG_MAPS}/${name}`)
        : await client.call(
            "PATCH",
            `${CONFIG_MAPS}/${name}?fieldManager=campaign&force=true`,
            configMap(name, id, { padding: "x".repeat(random(3_000)) }),
            "application/apply-patch+yaml",
          );
      if (code >= 300) {
        if (this.#isOutage(code) && !isDeletion) this.noted.push({ id, name });
        if (!(isDeletion && code === 404)) this.#fail(code, body);
        return;
      }
      const now = Date.now();
      this.longestOutage = Math.max(this.longestOutage, now - this.#last);
      this.#last = now;
      if (isDeletion) {
        this.deleted.push({ name, after: this.#versions.get(name) ?? 0 });
        return;
      }
      const version = Number(body.metadata.resourceVersion);
      this.#versions.set(name, version);
      this.noted.push({ id, name, version });
    } catch (error) {
      if (error instanceof Broken && !error.isRefused && !isDeletion) this.noted.push({ id, name });
      throw error;
    }
  }

  #fail(code: number, body: { reason?: string; message?: string }): void {
    const what = `${code} ${body?.reason ?? ""}: ${String(body?.message ?? body).slice(0, 120)}`;
    const counts = this.#isOutage(code) ? this.outages : this.failures;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
}

function configMap(name: string, id: string, data: Record<string, string>): object {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, labels: { campaign: "yes" } },
    data: { id, ...data },
  };
}

/** Watches from the beginning and resumes from the last version it saw, through all faults of the server. */
export class Watcher {
  readonly seen: Seen[] = [];
  readonly problems: string[] = [];
  resumed = 0;
  #version: number;
  #isOver = false;
  #stop: () => void = () => {};
  readonly #running: Promise<void>;

  constructor(client: () => Client, from: number) {
    this.#version = from;
    this.#running = this.#watch(client);
  }

  get version(): number {
    return this.#version;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#stop();
    await this.#running;
  }

  async #watch(client: () => Client): Promise<void> {
    while (!this.#isOver) {
      const path = `${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true&${LABEL}&resourceVersion=${this.#version}`;
      const { ended, stop } = client().watch(path, (event) => this.#event(event));
      this.#stop = stop;
      const code = await ended;
      if (code === 200) this.resumed += 1;
      else if (code !== 0 && code !== 429 && code < 500) this.problems.push(`a watch was answered ${code}`);
      await pause(RETRY_MS);
    }
  }

  #event({
    type,
    object,
  }: {
    type: string;
    object: { metadata?: { resourceVersion?: string; name?: string }; data?: { id?: string }; message?: string };
  }): void {
    if (type === "ERROR") {
      this.problems.push(`a watch from ${this.#version} failed: ${object.message}`);
      return;
    }
    const version = Number(object.metadata?.resourceVersion);
    if (type !== "BOOKMARK") {
      if (version <= this.#version) this.problems.push(`version ${version} came after ${this.#version}`);
      this.seen.push({ type, name: object.metadata?.name ?? "", id: object.data?.id ?? "", version });
    }
    this.#version = Math.max(this.#version, version);
  }
}

/** Waits until the watchers have seen everything, then compares acknowledged writes with watched events and stored objects. */
export async function verify(
  client: Client,
  writers: Writers,
  watchers: readonly Watcher[],
): Promise<{ findings: Findings; events: number }> {
  const findings = new Findings();
  const { body: list } = await client.call("GET", `${CONFIG_MAPS}?${LABEL}`, undefined, undefined, 60_000);
  const head = Math.max(0, ...list.items.map((item: Item) => Number(item.metadata.resourceVersion)));
  const last = Math.max(head, ...writers.noted.map(({ version = 0 }) => version));
  if (!(await until(() => watchers.every(({ version }) => version >= last), 60))) {
    findings.problem(`watchers came to ${watchers.map(({ version }) => version).join(", ")}, not to ${last}`);
  }
  findings.problem(...watchers.flatMap(({ problems }) => problems));
  const [truth, ...others] = watchers;
  const history = truth!.seen;
  const upTo = (seen: readonly Seen[]): string => JSON.stringify(seen.filter(({ version }) => version <= last));
  if (others.some(({ seen }) => upTo(seen) !== upTo(history))) findings.problem("two watchers saw different histories");
  compareWrites(writers, history, findings);
  compareDeletions(writers, history, findings);
  compareState(list.items, history, findings);
  if (writers.passed > 0) findings.problem(`${writers.passed} writes passed that a policy denies`);
  for (const [what, times] of writers.failures) findings.problem(`${times} requests were answered ${what}`);
  return { findings, events: history.length };
}

interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data: { readonly id: string };
}

function compareWrites({ noted }: Writers, history: readonly Seen[], findings: Findings): void {
  const byId = new Map<string, Seen>();
  for (const event of history) {
    if (event.type === "DELETED") continue;
    if (byId.has(event.id)) findings.problem(`write ${event.id} is in the history twice`);
    byId.set(event.id, event);
  }
  for (const { id, name, version } of noted) {
    const found = byId.get(id);
    byId.delete(id);
    if (version === undefined) {
      if (found === undefined) findings.unacknowledgedAbsent += 1;
      else findings.unacknowledgedFound += 1;
    } else if (found?.version === version && found.name === name) findings.acknowledged += 1;
    else
      findings.lose(
        `write ${id} of ${name} was acknowledged as version ${version}; watchers saw ${JSON.stringify(found)}`,
      );
  }
  for (const id of byId.keys()) findings.problem(`write ${id} was never made, or refused, and is there`);
}

/** Every acknowledged deletion is in the history, after the last version its writer knew. */
function compareDeletions({ deleted }: Writers, history: readonly Seen[], findings: Findings): void {
  const versions = new Map<string, number[]>();
  for (const { type, name, version } of history) {
    if (type === "DELETED") versions.set(name, [...(versions.get(name) ?? []), version]);
  }
  for (const { name, after } of deleted) {
    const of = versions.get(name) ?? [];
    const at = of.findIndex((version) => version > after);
    if (at === -1) findings.lose(`the deletion of ${name} after ${after} was acknowledged and nobody saw it`);
    else of.splice(0, at + 1);
  }
}

/** The stored objects match the history. */
function compareState(items: readonly Item[], history: readonly Seen[], findings: Findings): void {
  const state = new Map<string, Seen>();
  for (const event of history) {
    if (event.type === "DELETED") state.delete(event.name);
    else state.set(event.name, event);
  }
  if (items.length !== state.size)
    findings.problem(`${items.length} objects are there; the history leads to ${state.size}`);
  for (const { metadata, data } of items) {
    const event = state.get(metadata.name);
    if (event?.id !== data.id || event.version !== Number(metadata.resourceVersion)) {
      findings.problem(`${metadata.name} is not what was written to it last`);
    }
  }
}

/** The policy that writers test. */
export const POLICY = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: campaign}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]
  validations: [{expression: "!has(object.data) || !('deny' in object.data)", message: "deny is denied"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: campaign}
spec: {policyName: campaign, validationActions: [Deny]}
`;
