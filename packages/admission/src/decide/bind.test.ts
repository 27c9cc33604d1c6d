// Params: the found objects, and every error text for the others.

import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import type { ParamSource } from "../hosts.ts";
import { createParamSource, createResources } from "../memory/index.ts";
import type { ParamRef } from "../policy.ts";
import { bindParams, type ParamScope, paramScope } from "./bind.ts";

const KIND = { apiVersion: "v1", kind: "ConfigMap" };
const map = (namespace: string, name: string, labels: Record<string, string> = {}): KubeObject => ({
  ...KIND,
  metadata: { name, namespace, labels },
});
const source = createParamSource(
  [
    map("a", "one", { env: "prod" }),
    map("a", "two", { env: "prod" }),
    map("b", "one"),
    { ...KIND, metadata: { name: "lost" } },
  ],
  createResources(),
);

// biome-ignore format: one case per line
const cases: { name: string; ref: ParamRef | undefined; namespace?: string; scope?: ParamScope; want: string | readonly (string | null)[] }[] = [
  { name: "no paramRef",              ref: undefined,                                   want: [null] },
  { name: "by name, own namespace",   ref: { name: "one" },                             want: ["a/one"] },
  { name: "by name, named namespace", ref: { name: "one", namespace: "b" },             want: ["b/one"] },
  { name: "by selector",              ref: { selector: { matchLabels: { env: "prod" } } }, want: ["a/one", "a/two"] },
  { name: "by empty selector",        ref: { selector: {} },                            want: ["a/one", "a/two"] },
  { name: "none, allowed",            ref: { name: "none", parameterNotFoundAction: "Allow" }, want: [] },
  { name: "none, denied",             ref: { name: "none", parameterNotFoundAction: "Deny" },  want: "no params found for policy binding with `Deny` parameterNotFoundAction" },
  { name: "none selected, denied",    ref: { selector: { matchLabels: { x: "y" } }, parameterNotFoundAction: "Deny" }, want: "no params found for policy binding with `Deny` parameterNotFoundAction" },
  { name: "no namespace to look in",  ref: { name: "one" }, namespace: "",              want: "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources" },
  { name: "namespace of a cluster-scoped kind", ref: { name: "one", namespace: "a" }, scope: "Cluster", want: "paramRef.namespace must not be provided for a cluster-scoped `paramKind`" },
  { name: "name and selector",        ref: { name: "one", selector: {} },               want: "paramRef.name and paramRef.selector are mutually exclusive" },
  { name: "neither",                  ref: {},                                          want: "one of name or selector must be provided" },
  { name: "broken selector",          ref: { selector: { matchExpressions: [{ key: "a", operator: "Near" }] } }, want: '"Near" is not a valid label selector operator' },
];

test.each(cases)("$name", async ({ ref, namespace = "a", scope = "Namespaced", want }) => {
  const bound = await bindParams(KIND, scope, ref, namespace, source);
  const got =
    "error" in bound
      ? bound.error
      : bound.params.map((param) => param && `${param.metadata?.namespace}/${param.metadata?.name}`);
  expect(got).toEqual(want);
});

test("a policy without paramKind has no params, whatever the binding says", async () => {
  expect(await bindParams(undefined, undefined, { name: "one" }, "a", source)).toEqual({ params: [null] });
});

test("without a source the kind is not known", async () => {
  expect(await bindParams(KIND, "Namespaced", { name: "x" }, "a", undefined)).toEqual({
    error: "paramKind kind `&ParamKind{APIVersion:v1,Kind:ConfigMap,}` not known",
  });
});

// biome-ignore format: one case per line
test.each([
  { kind: { apiVersion: "v1", kind: "ConfigMap" },           want: { scope: "Namespaced" } },
  { kind: { apiVersion: "v1", kind: "Node" },                want: { scope: "Cluster" } },
  { kind: { apiVersion: "v1", kind: "Foo" },                 want: { error: "failed to find resource referenced by paramKind: '/v1, Kind=Foo'" } },
  { kind: { apiVersion: "example.com/v1", kind: "Bad" },     want: { error: "failed to find resource referenced by paramKind: 'example.com/v1, Kind=Bad'" } },
])("scope of $kind", async ({ kind, want }) => {
  expect(await paramScope(kind, source)).toEqual(want);
});

test("expressions see kind and apiVersion even if the host omits them", async () => {
  const bare: ParamSource = { ...source, get: () => ({ metadata: { name: "x" } }) };
  expect(await bindParams(KIND, "Namespaced", { name: "x" }, "a", bare)).toEqual({
    params: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } }],
  });
});
