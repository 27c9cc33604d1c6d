// The targets of the bodies: a definition with one field for each way in which values are checked, and an object of each kind for patches.

import type { Client } from "../server/client.ts";
import { asJson, CONFIG_MAPS, configMap, definitionOf, members, NAMESPACE, PODS, pod, repeat } from "./samples.ts";

const TEXT = { type: "string" };
const set = (items: object): object => ({ type: "array", "x-kubernetes-list-type": "set", items });
const keyed = (keys: readonly string[], properties: object): object => ({
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": keys,
  items: { type: "object", required: keys, properties },
});
const list = (items: object): object => ({ type: "array", items });

const FIELDS = {
  enums: list({ type: "string", enum: repeat(200, (i) => `value-number-${i}`) }),
  set: set(TEXT),
  nums: set({ type: "integer" }),
  map: keyed(["name"], { name: TEXT }),
  map2: keyed(["a", "b"], { a: TEXT, b: { type: "integer" } }),
  objset: set({ type: "object", "x-kubernetes-map-type": "atomic", properties: { a: TEXT } }),
  ruled: {
    ...list({
      type: "object",
      properties: { a: { type: "integer" } },
      "x-kubernetes-validations": [{ rule: "self.a >= 0", message: "bad" }],
    }),
    maxItems: 100_000,
  },
  any: { "x-kubernetes-preserve-unknown-fields": true },
  pat: list({ type: "string", pattern: "^(a+)+$" }),
  patb: { type: "string", pattern: "(a?){100}(b|c)*d" },
  oneof: list({ type: "string", oneOf: repeat(20, (i) => ({ enum: repeat(10, (j) => `v${i}${j}`) })) }),
  fmt: list({ type: "string", format: "date-time" }),
  defs: list({
    type: "object",
    properties: members(20, (i) => [`p${i}`, { type: "string", default: "some default value" }]),
  }),
  maxl: list({ type: "string", maxLength: 3 }),
  req: list({
    type: "object",
    required: repeat(30, (i) => `field${i}`),
    properties: members(30, (i) => [`field${i}`, TEXT]),
  }),
};

const SCHEMA = { type: "object", properties: { spec: { type: "object", properties: FIELDS } } };
const DEPLOYMENT = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: {
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "a" }] } },
  },
};

const THING = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "t" }, spec: { any: {} } };
const DEFINITION = definitionOf("things", "example.com", "Thing", SCHEMA);

export async function setUp(client: Client): Promise<void> {
  const create = async (path: string, body: object | string): Promise<void> => {
    const { code, body: answer } = await client.call("POST", path, body);
    if (code !== 201) throw new Error(`${path}: ${code} ${asJson(answer).slice(0, 500)}`);
  };
  const named = (name: string, data: object): string => String(configMap({ metadata: { name }, data }).body);
  await create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
  await create(CONFIG_MAPS, named("target", { a: "x".repeat(1_000) }));
  await create(
    CONFIG_MAPS,
    named(
      "big",
      members(40_000, (i) => [`k${i}`, "v"]),
    ),
  );
  await create(PODS, { ...pod({}), metadata: { name: "t" } });
  await create("/apis/example.com/v1/namespaces/default/things", THING);
  await create(`/apis/apps/v1${NAMESPACE.slice("/api/v1".length)}/deployments`, DEPLOYMENT);
}
