// Bodies as text: repeated members, nesting, white space, invalid JSON, YAML and protobuf.

import { asJson, type Cases, CONFIG_MAPS, DRY, labelsInProtobuf, members, meta, repeat } from "../samples.ts";

export const textsCases: Cases = {
  "cm dup data keys": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    body:
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"a"},"data":{' +
      Array(Math.trunc(s / 8))
        .fill('"a":"b"')
        .join(",") +
      "}}",
  }),
  "cm dup data maps": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    body:
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"a"},' +
      repeat(s / 22, (i) => `"data":{"a${i}":"b"}`).join(",") +
      "}",
  }),
  "cm unknown fields": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    body:
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"a"},' +
      repeat(s / 10, (i) => `"u${i}":1`).join(",") +
      "}",
  }),
  "cm escapes": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    body:
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"a"},"data":{"a":"' +
      "\\u0041".repeat(s / 6) +
      '"}}',
  }),
  "cm deep": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    body: `{"apiVersion":"v1","kind":"ConfigMap","x":${"[".repeat(s / 2)}${"]".repeat(s / 2)}}`,
  }),
  "cm not json": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    body: `{"apiVersion":"v1","kind":"ConfigMap","x":${"[1,".repeat(s / 3)}`,
  }),
  "cm not json end": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    body: asJson({ apiVersion: "v1", kind: "ConfigMap", data: members(s / 16, (i) => [`k${i}`, ""]) }).slice(0, -1),
  }),
  "cm spaces": (s) => ({ method: "POST", path: CONFIG_MAPS + DRY, body: `${" ".repeat(s)}x` }),
  "cm digits": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    body: `{"apiVersion":"v1","kind":"ConfigMap","x":${"1".repeat(s)}}`,
  }),
  "cm proto labels": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    type: "application/vnd.kubernetes.protobuf",
    body: labelsInProtobuf(s),
  }),
  "cm yaml keys": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    type: "application/yaml",
    body:
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a}\ndata:\n" +
      repeat(s / 18, (i) => `  k${i}: "x"\n`).join(""),
  }),
  "cm yaml flow": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    type: "application/yaml",
    body:
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a}\ndata: {" +
      repeat(s / 14, (i) => `k${i}: x`).join(", ") +
      "}\n",
  }),
  "cm yaml dup keys": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    type: "application/yaml",
    body:
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a}\ndata:\n" +
      repeat(s / 9, () => `  k: "x"\n`).join(""),
  }),
  "cm yaml as json": (s) => ({
    method: "POST",
    path: CONFIG_MAPS + DRY,
    type: "application/yaml",
    body: asJson({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: meta(),
      data: members(s / 16, (i) => [`k${i}`, ""]),
    }),
  }),
};
