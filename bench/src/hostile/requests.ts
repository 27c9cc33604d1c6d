// Requests to an API server in this process, changed again and again: every reader of requests, and the work on their contents. Writes are
// dry runs, so that every input meets the same objects.

import { startServer, type TestServer } from "@celadon/apiserver/testing";
import { type Reader, type WorstInput, worstInput } from "./mutate.ts";

const NAMESPACE = "/api/v1/namespaces/default";
const DRY = "dryRun=All";
const JSON_TYPE = "application/json";

const JSON_WORDS = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\u0000",
  "null",
  "{},",
  '"a":',
  '"":{},',
  "9".repeat(100),
  '"a",',
  "[[[[",
  '{"a":',
];
const pod = (spec: object): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a" },
    spec: { containers: [{ name: "a", image: "a" }], ...spec },
  });

interface Kind {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly seeds: readonly string[];
  readonly words?: readonly string[];
  /** The place of the text; by default it is the body. */
  readonly in?: "query";
}

const THINGS = "/apis/example.com/v1/namespaces/default/things";
const THING = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "t" } };
const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const POLICY = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "p" },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }],
    },
    variables: [
      { name: "a", expression: "object.spec" },
      { name: "b", expression: "variables.a" },
    ],
    validations: [{ expression: "has(variables.b.c)", messageExpression: "'x' + string(variables.b)" }],
  },
};
const REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const REVIEW = {
  apiVersion: "authorization.k8s.io/v1",
  kind: "SelfSubjectAccessReview",
  spec: { resourceAttributes: { verb: "list", resource: "pods", labelSelector: { rawSelector: "a=b,c in (d)" } } },
};
const SIGNING = {
  apiVersion: "certificates.k8s.io/v1",
  kind: "CertificateSigningRequest",
  metadata: { name: "c" },
  spec: {
    signerName: "a.b/c",
    usages: ["client auth"],
    request: btoa("-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n"),
  },
};
const TOKEN_REVIEW = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: "a.b.c" } };
const SELECTOR_WORDS = ["=", "!=", ",", " in (", ")", "notin", "!", "a", "a=b,", "(a,b)", "\\", ">1"];
const PATCH_WORDS = [
  ...JSON_WORDS,
  '{"op":"copy","from":"","path":"/metadata/annotations/a"},',
  '"$patch":"delete",',
  '"$setElementOrder/containers":[',
  '{"op":"add","path":"/a","value":',
];

/** `k8s\0` and a ConfigMap, a byte a character. */
const PROTOBUF =
  "k8s\u0000\u000a\u000f\u000a\u0002v1\u0012\u0009ConfigMap\u0012\u0013\u000a\u0005\u0012\u0003abc\u0012\u000a\u000a\u0003key\u0012\u0003val";

