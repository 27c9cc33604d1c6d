// `check` over cases of certificate policies: policies, requests, namespaces and roles as manifests. Cases that no manifest can express are
// left out: plugins, and rules without a policy around them; the packages' own tests have these.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";
import { type Answered, CORPUS, hasCorpus } from "./corpus.testing.ts";

interface Policy {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly conditions: readonly unknown[];
}

interface Case {
  readonly id: string;
  readonly group: string;
  readonly kind: string;
  readonly policies: readonly Policy[];
  readonly policySpec: Readonly<Record<string, unknown>>;
  readonly request: Readonly<Record<string, unknown>> & { readonly username: string; readonly csrPem?: string };
  readonly bound: readonly string[];
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly evaluators?: unknown;
  readonly registeredPlugins?: readonly string[];
  readonly expect: {
    readonly result?: string;
    readonly allowed?: boolean;
    readonly message?: string;
    readonly errors?: readonly string[];
    readonly messageMatch?: "prefix";
  };
}

const path = join(CORPUS, "certificate-policy/cases.json");
const cases: readonly Case[] = hasCorpus ? JSON.parse(readFileSync(path, "utf8")) : [];

describe.skipIf(!hasCorpus)("certificate policies of the corpus", () => {
  const reviews = cases.filter(
    (testCase) => testCase.kind === "review" && testCase.evaluators === undefined && isListed(testCase),
  );
  test.each(reviews)("$id", async (review) => {
    const { result, message } = certificateOf(
      await answers(review.request, review.policies, review.bound, review.namespaces),
    );
    expect(result).toBe(review.expect.result);
    if (result !== "Error") expectText(message, review.expect);
  });

  const evaluations = cases.filter(
    ({ group, kind }) => group === "allowed" && (kind === "evaluate" || kind === "wildcard"),
  );
  test("what a policy allows", async () => {
    let decided = 0;
    for (const evaluation of evaluations) {
      const policy = { name: "p", spec: { selector: { issuerRef: {} }, ...evaluation.policySpec }, conditions: READY };
      const found = await answers(
        {
          ...evaluation.request,
          namespace: evaluation.request.namespace || "n",
          name: evaluation.request.name || "r",
          username: evaluation.request.username || "ann",
        },
        [policy],
        ["p"],
      );
      const accepted = found.find(({ object }) => object.kind === "CertificateRequestPolicy")?.allowed;
      // A policy with such values could not be there.
      if (accepted !== true || evaluation.expect.result === "Error") continue;
      decided++;
      const { result, message } = certificateOf(found);
      const want = evaluation.expect.result === "NotDenied" ? "Approved" : "Denied";
      expect({ id: evaluation.id, result }).toEqual({ id: evaluation.id, result: want });
      if (want === "Denied" && evaluation.expect.messageMatch !== "prefix") {
        expect(message).toBe(`No policy approved this request: [p: ${evaluation.expect.message}]`);
      }
    }
    expect(decided).toBeGreaterThan(100);
  });

  const validations = cases.filter(
    ({ kind, registeredPlugins }) => kind === "validate" && registeredPlugins?.length === 0,
  );
  test.each(validations)("$id", async (validation) => {
    const [answer] = await answers(undefined, [{ name: "p", spec: validation.policySpec, conditions: [] }], []);
    expect(answer?.allowed).toBe(validation.expect.allowed);
    const messages = answer?.problems.map(({ message }) => message) ?? [];
    if (validation.expect.messageMatch !== "prefix") expect(messages).toEqual(validation.expect.errors);
  });
});

/** A server lists policies by name; `check` reviews them in this order. */
function isListed({ policies }: Case): boolean {
  return policies.every(({ name }, i) => i === 0 || policies[i - 1]!.name <= name);
}

const READY = [{ type: "Ready", status: "True" }];

interface CertificateAnswer extends Answered {
  readonly certificate?: { readonly result: string; readonly message?: string };
}

async function answers(
  request: Case["request"] | undefined,
  policies: readonly Policy[],
  bound: readonly string[],
  namespaces: Case["namespaces"] = {},
): Promise<readonly CertificateAnswer[]> {
  const items: unknown[] = policies.map(({ name, spec, conditions }) => ({
    apiVersion: "policy.cert-manager.io/v1alpha1",
    kind: "CertificateRequestPolicy",
    metadata: { name },
    spec,
    status: { conditions },
  }));
  for (const [name, labels] of Object.entries(namespaces)) {
    items.push({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  }
  if (request !== undefined) items.push(...grants(request.username, bound), certificateRequest(request));
  const files = Object.fromEntries(
    items.map((item, i) => [`in/${String(i).padStart(3, "0")}.json`, JSON.stringify(item)]),
  );
  const { code, stdout, stderr } = await runLine(["check", "-f", "in", "-o", "json"], { files });
  if (code > 1) throw new Error(stderr);
  return (JSON.parse(stdout) as { objects: readonly CertificateAnswer[] }).objects;
}

function certificateRequest({ namespace, name, csrPem = "", ...spec }: Case["request"]): unknown {
  return {
    apiVersion: "cert-manager.io/v1",
    kind: "CertificateRequest",
    metadata: { namespace, name },
    spec: { ...spec, csr: undefined, csrDecodeError: undefined, request: btoa(csrPem) },
  };
}

function grants(user: string, bound: readonly string[]): unknown[] {
  if (bound.length === 0) return [];
  const apiGroup = "rbac.authorization.k8s.io";
  const head = { apiVersion: `${apiGroup}/v1`, metadata: { name: "use" } };
  const rule = { apiGroups: ["policy.cert-manager.io"], resources: ["certificaterequestpolicies"], verbs: ["use"] };
  return [
    { ...head, kind: "ClusterRole", rules: [{ ...rule, resourceNames: bound }] },
    {
      ...head,
      kind: "ClusterRoleBinding",
      roleRef: { apiGroup, kind: "ClusterRole", name: "use" },
      subjects: [{ kind: "User", apiGroup, name: user }],
    },
  ];
}

function certificateOf(found: readonly CertificateAnswer[]): { result: string; message: string } {
  const { result = "none", message = "" } =
    found.find(({ certificate }) => certificate !== undefined)?.certificate ?? {};
  return { result, message };
}

function expectText(got: string, { message = "", messageMatch }: Case["expect"]): void {
  expect(messageMatch === "prefix" ? got.slice(0, message.length) : got).toBe(message);
}
