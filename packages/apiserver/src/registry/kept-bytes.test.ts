// A write keeps the bytes of everything that it does not name: integers of 64 bits, doubles, texts and the order of members, through every
// verb and type of patch, mutating policies, webhooks and conversion. Numbers come back as Go writes them: a whole double has no point.

import { encodeBase64, encodeUtf8, toExactJson, toJson } from "@celadon/base";
import { readJson } from "@celadon/kube/read";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { LocalClient, Reply } from "../client/local-client.ts";
import { testServer } from "../server.testing.ts";
import { asInteger, members, thingsDefinition } from "./kept-bytes.testing.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS = "/apis/example.com/v1/namespaces/default/things";
const SECOND = THINGS.replace("v1", "v2");
const REVISIONS = "/apis/apps/v1/namespaces/default/controllerrevisions";
const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const STRATEGIC_PATCH = "application/strategic-merge-patch+json";
const APPLY_PATCH = "application/apply-patch+yaml";

/** Policies and a webhook that mutate every Thing whose labels ask for it. */
function mutating(name: string, mutation: object): readonly (readonly [path: string, body: object])[] {
  const rule = { apiGroups: ["example.com"], apiVersions: ["*"], operations: ["*"], resources: ["things"] };
  const spec = {
    matchConstraints: { resourceRules: [rule], objectSelector: { matchLabels: { mutate: name } } },
    reinvocationPolicy: "Never",
    mutations: [mutation],
  };
  return [
    ["mutatingadmissionpolicies", { metadata: { name }, spec }],
    ["mutatingadmissionpolicybindings", { metadata: { name }, spec: { policyName: name } }],
  ];
}

const webhook = {
  name: "label.example.com",
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  clientConfig: { url: "https://127.0.0.1:1/" },
  objectSelector: { matchLabels: { mutate: "webhook" } },
  rules: [{ apiGroups: ["example.com"], apiVersions: ["*"], operations: ["CREATE", "UPDATE"], resources: ["things"] }],
};

const made = [
  ...mutating("operations", {
    patchType: "JSONPatch",
    jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/labels/operations", value: "done"}]' },
  }),
  ...mutating("configuration", {
    patchType: "ApplyConfiguration",
    applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"configuration": "done"}}}' },
  }),
  ["mutatingwebhookconfigurations", { metadata: { name: "label" }, webhooks: [webhook] }],
] as const;

let admin: LocalClient;
beforeAll(async () => {
  const patch = [{ op: "add", path: "/metadata/labels/webhook", value: "done" }];
  const answer = { allowed: true, patchType: "JSONPatch", patch: encodeBase64(encodeUtf8(JSON.stringify(patch))) };
  const running = await testServer({
    webhooks: {
      call: async ({ review: { apiVersion, kind, request } }) => ({
        status: 200,
        body: JSON.stringify({ apiVersion, kind, response: { ...answer, uid: request?.uid } }),
      }),
    },
  });
  admin = running.admin;
  expect((await admin.call("POST", DEFINITIONS, { body: thingsDefinition() })).code).toBe(201);
  for (const [resource, body] of made) {
    expect((await admin.call("POST", `${ADMISSION}/${resource}`, { body })).text).toContain('"uid"');
  }
  return () => running.server.close();
});

let count = 0;
const fresh = (): string => `thing-${count++}`;

interface Write {
  readonly title: string;
  run(name: string, before: Reply): Promise<Reply>;
}

const label = { metadata: { labels: { x: "y" } } };
const operations = [{ op: "add", path: "/metadata/annotations", value: { x: "y" } }];
const applied = (name: string) => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name },
  spec: { marker: 1 },
});
const patching = (type: string, body: (name: string) => unknown, path = "") => ({
  run: (name: string) => admin.call("PATCH", `${THINGS}/${name}${path}`, { type, body: body(name) }),
});
const labelled = (before: Reply): unknown => {
  const object = readJson(before.text) as { metadata: object };
  return { ...object, metadata: { ...object.metadata, ...label.metadata } };
};

const writes: readonly Write[] = [
  { title: "merge patch of a label", ...patching(MERGE_PATCH, () => label) },
  { title: "merge patch beside it", ...patching(MERGE_PATCH, () => ({ spec: { marker: 1 } })) },
  { title: "JSON patch", ...patching(JSON_PATCH, () => operations) },
  { title: "apply", ...patching(APPLY_PATCH, applied, "?fieldManager=a&force=true") },
  { title: "apply again", ...patching(APPLY_PATCH, applied, "?fieldManager=a&force=true") },
  { title: "dry run", ...patching(MERGE_PATCH, () => label, "?dryRun=All") },
  { title: "status", ...patching(MERGE_PATCH, () => ({ status: { n: 1 } }), "/status") },
  {
    title: "replacement",
    run: (name, before) => admin.call("PUT", `${THINGS}/${name}`, { body: toJson(labelled(before)) }),
  },
  {
    title: "a patch through another version",
    run: (name) =>
      admin.call("PATCH", `${SECOND}/${name}`, { type: MERGE_PATCH, body: { metadata: { labels: { v: "2" } } } }),
  },
  ...["operations", "configuration", "webhook"].map((by) => ({
    title: `mutation by ${by}`,
    async run(name: string): Promise<Reply> {
      const body = { metadata: { labels: { mutate: by } } };
      const reply = await admin.call("PATCH", `${THINGS}/${name}`, { type: MERGE_PATCH, body });
      expect(reply.json().metadata.labels[by]).toBe("done");
      return reply;
    },
  })),
  {
    title: "a deletion that waits for a finalizer",
    async run(name) {
      const body = { metadata: { finalizers: ["example.com/wait"] } };
      await admin.call("PATCH", `${THINGS}/${name}`, { type: MERGE_PATCH, body });
      return admin.call("DELETE", `${THINGS}/${name}`);
    },
  },
];

test("custom resources, through every verb and type of patch", async () => {
  await fc.assert(
    fc.asyncProperty(members, async (data) => {
      const name = fresh();
      const sent = toExactJson({ apiVersion: "example.com/v1", kind: "Thing", metadata: { name }, spec: { data } });
      const created = await admin.call("POST", THINGS, { body: sent });
      expect(created.code, created.text).toBe(201);
      const kept = `"data":${toJson(data)}`;
      expect(created.text).toContain(kept);
      let before = created;
      for (const { title, run } of writes) {
        const reply = await run(name, before);
        expect(reply.code, `${title}: ${reply.text}`).toBe(200);
        expect(reply.text, title).toContain(kept);
        before = await admin.call("GET", `${THINGS}/${name}`);
        expect(before.text, title).toContain(kept);
      }
    }),
    { numRuns: 25 },
  );
});

test("raw JSON in built-in kinds, through strategic patches too", async () => {
  await fc.assert(
    fc.asyncProperty(members, fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(asInteger), async (data, revision) => {
      const name = fresh();
      const body = toExactJson({
        apiVersion: "apps/v1",
        kind: "ControllerRevision",
        metadata: { name },
        data,
        revision,
      });
      const created = await admin.call("POST", REVISIONS, { body });
      expect(created.code, created.text).toBe(201);
      for (const type of [STRATEGIC_PATCH, MERGE_PATCH]) {
        const { code, text } = await admin.call("PATCH", `${REVISIONS}/${name}`, {
          type,
          body: { metadata: { labels: { type: type.slice(12, 20) } } },
        });
        expect(code, text).toBe(200);
        expect(text).toContain(`"data":${toJson(data)}`);
        expect(text).toContain(`"revision":${revision}`);
      }
    }),
    { numRuns: 25 },
  );
});
