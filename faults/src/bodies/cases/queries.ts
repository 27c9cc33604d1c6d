// Reviews, options of deletions, selectors and tokens.

import { asJson, type Cases, DRY, members, NAMESPACE, REVIEWS, repeat } from "../samples.ts";

export const queriesCases: Cases = {
  "ssar dup known": (s) => ({
    method: "POST",
    path: REVIEWS,
    body:
      '{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{' +
      Array(Math.trunc(s / 24))
        .fill('"resourceAttributes":{}')
        .join(",") +
      "}}",
  }),
  "sar selector": (s) => ({
    method: "POST",
    path: REVIEWS,
    body: asJson({
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: {
        resourceAttributes: {
          verb: "list",
          resource: "pods",
          labelSelector: { requirements: repeat(s / 50, (i) => ({ key: `a${i}`, operator: "In", values: ["b"] })) },
        },
      },
    }),
  }),
  "sar values": (s) => ({
    method: "POST",
    path: REVIEWS,
    body: asJson({
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: {
        resourceAttributes: {
          verb: "list",
          resource: "pods",
          fieldSelector: { requirements: [{ key: "a", operator: "In", values: repeat(s / 4, () => "b") }] },
        },
      },
    }),
  }),
  "sar raw": (s) => ({
    method: "POST",
    path: REVIEWS,
    body: asJson({
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: {
        resourceAttributes: {
          verb: "list",
          resource: "pods",
          fieldSelector: { rawSelector: repeat(s / 8, (i) => `a${i}=b`).join(",") },
        },
      },
    }),
  }),
  tokenreview: (s) => ({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/tokenreviews",
    body: asJson({ apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: "a.".repeat(s / 2) } }),
  }),
  "tokenreview jwt": (s) => ({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/tokenreviews",
    body: asJson({
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenReview",
      spec: {
        token: `${"a".repeat(s / 3)}.${"b".repeat(s / 3)}.${"c".repeat(s / 3)}`,
        audiences: repeat(1000, () => "a"),
      },
    }),
  }),
  "list labels": (s) => ({
    method: "GET",
    path:
      NAMESPACE +
      "/configmaps?labelSelector=" +
      encodeURIComponent(repeat(Math.min(s, 60000) / 8, (i) => `a${i}`).join(",")),
  }),
  "list in": (s) => ({
    method: "GET",
    path:
      NAMESPACE +
      "/configmaps?labelSelector=" +
      encodeURIComponent(`a in (${repeat(Math.min(s, 60000) / 8, (i) => `a${i}`).join(",")})`),
  }),
  "list fields": (s) => ({
    method: "GET",
    path:
      NAMESPACE +
      "/configmaps?fieldSelector=" +
      encodeURIComponent(repeat(Math.min(s, 60000) / 16, () => "metadata.name!=a").join(",")),
  }),
  "list continue": (s) => ({
    method: "GET",
    path: `${NAMESPACE}/configmaps?limit=1&continue=${"a".repeat(Math.min(s, 60000))}`,
  }),
  "list params": (s) => ({ method: "GET", path: `${NAMESPACE}/configmaps?${"a=&".repeat(Math.min(s, 60000) / 3)}` }),
  "delete options": (s) => ({
    method: "DELETE",
    path: `${NAMESPACE}/configmaps/target${DRY}`,
    body: asJson({ kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "x".repeat(s - 100) } }),
  }),
  "delete options unknown": (s) => ({
    method: "DELETE",
    path: `${NAMESPACE}/configmaps/target${DRY}`,
    body: asJson(members(s / 10, (i) => [`a${i}`, 1])),
  }),
  "delete options dup": (s) => ({
    method: "DELETE",
    path: `${NAMESPACE}/configmaps/target${DRY}`,
    body:
      '{"kind":"DeleteOptions","apiVersion":"v1",' +
      Array(Math.trunc(s / 20))
        .fill('"preconditions":{}')
        .join(",") +
      "}",
  }),
};
