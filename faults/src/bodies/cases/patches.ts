// Patches of each type, and server-side apply.

import { asJson, type Cases, DRY, members, NAMESPACE, patch, repeat } from "../samples.ts";

export const patchesCases: Cases = {
  "cr apply map": (s) => ({
    method: "PATCH",
    path: "/apis/example.com/v1/namespaces/default/things/t?dryRun=All&fieldManager=m",
    type: "application/apply-patch+yaml",
    body: asJson({
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name: "t" },
      spec: { map: repeat(s / 30, (i) => ({ name: `k${i}` })) },
    }),
  }),
  "cr apply set": (s) => ({
    method: "PATCH",
    path: "/apis/example.com/v1/namespaces/default/things/t?dryRun=All&fieldManager=m",
    type: "application/apply-patch+yaml",
    body: asJson({
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name: "t" },
      spec: { set: repeat(s / 10, (i) => `k${i}`) },
    }),
  }),
  "cr apply set dup": (s) => ({
    method: "PATCH",
    path: "/apis/example.com/v1/namespaces/default/things/t?dryRun=All&fieldManager=m",
    type: "application/apply-patch+yaml",
    body: asJson({
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name: "t" },
      spec: { set: repeat(s / 4, () => "k") },
    }),
  }),
  "cr apply map dup": (s) => ({
    method: "PATCH",
    path: "/apis/example.com/v1/namespaces/default/things/t?dryRun=All&fieldManager=m",
    type: "application/apply-patch+yaml",
    body: asJson({
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name: "t" },
      spec: { map: repeat(s / 14, () => ({ name: "k" })) },
    }),
  }),
  "cr apply numbers": (s) => ({
    method: "PATCH",
    path: "/apis/example.com/v1/namespaces/default/things/t?dryRun=All&fieldManager=m",
    type: "application/apply-patch+yaml",
    body: asJson({
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name: "t" },
      spec: { nums: repeat(s / 8, (i) => i) },
    }),
  }),
  "cm apply": (s) =>
    patch(
      "application/apply-patch+yaml",
      asJson({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "target" },
        data: members(Math.min(s, 1000000) / 14, (i) => [`k${i}`, "v"]),
      }),
      `${NAMESPACE}/configmaps/target?dryRun=All&fieldManager=m`,
    ),
  "cm apply conflict": () =>
    patch(
      "application/apply-patch+yaml",
      asJson({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "big" },
        data: members(40000, (i) => [`k${i}`, "w"]),
      }),
      `${NAMESPACE}/configmaps/big?dryRun=All&fieldManager=m`,
    ),
  "pod apply": (s) =>
    patch(
      "application/apply-patch+yaml",
      asJson({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "t" },
        spec: { containers: repeat(s / 30, (i) => ({ name: `a${i}`, image: "a" })) },
      }),
      `${NAMESPACE}/pods/t?dryRun=All&fieldManager=m`,
    ),
  "pod apply ports": (s) =>
    patch(
      "application/apply-patch+yaml",
      asJson({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "t" },
        spec: {
          containers: [
            {
              name: "a",
              image: "a",
              ports: repeat(s / 40, (i) => ({ containerPort: (i % 65535) + 1, protocol: "TCP" })),
            },
          ],
        },
      }),
      `${NAMESPACE}/pods/t?dryRun=All&fieldManager=m`,
    ),
  "pod apply ports dup": (s) =>
    patch(
      "application/apply-patch+yaml",
      asJson({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "t" },
        spec: { containers: [{ name: "a", image: "a", ports: repeat(s / 20, () => ({ containerPort: 1 })) }] },
      }),
      `${NAMESPACE}/pods/t?dryRun=All&fieldManager=m`,
    ),
  "json patch copies": () =>
    patch(
      "application/json-patch+json",
      repeat(9999, (i) => ({ op: "copy", from: "/data", path: `/data/a${i}` })),
    ),
  "json patch copy list": () =>
    patch(
      "application/json-patch+json",
      [
        { op: "add", path: "/spec/any", value: [1] },
        ...repeat(9998, () => ({ op: "copy", from: "/spec/any", path: "/spec/any/-" })),
      ],
      `/apis/example.com/v1/namespaces/default/things/t${DRY}`,
    ),
  "json patch ops": (s) =>
    patch(
      "application/json-patch+json",
      repeat(s / 40, (i) => ({ op: "add", path: `/data/a${i}`, value: "x" })),
    ),
  "json patch insert0": (s) =>
    patch(
      "application/json-patch+json",
      [
        { op: "add", path: "/spec/any", value: repeat(s / 4, () => 1) },
        ...repeat(9000, () => ({ op: "add", path: "/spec/any/0", value: 1 })),
      ],
      `/apis/example.com/v1/namespaces/default/things/t${DRY}`,
    ),
  "json patch tests": (s) =>
    patch(
      "application/json-patch+json",
      [
        { op: "add", path: "/spec/any", value: repeat(s / 4, () => 1) },
        ...repeat(9000, () => ({ op: "test", path: "/spec/any/0", value: 1 })),
      ],
      `/apis/example.com/v1/namespaces/default/things/t${DRY}`,
    ),
  "json patch test big": (s) =>
    patch(
      "application/json-patch+json",
      [
        { op: "add", path: "/spec/any", value: repeat(s / 8, () => 1) },
        ...repeat(300, (i) => ({ op: "copy", from: "/spec/any", path: `/spec/x${i}` })),
      ],
      `/apis/example.com/v1/namespaces/default/things/t${DRY}`,
    ),
  "json patch long path": (s) =>
    patch("application/json-patch+json", [{ op: "add", path: `/${"a/".repeat(s / 2)}`, value: 1 }]),
  "json patch dup": (s) =>
    patch(
      "application/json-patch+json",
      "[{" +
        Array(Math.trunc(s / 12))
          .fill('"op":"add"')
          .join(",") +
        "}]",
    ),
  "merge patch": (s) =>
    patch("application/merge-patch+json", { metadata: { labels: members(s / 16, (i) => [`k${i}`, "v"]) } }),
  "merge patch nulls": (s) =>
    patch("application/merge-patch+json", { metadata: { labels: members(s / 16, (i) => [`k${i}`, null]) } }),
  "merge patch dup": (s) =>
    patch("application/merge-patch+json", `{"data":{${repeat(s / 8, () => '"a":"b"').join(",")}}}`),
  "merge patch cr deep": () =>
    patch(
      "application/merge-patch+json",
      `{"spec":{"any":${'{"a":'.repeat(4000)}1${"}".repeat(4000)}}}`,
      `/apis/example.com/v1/namespaces/default/things/t${DRY}`,
    ),
  strategic: (s) =>
    patch(
      "application/strategic-merge-patch+json",
      { spec: { containers: repeat(s / 30, (i) => ({ name: `a${i}`, image: "b" })) } },
      `${NAMESPACE}/pods/t${DRY}`,
    ),
  "strategic deletes": (s) =>
    patch(
      "application/strategic-merge-patch+json",
      { spec: { containers: repeat(s / 36, (i) => ({ name: `a${i}`, $patch: "delete" })) } },
      `${NAMESPACE}/pods/t${DRY}`,
    ),
  "strategic order": (s) =>
    patch(
      "application/strategic-merge-patch+json",
      {
        spec: {
          "$setElementOrder/containers": repeat(s / 50, (i) => ({ name: `a${i}` })),
          containers: repeat(s / 50, (i) => ({ name: `a${s / 50 - i}`, image: "b" })),
        },
      },
      `${NAMESPACE}/pods/t${DRY}`,
    ),
  "strategic finalizers": (s) =>
    patch(
      "application/strategic-merge-patch+json",
      { metadata: { finalizers: repeat(s / 20, (i) => `a.b/k${i}`) } },
      `${NAMESPACE}/pods/t${DRY}`,
    ),
  "strategic delprim": (s) =>
    patch(
      "application/strategic-merge-patch+json",
      {
        metadata: {
          "$deleteFromPrimitiveList/finalizers": repeat(s / 40, (i) => `a.b/k${i}`),
          finalizers: repeat(s / 40, (i) => `a.b/z${i}`),
        },
      },
      `${NAMESPACE}/pods/t${DRY}`,
    ),
  "strategic owners": (s) =>
    patch(
      "application/strategic-merge-patch+json",
      {
        metadata: {
          ownerReferences: repeat(s / 70, (i) => ({ uid: `u${i}`, apiVersion: "v1", kind: "a", name: "b" })),
        },
      },
      `${NAMESPACE}/pods/t${DRY}`,
    ),
  "strategic tolerations": (s) =>
    patch(
      "application/strategic-merge-patch+json",
      { spec: { tolerations: repeat(s / 20, () => ({ key: "a" })) } },
      `${NAMESPACE}/pods/t${DRY}`,
    ),
};
