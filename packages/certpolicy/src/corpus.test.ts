// Every case of the certificate-policy corpus, if it is present: messages and verdicts to the letter. Texts of errors, which the corpus
// gives for information only, are compared as well; `messageMatch: prefix` as far as it says.

import { fieldErrorText, forbiddenField, Invalid, invalidValue } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import { type CasePolicy, type CaseRequest, toPolicy, toRequest } from "./cases.testing.ts";
import { hasCorpus, readCorpus } from "./corpus.testing.ts";
import { evaluateAllowed } from "./evaluate/allowed.ts";
import { evaluateConstraints } from "./evaluate/constraints.ts";
import type { CertificateEvaluation } from "./evaluate/result.ts";
import type { Plugin, Readiness } from "./plugin.ts";
import { memoryAuthorizer, type Rbac } from "./rbac.testing.ts";
import type {
  CertificateCondition,
  CertificatePolicySpec,
  CertificateRequest,
  CertificateRequestPolicy,
} from "./resource.ts";
import { type Approver, type CertificateReview, Reviewer } from "./review.ts";
import { RuleCache } from "./rules/cache.ts";
import { compileRule } from "./rules/rule.ts";
import { checkReady, checkUse, matchIssuer, NamespaceMatcher } from "./select/select.ts";
import { isDecided, policyStatus, requestStatus } from "./status.ts";
import { validatePolicy } from "./validate/validate.ts";

// biome-ignore lint/suspicious/noExplicitAny: the corpus is read as it is; each kind of case states what it reads
type Case = any;

const cases = readCorpus<Case[]>("cases.json") ?? [];
const ofKind = (...kinds: string[]): Case[] => cases.filter(({ kind }) => kinds.includes(kind));

