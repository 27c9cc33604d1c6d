import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { servedKind, servedResources, typeOfKind } from "./index.ts";

interface Recorded {
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources?: readonly string[];
}

test("the served resources are those of a server's discovery", () => {
  const text = readFileSync(new URL("./testdata/served.json", import.meta.url), "utf8");
  const recorded = JSON.parse(text) as Record<string, Recorded>;
  const ours = Object.fromEntries(
    servedResources("1.36").map(({ apiVersion, kind, plural, namespaced, verbs, subresources }) => [
      `${apiVersion}/${kind}`,
      {
        plural,
        namespaced,
        verbs,
        ...(subresources.length > 0 && { subresources: subresources.map(({ name }) => name) }),
      },
    ]),
  );
  expect(ours).toEqual(recorded);
});

test("every kind that is served has a type, and its list where it can be listed", () => {
  for (const { apiVersion, kind, verbs } of servedResources()) {
    expect(typeOfKind(apiVersion, kind), kind).toBeDefined();
    if (verbs.includes("list")) expect(typeOfKind(apiVersion, `${kind}List`), kind).toBeDefined();
  }
});

test("short names and bodies of subresources", () => {
  expect(servedKind("apps/v1", "Deployment")).toMatchObject({ group: "apps", version: "v1", shortNames: ["deploy"] });
  const pods = servedKind("v1", "Pod")!;
  expect(pods.subresources.find(({ name }) => name === "eviction")).toMatchObject({
    apiVersion: "policy/v1",
    kind: "Eviction",
  });
  expect(pods.subresources.find(({ name }) => name === "status")).toMatchObject({ apiVersion: "v1", kind: "Pod" });
  expect(servedKind("apps/v1beta1", "Deployment")).toBeUndefined();
});
