// A custom resource of a version that its definition has and does not serve: no server finds it.

import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const definition = (beta: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, singular: foo, kind: Foo, listKind: FooList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}}
  - {name: v1beta1, ${beta}, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: integer, maximum: 3}}}}}}}
`;
const FOO =
  "apiVersion: example.com/v1beta1\nkind: Foo\nmetadata: {name: a, namespace: default}\nspec: {a: 9, bogus: 1}\n";

test("is no match for its kind, and nothing else is said about it", async () => {
  const files = { "crd.yaml": definition("served: false"), "foo.yaml": FOO };
  const { code, stdout } = await runLine(["check", "crd.yaml", "foo.yaml"], { files });
  expect(code).toBe(1);
  expect(stdout).toContain('no matches for kind "Foo" in version "example.com/v1beta1"; use example.com/v1');
  expect(stdout).not.toMatch(/bogus|assuming|less than or equal/);
});

test("a served one is validated by its schema", async () => {
  const files = { "crd.yaml": definition("served: true"), "foo.yaml": FOO };
  const { stdout } = await runLine(["check", "crd.yaml", "foo.yaml"], { files });
  expect(stdout).toContain("spec.a in body should be less than or equal to 3");
});
