import { expect, test } from "vitest";
import { admit } from "./admit.ts";
import { createMutatingPolicySet } from "./mutating/compile.ts";
import { mutate } from "./mutating/dispatch.ts";
import type { AdmissionRequest } from "./request.ts";
import { createPolicySet } from "./set/policy-set.ts";

const kind = { group: "", version: "v1", kind: "Pod" };
const resource = { group: "", version: "v1", resource: "pods" };

// biome-ignore format: one case per line
test.each<[given: unknown, why: string]>([
  [undefined,                                              "it is not an object"],
  [null,                                                   "it is not an object"],
  ["x",                                                    "it is not an object"],
  [[],                                                     "it is not an object"],
  [{},                                                     "'kind' must be an object with group, version and kind"],
  [{ kind: "Pod" },                                        "'kind' must be an object with group, version and kind"],
  [{ kind: { ...kind, group: undefined } },                "'kind.group' must be a string"],
  [{ kind },                                               "'resource' must be an object with group, version and resource"],
  [{ kind, resource: { ...resource, resource: 1 } },       "'resource.resource' must be a string"],
  [{ kind, resource },                                     "'operation' must be CREATE, UPDATE, DELETE or CONNECT"],
  [{ kind, resource, operation: "create" },                "'operation' must be CREATE, UPDATE, DELETE or CONNECT"],
  [{ kind, resource, operation: "CREATE", object: "pod" }, "'object' must be an object or null"],
  [{ kind, resource, operation: "UPDATE", oldObject: [] }, "'oldObject' must be an object or null"],
])("%j: %s", async (given, why) => {
  const message = `not an admission request: ${why}`;
  await expect(admit(given as AdmissionRequest, createPolicySet())).rejects.toThrow(message);
  await expect(mutate(given as AdmissionRequest, createMutatingPolicySet())).rejects.toThrow(message);
});

test("a request is one", async () => {
  const request: AdmissionRequest = { kind, resource, operation: "CREATE", object: null };
  expect((await admit(request, createPolicySet())).allowed).toBe(true);
  expect((await mutate(request, createMutatingPolicySet())).allowed).toBe(true);
});