// biome-ignore format: one kind of request per row
const KINDS: readonly Kind[] = [
  { name: "pod",                  method: "POST",  path: `${NAMESPACE}/pods?${DRY}`, seeds: [pod({}), pod({ containers: [{ name: "a", image: "a", ports: [{ containerPort: 1 }], env: [{ name: "A", value: "b" }], volumeMounts: [{ name: "v", mountPath: "/a" }] }], volumes: [{ name: "v", configMap: { name: "c", items: [{ key: "a", path: "b" }] } }] })] },
  { name: "config map",           method: "POST",  path: `${NAMESPACE}/configmaps?${DRY}&fieldValidation=Strict`, seeds: ['{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"a":"b"},"annotations":{"a":"b"},"finalizers":["a/b"],"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"a","uid":"u","controller":true}]},"data":{"a":"b"}}'] },
  { name: "service",              method: "POST",  path: `${NAMESPACE}/services?${DRY}`, seeds: ['{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{"ports":[{"name":"a","port":1}],"externalIPs":["1.1.1.1"]}}'] },
  { name: "custom resource",      method: "POST",  path: `${THINGS}?${DRY}`, seeds: [JSON.stringify({ ...THING, metadata: { name: "n" }, spec: { list: ["a"], keyed: [{ name: "a" }], set: ["a"], ruled: [1], any: { a: [{}] } } })] },
  { name: "YAML body",            method: "POST",  path: `${NAMESPACE}/configmaps?${DRY}`, type: "application/yaml", seeds: ["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: &a b\n  c: *a\n  d: |\n    text\n"], words: ["{}", "{", "}", "[", "]", "- ", ": ", "&a ", "*a ", "|\n  ", "? ", "a: b\n", "'", '"', "\n---\n", "<<: "] },
  { name: "protobuf body",        method: "POST",  path: `${NAMESPACE}/configmaps?${DRY}`, type: "application/vnd.kubernetes.protobuf", seeds: [PROTOBUF], words: ["\u000a\u0000", "\u0012\u0000", "\u00ff\u00ff\u00ff\u00ff\u000f", "\u0080", "\u000a\u0003key", "\u0012\u000a\u000a\u0003key\u0012\u0003val", "\u0008\u0001"] },
  { name: "JSON patch",           method: "PATCH", path: `${THINGS}/t?${DRY}`, type: "application/json-patch+json", seeds: ['[{"op":"add","path":"/spec/any","value":[1]},{"op":"copy","from":"/spec/any","path":"/spec/any/-"}]', '[{"op":"test","path":"/metadata/name","value":"t"},{"op":"remove","path":"/spec"}]'], words: PATCH_WORDS },
  { name: "merge patch",          method: "PATCH", path: `${THINGS}/t?${DRY}`, type: "application/merge-patch+json", seeds: ['{"metadata":{"labels":{"a":"b","c":null}},"spec":{"any":{"a":{"b":1}}}}'], words: PATCH_WORDS },
  { name: "strategic patch",      method: "PATCH", path: `${NAMESPACE}/pods/p?${DRY}`, type: "application/strategic-merge-patch+json", seeds: ['{"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[{"name":"a","image":"b"}],"tolerations":[{"key":"a"}]}}'], words: PATCH_WORDS },
  { name: "apply",                method: "PATCH", path: `${THINGS}/t?${DRY}&fieldManager=m`, type: "application/apply-patch+yaml", seeds: [JSON.stringify({ ...THING, spec: { keyed: [{ name: "a" }], set: ["a", "b"], any: { a: 1 } } })], words: PATCH_WORDS },
  { name: "policy",               method: "POST",  path: `${POLICIES}?${DRY}`, seeds: [JSON.stringify(POLICY)], words: [...JSON_WORDS, "variables.a", "object.", "has(", "[1,2].all(x,", ")", "'a'", " + ", "matches('"] },
  { name: "definition",           method: "POST",  path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions?${DRY}`, seeds: [JSON.stringify({ ...definitionOf("others"), metadata: { name: "others.example.com" } })], words: [...JSON_WORDS, '"properties":{', '"type":"object",', '"items":{', '"allOf":[', '"x-kubernetes-validations":[{"rule":"self"}],'] },
  { name: "access review",        method: "POST",  path: REVIEWS, seeds: [JSON.stringify(REVIEW)], words: [...JSON_WORDS, ...SELECTOR_WORDS] },
  { name: "signing request",      method: "POST",  path: `/apis/certificates.k8s.io/v1/certificatesigningrequests?${DRY}`, seeds: [JSON.stringify(SIGNING)], words: [...JSON_WORDS, "LS0t", "QUJD", "Cg=="] },
  { name: "token review",         method: "POST",  path: "/apis/authentication.k8s.io/v1/tokenreviews", seeds: [JSON.stringify(TOKEN_REVIEW)], words: [...JSON_WORDS, ".", "eyJ", "a."] },
  { name: "deletion",             method: "DELETE", path: `${NAMESPACE}/configmaps/none?${DRY}`, seeds: ['{"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"a"}}'] },
  { name: "label selector",       method: "GET",   path: `${NAMESPACE}/configmaps?labelSelector=`, in: "query", seeds: ["a=b,c!=d,e in (f,g),!h"], words: SELECTOR_WORDS },
  { name: "field selector",       method: "GET",   path: `${NAMESPACE}/configmaps?fieldSelector=`, in: "query", seeds: ["metadata.name=a,metadata.namespace!=b"], words: [...SELECTOR_WORDS, "metadata.name="] },
  { name: "continue token",       method: "GET",   path: `${NAMESPACE}/configmaps?limit=1&continue=`, in: "query", seeds: [btoa('{"v":"meta.k8s.io/v1","rv":1,"start":"a"}'), "a"], words: ["eyJ", "=", "AAAA", "_", "-"] },
];

export async function worstRequests(milliseconds: number, seed: number, only: RegExp): Promise<WorstInput[]> {
  const server = await startServer({
    manifests: [definitionOf("things"), { ...JSON.parse(pod({})), metadata: { name: "p", namespace: "default" } }],
  });
  try {
    await server.client.call("POST", THINGS, { body: { ...THING, spec: { any: {} } } });
    const rows: WorstInput[] = [];
    for (const kind of KINDS) {
      if (only.test(kind.name)) rows.push(await worstInput(readerOf(kind, server), milliseconds, seed));
    }
    return rows;
  } finally {
    await server.close();
  }
}

function readerOf(
  { name, method, path, type = JSON_TYPE, seeds, words = JSON_WORDS, in: place }: Kind,
  { client }: TestServer,
): Reader {
  const read = async (text: string): Promise<void> => {
    const { code, text: answer } =
      place === "query"
        ? await client.call(method, path + encodeURIComponent(Buffer.from(text).toString()))
        : await client.call(method, path, { body: bodyOf(text, type), type });
    // Some requests are internal errors in kube-apiserver too: a configuration without a type, a list whose order is not complete.
    if (code >= 500 && !EXPECTED.test(answer)) throw new Error(answer.slice(0, 300));
  };
  // A request has an overhead, and its garbage is collected later: only time that grows with the text is of interest.
  return { name, seeds, words, read, least: 16 * 1024, longest: place === "query" ? 16 * 1024 : 60_000 };
}

const EXPECTED =
  /failed to create typed|The order in patch list|typed patch object|unable to find api field|does not contain declared merge key|error (?:decoding|when)/;

/** A character of protobuf is a byte. */
function bodyOf(text: string, type: string): string | Uint8Array {
  return type.endsWith("protobuf") ? Buffer.from(text, "latin1") : text;
}

function definitionOf(plural: string) {
  const text = { type: "string" };
  const listOf = (items: object, more: object = {}): object => ({ type: "array", items, ...more });
  const properties = {
    list: listOf({ type: "string", enum: Array.from({ length: 100 }, (_, i) => `value-${i}`) }),
    keyed: listOf(
      { type: "object", required: ["name"], properties: { name: text } },
      { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
    ),
    set: listOf(text, { "x-kubernetes-list-type": "set" }),
    ruled: listOf({ type: "integer", "x-kubernetes-validations": [{ rule: "self > 0" }] }, { maxItems: 1000 }),
    any: { "x-kubernetes-preserve-unknown-fields": true },
  };
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", properties } } };
  const kind = plural === "things" ? "Thing" : "Other";
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural, kind, singular: kind.toLowerCase() },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
