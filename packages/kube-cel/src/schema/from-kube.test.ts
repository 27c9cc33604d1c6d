import { builtinResources, builtinSchema } from "@celadon/kube/builtin";
import { readSchema } from "@celadon/kube/schemas";
import { expect, test } from "vitest";
import { kubeEnv } from "../environment.ts";
import { type DeclType, declareType } from "./decl-type.ts";
import { fromKubeSchema } from "./from-kube.ts";
import { createSchemaProvider } from "./provider.ts";

const kube = readSchema({
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", maxLength: 5 },
    port: { "x-kubernetes-int-or-string": true },
    set: { type: "array", "x-kubernetes-list-type": "set", maxItems: 3, items: { type: "string" } },
    map: { type: "object", additionalProperties: { type: "integer" } },
    any: { type: "object", "x-kubernetes-preserve-unknown-fields": true, additionalProperties: true },
    __proto__x: { type: "string" },
  },
});

test("types and values are those of the document", () => {
  const root = declareType(fromKubeSchema(kube), "selfType") as DeclType;
  expect(root.minSerializedSize).toBe(2 + 4 + 2 + 4);
  expect([...(root.fields?.names() ?? [])].sort()).toEqual([
    "__underscores__proto__underscores__x",
    "any",
    "map",
    "name",
    "port",
    "set",
  ]);
  expect(root.fields?.get("name")?.type.maxElements).toBe(20);
  const env = kubeEnv({ variables: { self: root.type }, provider: createSchemaProvider({ selfType: root }) });
  const self = { name: "a", port: "http", set: ["x", "y"], map: { k: 1 } };
  expect(env.program("self.set == ['y', 'x'] && self.port == 'http' && self.map.k == 1").evaluate({ self }).value).toBe(
    true,
  );
});

test("a schema that contains itself is followed no further than asked", () => {
  const properties = new Map<string, typeof kube>();
  const recursive: typeof kube = { type: "object", properties };
  properties.set("not", recursive).set("title", { type: "string" });
  const root = declareType(fromKubeSchema(recursive), "props", { resource: true });
  expect(root?.fields?.get("not")?.type.fields?.get("not")?.type.fields?.names()).toEqual(["not", "title"]);
});

test("every built-in kind can be declared and its fields read", () => {
  const depths = builtinResources().map(({ group, version, kind }) => {
    const schema = builtinSchema({ group, version, kind });
    const root = schema && declareType(fromKubeSchema(schema), kind, { resource: true });
    return root === undefined ? 0 : depth(root, 8);
  });
  expect(depths.length).toBeGreaterThan(50);
  expect(Math.min(...depths)).toBeGreaterThan(1);
});

/** The depth of declared types, as far as `limit`. */
function depth({ elem, fields }: DeclType, limit: number): number {
  if (limit === 0) return 0;
  const below = [...(elem ? [elem] : []), ...(fields?.names().map((name) => fields.get(name)?.type as DeclType) ?? [])];
  return 1 + Math.max(0, ...below.map((decl) => depth(decl, limit - 1)));
}

test("a Deployment is typed", () => {
  const schema = builtinSchema({ group: "apps", version: "v1", kind: "Deployment" });
  const root = declareType(fromKubeSchema(schema as NonNullable<typeof schema>), "Deployment", {
    resource: true,
  }) as DeclType;
  const env = kubeEnv({ variables: { object: root.type }, provider: createSchemaProvider({ Deployment: root }) });
  const expr =
    "object.spec.replicas > 1 && object.spec.template.spec.containers.all(c, c.image.startsWith('a/') && !has(c.command))";
  const object = { spec: { replicas: 2, template: { spec: { containers: [{ name: "c", image: "a/b" }] } } } };
  expect(env.program(expr, { mode: "compiled" }).evaluate({ object }).value).toBe(true);
  expect(env.compile("object.spec.replica > 1").ok).toBe(false);
});
