// A short campaign in the ordinary run, without a reference; `npm run faults -- authorization --reference KUBECONFIG` runs the whole one.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "@celadon/apiserver";
import { connectionFromKubeconfig } from "@celadon/client";
import { openMemory } from "@celadon/storage/memory";
import { expect, test } from "vitest";
import { authorizationCampaign } from "./campaign.ts";
import { problemOf } from "./compare.ts";
import { type Grant, maySee } from "./rights.ts";

test("users with random roles see nothing that no rule gives a right to", { timeout: 120_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "celadon-rights-"));
  const server = await launch({ store: await openMemory() });
  try {
    const file = join(directory, "kubeconfig");
    writeFileSync(file, server.kubeconfig);
    const here = await connectionFromKubeconfig({ path: file });
    const report = await authorizationCampaign({ here, reference: undefined, times: 400, seed: 23 });
    expect(report.problems).toEqual([]);
    expect(report.requests).toBe(400);
    expect(Math.min(report.successes, report.refusals)).toBeGreaterThan(40);
  } finally {
    await server.close();
    rmSync(directory, { recursive: true });
  }
});

test("a success that the reference refuses is a problem, and so is an object that it does not show", () => {
  const request = { user: "u0", kind: "plain", bytes: "GET / HTTP/1.1\r\n\r\n" };
  const list = (...names: string[]): string =>
    JSON.stringify({ kind: "SecretList", items: names.map((name) => ({ metadata: { namespace: "az-a", name } })) });
  const answer = (code: number, body = "") => ({ code, body });
  expect(problemOf(request, answer(200), answer(403))).toContain("200 here, 403 at the reference");
  expect(problemOf(request, answer(200, list("a", "b")), answer(200, list("a")))).toContain("az-a/b");
  expect(problemOf(request, answer(200, list("a")), answer(200, list("a", "b")))).toBeUndefined();
  expect(problemOf(request, answer(403), answer(200))).toBeUndefined();
});

test("rights are read by name, namespace, group and resource", () => {
  const rules = [{ verbs: ["get"], apiGroups: [""], resources: ["secrets"], resourceNames: ["one"] }];
  const grants: readonly Grant[] = [{ user: "u0", namespace: "az-a", rules }];
  const see = (user: string, resource: string, namespace: string, name: string): boolean =>
    maySee(grants, user, { group: "", resource, namespace, name });
  expect(see("u0", "secrets", "az-a", "one")).toBe(true);
  expect([
    see("u1", "secrets", "az-a", "one"),
    see("u0", "configmaps", "az-a", "one"),
    see("u0", "secrets", "az-b", "one"),
  ]).toEqual([false, false, false]);
  expect(see("u0", "secrets", "az-a", "two")).toBe(false);
});
