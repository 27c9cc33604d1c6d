import { annotationsOf, type KubeObject, metadataOf } from "@celadon/kube";
import { readSchema } from "@celadon/kube/schemas";
import type { Status } from "@celadon/kube/status";
import { describe, expect, test } from "vitest";
import { FieldSet } from "../fieldpath/field-set.ts";
import { builtinMergeType } from "../schema/builtin-types.ts";
import { customMergeType } from "../schema/from-schema.ts";
import { createFieldManager, type FieldManager, type FieldManagerOptions } from "./field-manager.ts";
import type { ManagedFieldsEntry } from "./managed-fields.ts";

const APPS = { group: "apps", version: "v1", kind: "Deployment" };
const type = builtinMergeType(APPS)!;

function manager(more: Partial<FieldManagerOptions> = {}): FieldManager {
  let second = 0;
  return createFieldManager({
    kind: APPS,
    type: (apiVersion) => (apiVersion === "apps/v1" ? type : undefined),
    now: () => `2026-01-01T00:00:${String(second++).padStart(2, "0")}Z`,
    ...more,
  });
}

const deployment = (spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default", ...metadata },
  spec,
});
/** The object as it would be stored: with a uid. */
const stored = (object: KubeObject | Status): KubeObject => {
  expect(object.kind).not.toBe("Status");
  return { ...object, metadata: { ...(object as KubeObject).metadata, uid: "1" } };
};
const owners = (object: KubeObject): object =>
  Object.fromEntries(
    (metadataOf(object).managedFields as ManagedFieldsEntry[]).map((entry) => [
      `${entry.manager} ${entry.operation}${entry.subresource ? ` ${entry.subresource}` : ""}`,
      entry.fieldsV1,
    ]),
  );