describe.skipIf(!hasCorpus)("cases of the corpus", () => {
  const rules = new RuleCache();

  test.each(ofKind("evaluate", "wildcard").filter(({ group }) => group !== "cel"))("$id", (testCase) => {
    const policy = { spec: testCase.policySpec as CertificatePolicySpec };
    const request = toRequest(testCase.request as CaseRequest);
    const answer =
      testCase.group === "allowed" ? evaluateAllowed(policy, request, rules) : evaluateConstraints(policy, request);
    expect(answer.result).toBe(testCase.expect.result);
    if (answer.result === "Error") {
      compareErrors(answer.error, testCase.expect.error);
      return;
    }
    compareTexts([answer.message], [testCase.expect.message], testCase.expect);
    if (testCase.expect.messageMatch !== "prefix") {
      compareTexts([...new Set(answer.errors.map(fieldErrorText))], testCase.expect.messages, testCase.expect);
    }
  });

  test.each(ofKind("validate"))("$id", async (testCase) => {
    const plugins: Plugin[] = [
      ...testCase.registeredPlugins.map((name: string) => ({ name })),
      ...(testCase.pluginWebhooks ?? []).map(({ name, errors, ...rest }: Case) => ({
        name: `webhook-${name}`,
        validate: () => ({
          ...rest,
          errors: (errors ?? []).map((error: Case) => invalidValue(error.path, error.value, error.detail)),
        }),
      })),
    ];
    const named = plugins.filter(({ name }) => !name.startsWith("webhook-"));
    const policy: CertificateRequestPolicy = { spec: testCase.policySpec };
    const answer = await validatePolicy(policy, { plugins: testCase.pluginWebhooks ? plugins : named });
    expect(answer.allowed).toBe(testCase.expect.allowed);
    const texts = [...new Set(answer.errors.map(fieldErrorText))];
    compareTexts(
      texts.length === 0 && answer.message !== "" ? [answer.message] : texts,
      testCase.expect.errors,
      testCase.expect,
    );
    compareTexts([answer.message], [testCase.expect.message], testCase.expect);
    expect(answer.warnings).toEqual(testCase.expect.warnings);
  });

  test.each(ofKind("compile"))("$id", (testCase) => {
    const rule = compileRule(testCase.cel.rule);
    expect(!(rule instanceof Invalid)).toBe(testCase.expect.compiles);
    if (rule instanceof Invalid) expect(rule.message).toBe(testCase.expect.error);
  });

  test.each(ofKind("evaluate").filter(({ group }) => group === "cel"))("$id", (testCase) => {
    const rule = compileRule(testCase.cel.rule);
    if (rule instanceof Invalid) throw new Error(rule.message);
    const answer = rule.holds(testCase.cel.self, toRequest(testCase.request));
    if (testCase.expect.evaluationError === undefined) expect(answer).toBe(testCase.expect.value);
    else expect((answer as Invalid).message).toBe(testCase.expect.evaluationError);
  });

  test.each(ofKind("cache"))("$id", ({ given, expect: want }) => {
    const cache = new RuleCache(given.capacity);
    const hits = given.lookups.map((text: string) => {
      const hit = cache.has(text);
      cache.get(text);
      return hit;
    });
    expect(hits).toEqual(want.hits);
  });

  test.each(ofKind("predicate-issuerRef", "predicate-namespace", "predicate-rbac", "predicate-ready"))(
    "$id",
    async (testCase) => {
      const request = toRequest(testCase.request);
      const matcher = new NamespaceMatcher({ labelsOf: (name) => testCase.namespaces?.[name] });
      const authorizer = memoryAuthorizer((testCase.rbac ?? {}) as Rbac);
      const selected: string[] = [];
      for (const given of testCase.policies as CasePolicy[]) {
        const policy = toPolicy(given);
        const answer = await {
          issuerRef: () => matchIssuer(policy, request),
          namespace: () => matcher.match(policy, request),
          rbac: () => checkUse(policy, request, authorizer),
          ready: () => checkReady(policy),
        }[testCase.predicate as "issuerRef"]();
        if ((answer as unknown) instanceof Invalid) {
          expect(testCase.expect.result).toBe("Error");
          compareErrors((answer as unknown as Invalid).message, testCase.expect.error);
          return;
        }
        if (answer === undefined) selected.push(given.name);
        else expect(answer.message).not.toBe("");
      }
      expect(testCase.expect.result).not.toBe("Error");
      expect(selected).toEqual(testCase.expect.selected);
    },
  );

  test.each(ofKind("review"))("$id", async (testCase) => {
    const approvers: Record<string, Approver["evaluate"]> = {
      allowed: (policy, request) => evaluateAllowed(policy, request, rules),
      constraints: evaluateConstraints,
    };
    const reviewer = new Reviewer({
      rules,
      ...(testCase.evaluators
        ? { approvers: testCase.evaluators.map((given: Case) => approverOf(given, approvers)) }
        : {}),
    });
    const review = await reviewer.review(toRequest(testCase.request), testCase.policies.map(toPolicy), {
      authorizer: {
        authorize: ({ name = "" }) => ({ decision: testCase.bound.includes(name) ? "allow" : "noOpinion" }),
      },
      namespaces: { labelsOf: (name) => testCase.namespaces?.[name] },
    });
    expect(review.result).toBe(testCase.expect.result);
    if (review.result === "Error") {
      compareErrors(review.error, testCase.expect.error);
      return;
    }
    compareTexts([review.message], [testCase.expect.message], testCase.expect);
    expect(review.policies.map(({ policy }) => policy)).toEqual(testCase.policies.map(({ name }: CasePolicy) => name));
  });

  test.each(ofKind("policy-status"))("$id", async ({ given, expect: want }) => {
    if (!given.policyExists) {
      // A controller's matter: there is no policy to ask about, and nothing is to be written.
      expect(want).toEqual({ condition: null, event: null, requeueAfterSeconds: null, error: false });
      return;
    }
    const plugins = given.reconcilers.map((testCase: Case, i: number) => ({
      name: `plugin-${i}`,
      ready: () => readiness(testCase),
    }));
    const policy: CertificateRequestPolicy = {
      metadata: { name: "p", generation: given.generation },
      spec: {},
      status: { conditions: given.existingCondition ? [given.existingCondition as CertificateCondition] : [] },
    };
    const status = await policyStatus(policy, plugins, given.now);
    if ("error" in status) {
      expect(want.error).toBe(true);
      return;
    }
    expect({ ...status, requeueAfterSeconds: status.requeueAfterSeconds ?? null, error: false }).toEqual(want);
  });

  test.each(ofKind("request-status"))("$id", ({ given, expect: want }) => {
    if (given.existingCondition) {
      const request: CertificateRequest = { spec: {}, status: { conditions: [given.existingCondition] } };
      expect(isDecided(request)).toBe(true);
      expect(want.event).toBeNull();
      return;
    }
    const review = (
      given.review.error ? { result: "Error", error: given.review.error } : { ...given.review, policies: [] }
    ) as CertificateReview;
    const { condition, event, requeueAfterSeconds, error } = requestStatus(review, given.now);
    expect({
      conditions: condition ? [condition] : null,
      event,
      requeueAfterSeconds: requeueAfterSeconds ?? null,
      error: error !== undefined,
    }).toEqual(want);
  });

  test("none is left out", () => {
    const known = [
      "evaluate",
      "wildcard",
      "validate",
      "compile",
      "cache",
      "review",
      "policy-status",
      "request-status",
      "predicate-issuerRef",
      "predicate-namespace",
      "predicate-rbac",
      "predicate-ready",
    ];
    expect(ofKind(...known)).toHaveLength(cases.length);
  });
});

/** A text that ends in words of the CEL engine is compared whole as well: the engine's words are the reference's. */
function compareTexts(got: readonly string[], want: readonly string[], expected: Case): void {
  if (expected.messageMatch === "prefix") {
    expect(got).toHaveLength(want.length);
    for (const [i, text] of want.entries()) expect(got[i]!.slice(0, text.length)).toBe(text);
    return;
  }
  expect(got).toEqual(want);
}

/** Up to where Go begins to print the structures of its parser. */
function compareErrors(got: string, want: string): void {
  const [start = ""] = want.split(" (16 vs {");
  expect(got.slice(0, start.length)).toBe(start);
  if (start === want) expect(got).toBe(want);
}

function approverOf(
  given: string | { name: string; responses: Record<string, CertificateEvaluation & { error?: string }> },
  builtIn: Record<string, Approver["evaluate"]>,
): Approver {
  if (typeof given === "string") return { name: given, evaluate: builtIn[given]! };
  return {
    name: given.name,
    evaluate: (policy) => {
      const answer = given.responses[policy.metadata?.name ?? ""] ?? given.responses["*"];
      if (answer === undefined) throw new Error(`${given.name} has no answer for ${policy.metadata?.name}`);
      return answer.error !== undefined
        ? { result: "Error", error: answer.error }
        : ({ errors: [], ...answer } as CertificateEvaluation);
    },
  };
}

function readiness({ errors, ...rest }: Case): Readiness {
  const parsed = (errors ?? []).map((text: string) => {
    const [field = "", detail = ""] = text.split(": Forbidden: ");
    return forbiddenField(field, detail);
  });
  return { ...rest, errors: parsed };
}
