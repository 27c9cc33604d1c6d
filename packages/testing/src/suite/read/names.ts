// Names in a suite must exist, and resources must be used: a misspelt policy or a binding to nothing would make tests
// pass that test nothing.

import type { JsonPath } from "@celadon/base";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { type Manifest, type Origin, roleOf } from "@celadon/simulator/manifests";
import { issueAt, type SuiteIssue } from "../issue.ts";
import { didYouMean } from "../suggest.ts";
import type { Case } from "../suite.ts";

/** Kinds that a case can be about. */
const SPEAKERS: ReadonlySet<string> = new Set([
  "policy",
  "mutatingPolicy",
  "webhooks",
  "certificatePolicy",
  "definition",
]);
const POLICIES: ReadonlySet<string> = new Set(["policy", "mutatingPolicy"]);
const BINDINGS: ReadonlySet<string> = new Set(["binding", "mutatingBinding"]);

export class Names {
  readonly #origin: Origin;
  readonly #speakers: ReadonlySet<string>;
  readonly #bindings: ReadonlySet<string>;
  readonly #policies: ReadonlySet<string>;
  readonly #webhooks: ReadonlySet<string>;
  readonly #paramKinds: ReadonlySet<string>;

  constructor(origin: Origin, manifests: readonly Manifest[]) {
    const objects = manifests.map(({ object }) => object);
    const named = (fits: (role: string) => boolean) =>
      new Set(objects.filter((object) => fits(roleOf(object))).map(nameOf));
    this.#origin = origin;
    this.#speakers = named((role) => SPEAKERS.has(role));
    this.#bindings = named((role) => BINDINGS.has(role));
    this.#policies = named((role) => POLICIES.has(role));
    this.#webhooks = new Set(objects.filter((object) => roleOf(object) === "webhooks").flatMap(webhookNames));
    this.#paramKinds = new Set(objects.filter((object) => POLICIES.has(roleOf(object))).flatMap(paramKindOf));
  }

  checkCase({ policies = [], bindings = [], webhookAnswers = {}, expect = {}, expectPath, path }: Case): SuiteIssue[] {
    const { failures, cost, webhooks = {}, mutations } = expect;
    const issues: SuiteIssue[] = [];
    const need = (what: "policy" | "binding" | "webhook", name: string | undefined, at: JsonPath): void => {
      const known = { policy: this.#speakers, binding: this.#bindings, webhook: this.#webhooks }[what];
      if (name === undefined || known.has(name)) return;
      const code = what === "binding" ? "unknown_binding" : "unknown_policy";
      const hint =
        didYouMean(name, known) ?? (known.size === 0 ? undefined : `known: ${[...known].slice(0, 5).join(", ")}`);
      issues.push(issueAt(this.#origin, at, code, `the suite has no ${what} ${JSON.stringify(name)}`, { hint }));
    };
    for (const name of policies) need("policy", name, [...path, "policy"]);
    for (const name of bindings) need("binding", name, [...path, "binding"]);
    if (typeof failures === "object") {
      for (const [i, { policy, binding }] of failures.entries()) {
        need("policy", policy, [...expectPath, "failures", i, "policy"]);
        need(this.#webhooks.has(binding ?? "") ? "webhook" : "binding", binding, [
          ...expectPath,
          "failures",
          i,
          "binding",
        ]);
      }
    }
    if (typeof mutations === "object") {
      for (const [i, { policy, binding }] of mutations.entries()) {
        need("policy", policy, [...expectPath, "mutations", i, "policy"]);
        need(this.#webhooks.has(binding ?? "") ? "webhook" : "binding", binding, [
          ...expectPath,
          "mutations",
          i,
          "binding",
        ]);
      }
    }
    for (const key of Object.keys(webhookAnswers)) {
      need("webhook", key.slice(key.lastIndexOf("/") + 1), [...path, "webhookAnswers", key]);
    }
    if (typeof cost === "object") {
      for (const name of Object.keys(cost.policies ?? {}))
        need("policy", name, [...expectPath, "cost", "policies", name]);
    }
    for (const list of ["called", "notCalled"] as const) {
      webhooks[list]?.forEach((name, i) => {
        need("webhook", name, [...expectPath, "webhooks", list, i]);
      });
    }
    return issues;
  }

  /** One entry of `resources`. A directory needs one useful manifest, not only useful ones. */
  checkUse(manifests: readonly Manifest[], path: JsonPath): SuiteIssue[] {
    const reasons = manifests.map((manifest) => ({ manifest, reason: this.#unused(manifest.object) }));
    if (reasons.length === 0 || reasons.some(({ reason }) => reason === undefined)) return [];
    const [{ manifest, reason }] = reasons as [(typeof reasons)[0]];
    const message = `${String(manifest.object.kind)} ${JSON.stringify(nameOf(manifest.object))} is not used: ${reason}`;
    const hint = "put objects that cases refer to under objects";
    return [
      issueAt(this.#origin, path, "unused_resource", message, roleOf(manifest.object) === "object" ? { hint } : {}),
    ];
  }

  /** Why nothing ever looks at a resource. */
  #unused(object: KubeObject): string | undefined {
    const role = roleOf(object);
    if (BINDINGS.has(role)) {
      const name = (object.spec as { policyName?: unknown } | undefined)?.policyName;
      if (typeof name !== "string" || this.#policies.has(name)) return undefined;
      const hint = didYouMean(name, this.#policies);
      return `the suite has no policy ${JSON.stringify(name)}${hint === undefined ? "" : `; ${hint}`}`;
    }
    if (role !== "object" && role !== "certificateRequest") return undefined;
    const { group, kind } = gvkOf(object);
    if (kind === "ServiceAccount" && group === "") return undefined;
    return this.#paramKinds.has(`${group}/${kind}`) ? undefined : "no policy has params of this kind";
  }
}

function paramKindOf(policy: KubeObject): string[] {
  const { paramKind } = (policy.spec ?? {}) as { paramKind?: KubeObject | null };
  if (!paramKind) return [];
  const { group, kind } = gvkOf(paramKind);
  return [`${group}/${kind}`];
}

function webhookNames(configuration: KubeObject): string[] {
  const { webhooks } = configuration as { webhooks?: unknown };
  return Array.isArray(webhooks) ? webhooks.map((webhook) => String((webhook as { name?: unknown } | null)?.name)) : [];
}