describe("apply", () => {
  test("creates, owns the fields it sets, and changes nothing when applied again", () => {
    const fields = manager();
    const config = deployment(
      { replicas: 1, template: { spec: { containers: [{ name: "a", image: "x" }] } } },
      { labels: { l: "1" } },
    );
    const first = stored(fields.apply(undefined, config, "me", false));
    expect(owners(first)).toEqual({
      "me Apply": {
        "f:metadata": { "f:labels": { "f:l": {} } },
        "f:spec": {
          "f:replicas": {},
          "f:template": {
            "f:spec": { "f:containers": { 'k:{"name":"a"}': { ".": {}, "f:image": {}, "f:name": {} } } },
          },
        },
      },
    });
    expect(fields.apply(first, config, "me", false)).toEqual(first);
  });

  test("a field that is no longer set is removed, unless another owns it", () => {
    const fields = manager();
    const object = stored(
      fields.apply(undefined, deployment({ replicas: 1, paused: true, minReadySeconds: 5 }), "one", false),
    );
    const two = stored(fields.apply(object, deployment({ replicas: 1 }), "two", false));
    const rest = stored(fields.apply(two, deployment({ minReadySeconds: 5 }), "one", false));
    expect(rest.spec).toEqual({ replicas: 1, minReadySeconds: 5 });
    expect(owners(rest)).toEqual({
      "one Apply": { "f:spec": { "f:minReadySeconds": {} } },
      "two Apply": { "f:spec": { "f:replicas": {} } },
    });
  });

  test("an item goes with its owner; fields that nobody owned keep it", () => {
    const fields = manager();
    const template = (...containers: object[]): KubeObject => deployment({ template: { spec: { containers } } });
    const first = stored(
      fields.apply(undefined, template({ name: "a", image: "x" }, { name: "b", image: "x" }), "me", false),
    );
    const second = stored(fields.apply(first, template({ name: "b", image: "x" }), "me", false));
    expect(second.spec).toEqual({ template: { spec: { containers: [{ name: "b", image: "x" }] } } });
  });

  test("conflicts: texts and causes", () => {
    const fields = manager();
    const object = stored(fields.apply(undefined, deployment({ replicas: 1, paused: true }), "one", false));
    const two = stored(fields.update(object, deployment({ replicas: 1, paused: false }, { uid: "1" }), "two"));
    const status = fields.apply(two, deployment({ replicas: 3 }), "three", false);
    expect(status).toMatchObject({
      code: 409,
      reason: "Conflict",
      message: `Apply failed with 1 conflict: conflict with "one": .spec.replicas`,
      details: {
        causes: [{ reason: "FieldManagerConflict", message: `conflict with "one"`, field: ".spec.replicas" }],
      },
    });
    const both = fields.apply(two, deployment({ replicas: 3, paused: true }), "three", false) as Status;
    expect(both.message).toBe(
      `Apply failed with 2 conflicts: conflicts with "one":\n- .spec.replicas\nconflicts with "two" using apps/v1:\n- .spec.paused`,
    );
  });

  test("force takes ownership from others", () => {
    const fields = manager();
    const object = stored(fields.apply(undefined, deployment({ replicas: 1 }), "one", false));
    const taken = stored(fields.apply(object, deployment({ replicas: 3 }), "two", true));
    expect(taken.spec).toEqual({ replicas: 3 });
    expect(owners(taken)).toEqual({ "two Apply": { "f:spec": { "f:replicas": {} } } });
  });

  test("the same value is shared, without its own time", () => {
    const fields = manager();
    const object = stored(fields.apply(undefined, deployment({ replicas: 1 }), "one", false));
    const both = stored(fields.apply(object, deployment({ replicas: 1 }), "two", false));
    expect(both.metadata?.managedFields).toMatchObject([
      { manager: "two" },
      { manager: "one", time: "2026-01-01T00:00:00Z" },
    ]);
    expect(both.metadata?.managedFields?.[0]).not.toHaveProperty("time");
  });

  test("an object that nobody owned gets an owner before the first apply", () => {
    const fields = manager();
    const live = deployment({ replicas: 1 }, { uid: "1" });
    const status = fields.apply(live, deployment({ replicas: 2 }), "me", false) as Status;
    expect(status.message).toBe(
      `Apply failed with 1 conflict: conflict with "before-first-apply" using apps/v1: .spec.replicas`,
    );
  });

  // biome-ignore format: one text per line
  const refused: [KubeObject, number, string][] = [
    [deployment({ replicas: "3" }),            500, "failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string"],
    [deployment({ replica: 3 }),               500, "failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.replica: field not declared in schema"],
    [{ ...deployment({}), apiVersion: "v1" },  400, "invalid object type: /v1, Kind=Deployment"],
    [deployment({}, { managedFields: [] }),    400, "metadata.managedFields must be nil"],
  ];
  test.each(refused)("refused %#", (config, code, message) => {
    expect(manager().apply(undefined, config, "me", false)).toMatchObject({ code, message });
  });

  test("managedFields that cannot be read stop it", () => {
    const live = deployment({}, { uid: "1", managedFields: [{ manager: "x" }] });
    expect(manager().apply(live, deployment({}), "me", false)).toMatchObject({
      code: 500,
      message: "failed to decode managed fields: operation must be `Apply` or `Update`",
    });
  });

  test("kubectl takes over its client-side fields, and keeps its annotation", () => {
    const fields = manager();
    const annotation = "kubectl.kubernetes.io/last-applied-configuration";
    const applied = JSON.stringify(deployment({ replicas: 1 }));
    const created = stored(
      fields.update(
        undefined,
        deployment({ replicas: 1 }, { annotations: { [annotation]: applied } }),
        "kubectl-client-side-apply",
      ),
    );
    const taken = stored(fields.apply(created, deployment({ replicas: 2 }), "kubectl", false));
    expect(taken.spec).toEqual({ replicas: 2 });
    expect(JSON.parse(annotationsOf(taken)[annotation]!)).toEqual(deployment({ replicas: 2 }));
    expect(fields.apply(created, deployment({ replicas: 2 }), "other", false)).toMatchObject({ code: 409 });
  });
});

