import { expect, test } from "vitest";
import { clusterVersion, emulatedVersion } from "./cluster-version.ts";

// biome-ignore format: one case per line
const cases = [
  { answer: { major: "1", minor: "33" },   minor: "1.33",    note: "emulating Kubernetes 1.33, the cluster's version" },
  { answer: { major: "1", minor: "33+" },  minor: "1.33",    note: "emulating Kubernetes 1.33, the cluster's version" },
  { answer: { major: "1", minor: "37" },   minor: "1.37",    note: undefined },
  { answer: { major: "1", minor: "99" },   minor: "1.37",    note: "the cluster runs Kubernetes 1.99; emulating 1.37, the newest known" },
  { answer: { major: "1", minor: "25" },   minor: "1.28",    note: "the cluster runs Kubernetes 1.25; emulating 1.28, the oldest known" },
  { answer: { gitVersion: "v1.33.1" },     minor: undefined, note: "the cluster does not tell its Kubernetes version; emulating 1.37" },
  { answer: null,                          minor: undefined, note: "the cluster does not tell its Kubernetes version; emulating 1.37" },
];
test.each(cases)("$answer", ({ answer, minor, note }) =>
  expect(emulatedVersion(answer)).toMatchObject({ minor, note }),
);

test("a cluster that forbids the question", async () => {
  const api = { raw: () => Promise.reject(new Error("forbidden")) };
  expect((await clusterVersion(api)).minor).toBeUndefined();
});
