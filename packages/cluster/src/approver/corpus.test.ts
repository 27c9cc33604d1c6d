// Cases of certificate policies created as objects in a cluster: the approver's conditions, and the words of its webhook. Cases that no
// object can express are left out: plugins, evaluators of others, and policies that are not ready, which the approver makes ready itself.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestServer } from "@celadon/apiserver/testing";
import type { KubeObject } from "@celadon/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CORPUS, hasCorpus } from "../../../../conformance/src/corpus/corpus-directory.ts";
import { type Approving, startApprover, startCertificateServer, startPolicyWebhook } from "./certificates.testing.ts";
import { POLICIES, REQUESTS } from "./resources.ts";

const FILE = join(CORPUS, "certificate-policy/cases.json");

interface Policy {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly conditions: readonly { readonly type: string; readonly status: string }[];
}

interface Case {
  readonly id: string;
  readonly group: string;
  readonly kind: string;
  readonly policies: readonly Policy[];
  readonly policySpec: Readonly<Record<string, unknown>>;
  readonly request: Readonly<Record<string, unknown>> & { readonly csrPem?: string };
  readonly bound: readonly string[];
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly evaluators?: unknown;
  readonly registeredPlugins?: readonly string[];
  readonly expect: {
    readonly result?: string;
    readonly allowed?: boolean;
    readonly message?: string;
    readonly messageMatch?: "prefix";
  };
}

const cases: readonly Case[] = hasCorpus ? JSON.parse(readFileSync(FILE, "utf8")) : [];

describe.skipIf(!hasCorpus)("certificate policies of the corpus, in a cluster", () => {
  let server: TestServer;
  let running: Approving;
  beforeAll(async () => {
    server = await startCertificateServer();
    running = await startApprover(server);
  });
  afterAll(async () => {
    await running.stop();
    await server.close();
  });

  test("what policies allow", async () => {
    // Every third will do here: all of them are compared where the evaluation is.
    const chosen = cases
      .filter(
        ({ group, kind, expect: want }) =>
          group === "allowed" && (kind === "evaluate" || kind === "wildcard") && want.result !== "Error",
      )
      .filter((_, i) => i % 3 === 0);
    const wanted = new Map<string, string>();
    const users = new Set<string>();
    let unserved = 0;
    // Each case has its own issuer, so that all can be there at once.
    for (const [i, testCase] of chosen.entries()) {
      const issuerRef = { name: `i${i}`, kind: "Issuer", group: "cert-manager.io" };
      const spec = { ...testCase.policySpec, selector: { issuerRef: { name: `i${i}` } } };
      try {
        await server.apply([policyObject({ name: `p${i}`, spec, conditions: [] })]);
      } catch {
        unserved++; // a policy with such values could not be there
        continue;
      }
      const namespace = String(testCase.request.namespace || "default");
      const request = {
        ...testCase.request,
        namespace,
        name: `r${i}`,
        username: String(testCase.request.username || "ann"),
        issuerRef,
      };
      users.add(request.username);
      await server.apply([
        { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
        requestObject(request),
      ]);
      const denied = `Denied No policy approved this request: [p${i}: ${testCase.expect.message}]`;
      const text =
        testCase.expect.result === "NotDenied" ? `Approved Approved by CertificateRequestPolicy: "p${i}"` : denied;
      wanted.set(`${namespace}/r${i}`, testCase.expect.messageMatch === "prefix" ? denied.split(":")[0]! : text);
    }
    await server.apply(grants([...users], "all"));
    // Only now: each change before would have been a reason to look at all of them again.
    running.approver.lead(true);
    await expect
      .poll(() => [...wanted.keys()].filter((key) => isOpen(key)).length, { timeout: 100_000, interval: 200 })
      .toBe(0);
    const { items } = await running.api.list(REQUESTS);
    const got = new Map(
      items.map((item) => [`${item.metadata?.namespace}/${item.metadata?.name}`, conditionText(item)]),
    );
    for (const [key, want] of wanted) expect([key, got.get(key)?.slice(0, want.length)]).toEqual([key, want]);
    expect([wanted.size > 30, unserved < 10]).toEqual([true, true]);
    for (const key of wanted.keys()) await remove(REQUESTS, key);
    for (const i of chosen.keys()) await remove(POLICIES, `p${i}`);
  });

  const isOpen = (key: string): boolean => (running.decided.get(key)?.event.reason ?? "Unprocessed") === "Unprocessed";

  test("selection, one case after the other", async () => {
    const chosen = cases.filter(
      (testCase) =>
        testCase.kind === "review" &&
        testCase.evaluators === undefined &&
        testCase.expect.result !== "Error" &&
        isServed(testCase.policies),
    );
    running.approver.lead(true);
    for (const [i, testCase] of chosen.entries()) {
      const { namespace = "default" } = testCase.request as { readonly namespace?: string };
      const name = `s${i}`;
      const labels = testCase.namespaces?.[namespace] ?? {};
      await server.apply([
        { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels: { ...labels } } },
        ...grants([String(testCase.request.username)], testCase.bound),
        ...testCase.policies.map(policyObject),
      ]);
      await expect.poll(() => areReady(testCase.policies), { timeout: 100_000 }).toBe(true);
      await server.apply([requestObject({ ...testCase.request, namespace, name })]);
      const key = `${namespace}/${name}`;
      await expect.poll(() => running.decided.has(key), { timeout: 100_000, message: testCase.id }).toBe(true);
      await running.approver.idle();
      const object = await running.api.get(REQUESTS, { namespace, name });
      const want =
        testCase.expect.result === "Unprocessed" ? "" : `${testCase.expect.result} ${testCase.expect.message}`;
      expect([testCase.id, conditionText(object)]).toEqual([testCase.id, want]);
      await remove(REQUESTS, key);
      for (const policy of testCase.policies) await remove(POLICIES, policy.name);
    }
    expect(chosen.length).toBeGreaterThan(15);
  });

  test("policies when they are written", async () => {
    const webhook = await startPolicyWebhook(running.api);
    const attempt = (spec: Case["policySpec"]): Promise<string> =>
      running.api.create(POLICIES, policyObject({ name: "p", spec, conditions: [] }), { dryRun: true }).then(
        () => "",
        (error: Error) => error.message,
      );
    await expect
      .poll(() => attempt({ selector: {} }), { timeout: 100_000 })
      .toContain("one of issuerRef or namespace must be defined");
    const chosen = cases.filter(
      ({ kind, registeredPlugins }) => kind === "validate" && registeredPlugins?.length === 0,
    );
    const prefix = 'admission webhook "policy.cert-manager.io" denied the request: ';
    let compared = 0;
    for (const { id, policySpec, expect: want } of chosen) {
      const got = await attempt(policySpec);
      expect([id, got === ""]).toEqual([id, want.allowed]);
      // A policy that the definition's schema rejects never reaches the webhook.
      if (!got.startsWith(prefix)) continue;
      compared++;
      const text = got.slice(prefix.length);
      expect([id, want.messageMatch === "prefix" ? text.slice(0, want.message!.length) : text]).toEqual([
        id,
        want.message,
      ]);
    }
    expect(compared).toBeGreaterThan(20);
    await webhook.stop();
  });

  async function areReady(policies: readonly Policy[]): Promise<boolean> {
    const { items } = await running.api.list(POLICIES);
    const ready = items.filter(({ status }) => (status as { conditions?: unknown[] } | undefined)?.conditions?.length);
    return ready.length === policies.length;
  }

  async function remove(resource: typeof REQUESTS, key: string): Promise<void> {
    const [namespace, name] = key.includes("/") ? key.split("/") : [undefined, key];
    await running.api.delete(resource, { name: name!, ...(namespace && { namespace }) }).catch(() => {});
  }
});