describe("update", () => {
  test("an update owns the fields it changes, and takes them from others", () => {
    const fields = manager();
    const created = stored(fields.update(undefined, deployment({ replicas: 1, paused: true }), "one"));
    const changed = stored(fields.update(created, deployment({ replicas: 2, paused: true }, { uid: "1" }), "two"));
    expect(owners(changed)).toEqual({
      "one Update": { "f:spec": { ".": {}, "f:paused": {} } },
      "two Update": { "f:spec": { "f:replicas": {} } },
    });
  });

  test("a blank object has only what exists anyway", () => {
    const blank = { apiVersion: "apps/v1", kind: "Deployment", metadata: {}, spec: {}, status: {} };
    const created = manager({ blank }).update(undefined, { ...deployment({ replicas: 1 }), status: {} }, "one");
    expect(owners(created)).toEqual({ "one Update": { "f:spec": { "f:replicas": {} } } });
  });

  test("an object without owners stays without", () => {
    const live = deployment({ replicas: 1 }, { uid: "1" });
    expect(manager().update(live, deployment({ replicas: 2 }, { uid: "1" }), "me")).toEqual(
      deployment({ replicas: 2 }, { uid: "1" }),
    );
  });

  test.each([[[]], [[{}]]])("a reset: %j", (managedFields) => {
    const fields = manager();
    const live = stored(fields.update(undefined, deployment({ replicas: 1 }), "one"));
    const reset = fields.update(live, deployment({ replicas: 1 }, { uid: "1", managedFields }), "me");
    expect(reset.metadata).not.toHaveProperty("managedFields");
  });

  test("a subresource: its own entry, the live object's owners, and only fields that it can change", () => {
    const live = stored(manager().update(undefined, deployment({ replicas: 1 }), "one"));
    const status = manager({
      subresource: "status",
      resetFields: new Map([["apps/v1", FieldSet.of(["f:spec"])]]),
    });
    const next = { ...deployment({ replicas: 9 }, { uid: "1", managedFields: [{}] }), status: { replicas: 1 } };
    expect(owners(status.update(live, next, "ctl"))).toEqual({
      "one Update": { "f:spec": { ".": {}, "f:replicas": {} } },
      "ctl Update status": { "f:status": { ".": {}, "f:replicas": {} } },
    });
  });

  test("nonsense in managedFields does not stop a write", () => {
    const live = deployment({ replicas: 1 }, { uid: "1", managedFields: [{ manager: "x", operation: "Frob" }] });
    const next = deployment({ replicas: 2 }, { uid: "1" });
    expect(manager().update(live, next, "me").metadata).not.toHaveProperty("managedFields");
    const broken = { ...next, spec: { replicas: "x" } };
    expect(manager().update(undefined, broken, "me")).toEqual(broken);
  });

  test("at most ten managers that update: the oldest are put together", () => {
    const fields = manager();
    let live = stored(fields.update(undefined, deployment({}), "m0"));
    for (let i = 0; i < 13; i++) {
      const labels = Object.fromEntries(Array.from({ length: i + 1 }, (_, n) => [`l${n}`, "x"]));
      live = stored(fields.update(live, deployment({}, { uid: "1", labels }), `m${i}`));
    }
    const names = (metadataOf(live).managedFields as ManagedFieldsEntry[]).map((entry) => entry.manager);
    expect(names).toEqual(["ancient-changes", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12"]);
  });
});

describe("versions", () => {
  const [old, now] = ["a", "b"].map((name) =>
    customMergeType(
      readSchema({
        type: "object",
        properties: { spec: { type: "object", properties: { [name]: { type: "string" } } } },
      }),
    ),
  );
  const rename = (object: KubeObject, apiVersion: string): KubeObject => {
    const { a, b } = object.spec as { a?: string; b?: string };
    return { ...object, apiVersion, spec: apiVersion === "x.io/v1" ? { a: a ?? b } : { b: b ?? a } };
  };
  const at = (version: string): FieldManager =>
    createFieldManager({
      kind: { group: "x.io", version, kind: "Thing" },
      type: (apiVersion) => (apiVersion === "x.io/v1" ? old : apiVersion === "x.io/v2" ? now : undefined),
      convert: rename,
      now: () => "2026-01-01T00:00:00Z",
    });
  const thing = (version: string, spec: object): KubeObject => ({
    apiVersion: `x.io/${version}`,
    kind: "Thing",
    metadata: { name: "t" },
    spec,
  });

  test("a manager of another version is compared in that version", () => {
    const first = stored(at("v1").apply(undefined, thing("v1", { a: "1" }), "one", false));
    const live = rename(first, "x.io/v2");
    expect(at("v2").apply(live, thing("v2", { b: "2" }), "two", false)).toMatchObject({
      message: `Apply failed with 1 conflict: conflict with "one": .spec.a`,
    });
    const same = stored(at("v2").apply(live, thing("v2", { b: "1" }), "two", false));
    expect(owners(same)).toEqual({
      "one Apply": { "f:spec": { "f:a": {} } },
      "two Apply": { "f:spec": { "f:b": {} } },
    });
  });

  test("managers of versions that are gone are dropped", () => {
    const live = stored(at("v2").apply(undefined, thing("v2", { b: "1" }), "one", false));
    const entry = { ...(live.metadata!.managedFields![0] as object), manager: "lost", apiVersion: "x.io/v0" };
    const withLost = {
      ...live,
      metadata: { ...live.metadata, managedFields: [...live.metadata!.managedFields!, entry] },
    };
    const next = stored(at("v2").apply(withLost, thing("v2", { b: "2" }), "one", false));
    expect(owners(next)).toEqual({ "one Apply": { "f:spec": { "f:b": {} } } });
  });
});
