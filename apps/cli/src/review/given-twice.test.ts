import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import { ManifestStream } from "../sources/index.ts";
import { givenTwice } from "./given-twice.ts";

const map = (name: string, namespace?: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...(namespace !== undefined && { namespace }) },
});

// biome-ignore format: one case per line
const cases: { name: string; objects: KubeObject[]; notes: string[] }[] = [
  { name: "all different",          objects: [map("a"), map("b"), map("a", "n")],                                  notes: [] },
  { name: "the default namespace",  objects: [map("a"), map("a", "default")],                                      notes: ["ConfigMap default/a is defined twice"] },
  { name: "three times",            objects: [map("a"), map("a"), map("a")],                                       notes: ["ConfigMap a is defined twice", "ConfigMap a is defined twice"] },
  { name: "in another version",     objects: [{ ...map("a"), apiVersion: "x.io/v1" }, { ...map("a"), apiVersion: "x.io/v2" }], notes: ["ConfigMap a is defined twice"] },
  { name: "names that are made",    objects: [map(""), map("")],                                                   notes: [] },
];

test.each(cases)("$name", ({ objects, notes }) => {
  const found = givenTwice(new ManifestStream(objects.map((object) => ({ object })))).map(({ message }) => message);
  expect(found).toEqual(notes.map((text) => expect.stringContaining(text)));
});

test("many are counted", () => {
  const objects = Array.from({ length: 40 }, (_, i) => map(`m${i % 20}`));
  const found = givenTwice(new ManifestStream(objects.map((object) => ({ object })))).map(({ message }) => message);
  expect(found).toHaveLength(4);
  expect(found.at(-1)).toBe("17 more objects appear twice in the inputs");
});

test("a CRD whose last definition serves other versions comes first", () => {
  const crd = (...versions: string[]): KubeObject => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "foos.example.com" },
    spec: { versions: versions.map((name) => ({ name, served: true })) },
  });
  const objects = [map("a"), map("a"), crd("v1", "v2"), crd("v1")];
  const found = givenTwice(new ManifestStream(objects.map((object) => ({ object })))).map(({ message }) => message);
  expect(found).toHaveLength(2);
  expect(found[0]).toMatch(/^CustomResourceDefinition foos.example.com is defined twice.* is used, which serves v1$/);
});
