import { expect, test } from "vitest";
import { type Grant, mayDo, maySee } from "./rights.ts";

const named: Grant = { namespace: "a", verbs: ["get"], resources: ["secrets"], names: ["x"] };
const reader: Grant = { namespace: undefined, verbs: ["list"], resources: ["configmaps"] };

test("a grant is for its place, verbs, resources and names", () => {
  const intent = { verb: "get", resource: "secrets", namespace: "a", name: "x" };
  expect(mayDo([named], intent)).toBe(true);
  for (const other of [
    { verb: "list" },
    { resource: "pods" },
    { namespace: "b" },
    { namespace: undefined },
    { name: "y" },
    { name: undefined },
  ]) {
    expect(mayDo([named], { ...intent, ...other })).toBe(false);
  }
  expect(mayDo([reader], { verb: "list", resource: "configmaps", namespace: undefined, name: undefined })).toBe(true);
});

test("an object is seen by whoever may get, list or watch it", () => {
  expect([maySee([named], "secrets", "a", "x"), maySee([named], "secrets", "a", "y")]).toEqual([true, false]);
  expect([maySee([reader], "configmaps", "b", "y"), maySee([reader], "secrets", "b", "y")]).toEqual([true, false]);
});
