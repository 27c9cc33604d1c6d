// The requests to the servers. A scenario's requests are numbered without end, so that it can be run again.

import type { IncomingMessage } from "node:http";
import type { Client, Json } from "./client.ts";
import { configMap, definition, deployment, GROUP, pod, podPolicy, probe } from "./objects.ts";

export interface Scenario {
  readonly name: string;
  /** Milliseconds of CPU for a request that are wanted. */
  readonly goalMs: number;
  /** Every how manieth of the requests others make. */
  readonly share?: number;
  prepare?(client: Client): Promise<void>;
  request(client: Client, n: number): Promise<unknown>;
}

const NAMESPACE = "bench";
const CORE = `/api/v1/namespaces/${NAMESPACE}`;
const CONFIG_MAPS = `${CORE}/configmaps`;
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
const PROBES = `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/probes`;
const ADMISSION = "/apis/admissionregistration.k8s.io/v1";

const MERGE_PATCH = "application/merge-patch+json";
const APPLY_PATCH = "application/apply-patch+yaml";
export const LISTED = 1000;
export const POLICIES = 20;

const create = (client: Client, path: string, body: object): Promise<unknown> => client.call("POST", path, { body });

export async function makeNamespace(client: Client): Promise<void> {
  await create(client, "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
}

const apply = (client: Client, name: string, revision: number): Promise<unknown> =>
  client.call("PATCH", `${DEPLOYMENTS}/${name}?fieldManager=bench&force=true`, {
    type: APPLY_PATCH,
    body: deployment(name, revision),
  });

const dryRunPod = (client: Client, n: number): Promise<unknown> =>
  create(client, `${CORE}/pods?dryRun=All`, pod(`pod-${n}`));

/** Delete works on what create has left, so their order matters. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: "create a ConfigMap",
    goalMs: 0.49,
    request: (client, n) => create(client, CONFIG_MAPS, configMap(`made-${n}`, "made")),
  },
  {
    name: "get",
    goalMs: 0.25,
    request: (client, n) => client.call("GET", `${CONFIG_MAPS}/made-${n}`),
  },
  {
    name: "merge patch",
    goalMs: 0.58,
    request: (client, n) =>
      client.call("PATCH", `${CONFIG_MAPS}/made-${n}`, { type: MERGE_PATCH, body: { data: { level: `debug-${n}` } } }),
  },
  {
    name: "delete",
    goalMs: 0.51,
    request: (client, n) => client.call("DELETE", `${CONFIG_MAPS}/made-${n}`),
  },
  {
    name: `list of ${LISTED.toLocaleString("en")}`,
    goalMs: 3.9,
    share: 5,
    async prepare(client) {
      for (let n = 0; n < LISTED; n++) await create(client, CONFIG_MAPS, configMap(`listed-${n}`, "listed"));
      const { items } = await client.json("GET", `${CONFIG_MAPS}?labelSelector=set%3Dlisted`);
      if (items.length !== LISTED) throw new Error(`a list of ${items.length} instead of ${LISTED}`);
    },
    request: (client) => client.call("GET", `${CONFIG_MAPS}?labelSelector=set%3Dlisted`),
  },
  {
    name: "apply of a Deployment",
    goalMs: 2.5,
    share: 2,
    // Twenty in turn, so that nothing conflicts.
    request: (client, n) => apply(client, `applied-${n % 20}`, Math.floor(n / 20)),
  },
  {
    name: "apply that changes nothing",
    goalMs: 2.2,
    share: 2,
    async prepare(client) {
      for (let n = 0; n < 20; n++) await apply(client, `same-${n}`, 1);
    },
    request: (client, n) => apply(client, `same-${n % 20}`, 1),
  },
  {
    name: "custom resource with five rules",
    goalMs: 0.89,
    async prepare(client) {
      await create(client, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition());
      await until(
        async () =>
          (await client.call("POST", PROBES, { body: probe("first"), expect: [201, 404, 409, 429, 503] })).code !== 404,
      );
      // A path may be served before all of its parts are.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      await client.call("POST", PROBES, { body: probe("broken", 9), expect: [422] });
    },
    request: (client, n) => create(client, PROBES, probe(`probe-${n}`)),
  },
  { name: "dry run of a Pod", goalMs: 0.88, request: dryRunPod },
  {
    name: `dry run of a Pod, ${POLICIES} matching policies`,
    goalMs: 0.88 + POLICIES * 0.072,
    async prepare(client) {
      for (let n = 0; n < POLICIES; n++) {
        const [policy, binding] = podPolicy(`bench-${n}`);
        await create(client, `${ADMISSION}/validatingadmissionpolicies`, policy);
        await create(client, `${ADMISSION}/validatingadmissionpolicybindings`, binding);
      }
      const latest: Json = pod("latest");
      latest.spec.containers[0].image = "registry.example.com/app:latest";
      const path = `${CORE}/pods?dryRun=All`;
      await until(async () => {
        const { code, body } = await client.call("POST", path, { body: latest, expect: [201, 422] });
        return code === 422 && JSON.parse(body.toString()).message.includes("bench-");
      });
      // kube-apiserver takes policies into force one after the other.
      await new Promise((resolve) => setTimeout(resolve, 3000));
    },
    request: dryRunPod,
  },
];

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 150; i++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("what was waited for did not happen");
}

export interface FanOut {
  readonly watchers: number;
  readonly events: number;
  /** Writes before anybody watches. */
  readonly warmUp: number;
}

const touch = (client: Client, level: string): Promise<unknown> =>
  client.call("PATCH", `${CONFIG_MAPS}/watched`, { type: MERGE_PATCH, body: { data: { level } } });

/** Writes to one object that many watch; resolves when every watcher has every event. */
export async function openFanOut(
  client: Client,
  { watchers, events, warmUp }: FanOut,
): Promise<{ run(): Promise<void>; close(): void }> {
  await client.call("POST", CONFIG_MAPS, { body: configMap("watched", "watched"), expect: [201, 409] });
  // The writes cost as well; their cost is measured first and subtracted.
  for (let i = 0; i < warmUp; i++) await touch(client, `warm-${i}`);
  const selected = `${CONFIG_MAPS}?labelSelector=set%3Dwatched`;
  const { metadata } = await client.json("GET", selected);
  let seen = 0;
  let expected = 0;
  let complete = (): void => {};
  const streams: IncomingMessage[] = [];
  for (let i = 0; i < watchers; i++) {
    const stream = await client.watch(`${selected}&watch=1&resourceVersion=${metadata.resourceVersion}`);
    stream.on("data", (chunk: Buffer) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) seen++;
      if (seen >= expected) complete();
    });
    stream.on("error", () => {});
    streams.push(stream);
  }
  let n = 0;
  return {
    async run() {
      seen = 0;
      expected = watchers * events;
      const all = new Promise<void>((resolve) => (complete = resolve));
      for (let i = 0; i < events; i++) {
        await touch(client, String(n++));
      }
      await all;
    },
    close() {
      for (const stream of streams) stream.destroy();
    },
  };
}