/** A server lists them by name, and the approver makes each ready. */
function isServed(policies: readonly Policy[]): boolean {
  return policies.every(
    ({ name, conditions }, i) =>
      (i === 0 || policies[i - 1]!.name <= name) &&
      conditions.some(({ type, status }) => type === "Ready" && status === "True"),
  );
}

function policyObject({ name, spec }: Policy): KubeObject {
  return { apiVersion: "policy.cert-manager.io/v1alpha1", kind: "CertificateRequestPolicy", metadata: { name }, spec };
}

function requestObject({ namespace, name, csrPem = "", ...spec }: Case["request"]): KubeObject {
  return {
    apiVersion: "cert-manager.io/v1",
    kind: "CertificateRequest",
    metadata: { namespace: String(namespace), name: String(name) },
    spec: { ...spec, csr: undefined, csrDecodeError: undefined, request: btoa(csrPem) },
  };
}

function grants(users: readonly string[], bound: readonly string[] | "all"): KubeObject[] {
  const apiGroup = "rbac.authorization.k8s.io";
  const rule = { apiGroups: ["policy.cert-manager.io"], resources: ["certificaterequestpolicies"], verbs: ["use"] };
  const rules = bound === "all" ? [rule] : bound.length === 0 ? [] : [{ ...rule, resourceNames: bound }];
  const head = { apiVersion: `${apiGroup}/v1`, metadata: { name: "use" } };
  return [
    { ...head, kind: "ClusterRole", rules },
    {
      ...head,
      kind: "ClusterRoleBinding",
      roleRef: { apiGroup, kind: "ClusterRole", name: "use" },
      subjects: users.map((name) => ({ kind: "User", apiGroup, name })),
    },
  ];
}

/** `Approved message` */
function conditionText({ status }: KubeObject): string {
  const { conditions = [] } = (status ?? {}) as { conditions?: { type: string; status: string; message: string }[] };
  return conditions.map(({ type, message }) => `${type} ${message}`).join("; ");
}
