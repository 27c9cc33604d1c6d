// Metadata of every kind: labels, annotations, finalizers, owners, managed fields.

import { type Cases, configMap, members, meta, repeat } from "../samples.ts";

export const metadataCases: Cases = {
  "cm many keys": (s) => configMap({ data: members(s / 16, (i) => [`k${i}`, ""]) }),
  "cm bad keys": (s) => configMap({ data: members(s / 16, (i) => [`k/${i}`, ""]) }),
  "cm long string": (s) => configMap({ data: { a: "x".repeat(s - 200) } }),
  "cm labels": (s) => configMap({ metadata: meta({ labels: members(s / 16, (i) => [`k${i}`, "v"]) }) }),
  "cm bad labels": (s) => configMap({ metadata: meta({ labels: members(s / 16, (i) => [`k${i}`, "!"]) }) }),
  "cm bad label keys": (s) => configMap({ metadata: meta({ labels: members(s / 16, (i) => [`!/!${i}`, "a"]) }) }),
  "cm annotations": (s) => configMap({ metadata: meta({ annotations: members(s / 16, (i) => [`k${i}`, "!"]) }) }),
  "cm finalizers": (s) => configMap({ metadata: meta({ finalizers: repeat(s / 16, (i) => `a.b/k${i}`) }) }),
  "cm owners": (s) =>
    configMap({
      metadata: meta({
        ownerReferences: repeat(s / 80, (i) => ({ apiVersion: "v1", kind: "Pod", name: `a${i}`, uid: `u${i}` })),
      }),
    }),
  "cm owners same": (s) =>
    configMap({
      metadata: meta({
        ownerReferences: repeat(s / 80, () => ({
          apiVersion: "v1",
          kind: "Pod",
          name: "a",
          uid: "u",
          controller: true,
        })),
      }),
    }),
  "cm managedFields": (s) =>
    configMap({
      metadata: meta({
        managedFields: repeat(s / 140, (i) => ({
          manager: `m${i}`,
          operation: "Update",
          apiVersion: "v1",
          time: "2020-01-01T00:00:00Z",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:data": { [`f:a${i}`]: {} } },
        })),
      }),
    }),
  "cm bad types": (s) => configMap({ data: members(s / 12, (i) => [`k${i}`, 1]) }),
  "cm stored 3M labels": (s) => ({
    ...configMap({ metadata: meta({ labels: members(s / 16, (i) => [`k${i}`, "v"]) }) }, ""),
  }),
};
