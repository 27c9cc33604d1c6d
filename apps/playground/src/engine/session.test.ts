// The worker's answers, without a worker: every example, and possible errors of the texts.

import { readFileSync } from "node:fs";
import { Workspace } from "@celadon/language";
import type { Work } from "@celadon/language/playground";
import { expect, test } from "vitest";
import { EXAMPLES } from "../examples/index.ts";
import type { Cost, Explanation, SuiteAnswer, WorkAnswer } from "../model/answer.ts";
import { costsOf } from "./cost-view.ts";
import { Help } from "./help.ts";
import { Session } from "./session.ts";
import { suiteAnswer } from "./suite-run.ts";
import { withCases } from "./test-case.ts";
import { clauses, flip, flipTests } from "./what-if.ts";

const workOf = (id: string, changed: Partial<Work> = {}): Work => ({
  ...EXAMPLES.find((example) => example.id === id)!.work,
  ...changed,
});

async function reviewed(
  work: Work,
): Promise<Explanation & { answer: WorkAnswer; session: Session; costs: () => Promise<readonly Cost[]> }> {
  const session = new Session();
  session.set(work);
  const { answer, reviewed: found } = await session.review(() => 0);
  const explanation = (await session.explain(found)) ?? { lines: answer.lines!, spots: answer.verdict.spots };
  return { answer, ...explanation, session, costs: () => costsOf(session, found) };
}

// biome-ignore format: one example per line
const verdicts: readonly (readonly [string, string, RegExp])[] = [
  ["trusted-images",  "Denied",                 /images must come from registry\.example\.com$/],
  ["replicas",        "Denied",                 /99 replicas at most$/],
  ["banned-words",    "Denied",                 /no container may be called glitter or rainbow$/],
  ["least-privilege", "Denied",                 /team and tier are reserved labels$/],
  ["version-skew",    "Allowed, with warnings", /^$/],
  ["levels",          "Denied",                 /level 1: pods do not run as root$/],
  ["authorizer",      "Denied",                 /ann may not approve$/],
  ["versions",        "Denied",                 /v2: gateways are internal$/],
  ["reserved-namespace", "Denied",              /every webhook must exclude the namespace kube-system$/],
  ["migration",       "Allowed, with warnings", /^$/],
  ["pod-templates",   "Denied",                 /images need a version, not latest$/],
  ["rollout",         "Allowed, with warnings", /^$/],
  ["canary",          "Allowed, with warnings", /^$/],
  ["pod-security",    "Denied",                 /drivers that are not allowed: ebs\.csi\.aws\.com$/],
  ["proxy",           "Allowed, changed",       /^$/],
  ["created-by",      "Allowed, changed",       /^$/],
  ["queues",          "Denied",                 /more replicas than partitions would idle/],
  ["pipelines",       "Denied",                 /tasks run after tasks of the same pipeline/],
  ["too-costly",      "Rejected",               /exceeds budget/],
  ["leases",          "Webhook is not called",  /^$/],
  ["nodes",           "Webhook is not called",  /^$/],
  ["nfs",             "Webhook is called",      /^$/],
  ["own-domain",      "Denied",                 /only names of services of this namespace/],
  ["spiffe",          "Approved",               /Approved by CertificateRequestPolicy: "spiffe"/],
  ["containers",      "false",                  /^$/],
  ["common-rules",    "Denied",                 /custom is required for type Custom.*both allowed and denied.*built in/],
];

test("every example is listed here", () => {
  expect(EXAMPLES.map(({ id }) => id)).toEqual(verdicts.map(([id]) => id));
});

// biome-ignore format: one example per line
test.each([
  { id: "queues",         marked: ["4", "5"] },
  { id: "own-domain",     marked: ["self.endsWith"] },
  { id: "trusted-images", marked: ["docker.io/acme/shipper:latest", "object.spec.containers.all"] },
])("$id: all that decided is marked", async ({ id, marked }) => {
  const { spots, session } = await reviewed(workOf(id));
  const texts = spots.map(({ text, from, to }) => session.texts.text(text).slice(from, to));
  for (const part of marked) expect(texts.some((text) => text.includes(part))).toBe(true);
});

test("the guide lists every example", () => {
  const guide = readFileSync(new URL("../../../../docs/guides/playground.md", import.meta.url), "utf8");
  expect(EXAMPLES.map(({ title }) => title).filter((title) => !guide.includes(title))).toEqual([]);
});

test.each(verdicts)("%s: %s", async (id, title, message) => {
  const { answer, lines, spots, session } = await reviewed(workOf(id));
  expect(answer.verdict.title).toBe(title);
  expect(answer.verdict.message ?? "").toMatch(message);
  for (const { from, to, text } of [...spots, ...lines.flatMap((line) => line.spots)]) {
    expect(to).toBeGreaterThanOrEqual(from);
    expect(to).toBeLessThanOrEqual(session.texts.text(text).length);
  }
});

test("lines lead to the clause and to the guilty element", async () => {
  const { lines, session } = await reviewed(workOf("trusted-images"));
  const texts = lines.map(({ text, value, spots }) => ({
    text,
    value,
    spots: spots.map((spot) => session.texts.text(spot.text).slice(spot.from, spot.to)),
  }));
  expect(texts.find(({ text }) => text === "decided by spec.containers[1]")?.spots).toEqual([
    "name: log-shipper\n      image: docker.io/acme/shipper:latest\n      resources:\n        limits:\n          memory: 64Mi",
  ]);
  expect(texts.find(({ text }) => text === "c.image")).toEqual({
    text: "c.image",
    value: '"docker.io/acme/shipper:latest"',
    spots: ["c.image", "docker.io/acme/shipper:latest"],
  });
  expect(texts.find(({ text }) => text === "params.data.registry")?.spots).toEqual([
    "params.data.registry",
    "registry.example.com",
  ]);
});

test("webhooks say whether they are called, and what excluded them", async () => {
  const called = (await reviewed(workOf("nfs"))).answer;
  expect(called.webhooks).toEqual([
    { tone: "good", name: "nfs-access.example.com of nfs-access", text: "would be called" },
  ]);
  const { lines, session } = await reviewed(workOf("nodes"));
  const line = lines.find(({ role }) => role === "expression");
  expect(line).toMatchObject({ value: "false", note: expect.stringContaining("not-for-nodes") });
  expect(line?.spots.map((one) => session.texts.text(one.text).slice(one.from, one.to))).toEqual([
    "\"!('system:nodes' in request.userInfo.groups)\"",
  ]);
});

test("mutation is shown before and after", async () => {
  const { answer } = await reviewed(workOf("proxy"));
  expect(answer.change?.mutations.map(({ by, result }) => `${by} ${result}`)).toEqual([
    "mutating policy proxy, binding proxy, mutations[0] changed the object",
  ]);
  expect(answer.change?.before).not.toContain("proxy:1.9");
  expect(answer.change?.after).toContain("proxy:1.9");
});

test("a signing request in PEM is decoded", async () => {
  const { answer } = await reviewed(workOf("own-domain"));
  expect(answer.certificate?.rows).toContainEqual({ name: "DNS names", values: ["web.shop.svc", "web.bank.svc"] });
  expect(answer.certificate?.rows).toContainEqual({ name: "Key", values: ["ECDSA, 256 bits"] });
});

// biome-ignore format: one case per line
const broken: readonly (readonly [string, Work, string])[] = [
  ["an object that is no YAML",      workOf("replicas", { object: "a: [" }),                       "Cannot be read"],
  ["no object",                      workOf("replicas", { object: "" }),                           "No object yet"],
  ["an object without a kind",       workOf("replicas", { object: "a: 1" }),                       "Not a Kubernetes object"],
  ["a policy that does not compile", workOf("replicas", { policy: workOf("replicas").policy.replace("replicas < 100", "replicas <") }), "Rejected"],
  ["no policy",                      workOf("replicas", { policy: "" }),                           "No policy"],
  ["an expression with a mistake",   workOf("containers", { policy: "object.spec.(" }),            "Does not compile"],
  ["an expression that fails",       workOf("containers", { policy: "object.spec.nothing == 1" }), "Error"],
  ["no expression",                  workOf("containers", { policy: " " }),                        "No expression yet"],
  ["JSON that is no object",         workOf("containers", { policy: "self.min", object: '{"min": 3}' }), "3"],
  ["CRLF and a BOM",                 workOf("replicas", { object: `\ufeff${workOf("replicas").object.replaceAll("\n", "\r\n")}` }), "Denied"],
];

test.each(broken)("%s", async (_, work, title) => {
  expect((await reviewed(work)).answer.verdict.title).toBe(title);
});

const POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: b}\nspec: {containers: [{name: a, image: a}]}\n";

const REPLICAS = workOf("replicas").policy;
const [UNBOUND = "", BINDING = ""] = REPLICAS.split("---\n");

// biome-ignore format: one case per line
test.each([
  { name: "applies",           work: workOf("replicas"),                  title: "Denied",            said: /99 replicas/ },
  { name: "does not apply",    work: workOf("replicas", { object: POD }), title: "No policy applies", said: /without evaluating the policy: no resource rule matches/ },
  { name: "does not exist",    work: workOf("replicas", { policy: "" }),  title: "No policy",         said: /no policy of this mode/ },
  { name: "has no binding",    work: workOf("replicas", { policy: UNBOUND }), title: "Not enforced",  said: /^No binding names policy at-most-100-replicas,/ },
  { name: "is misspelt",       work: workOf("replicas", { policy: REPLICAS.replace("ValidatingAdmissionPolicy\n", "ValidatingAdmisionPolicy\n") }), title: "Not enforced", said: /did you mean "ValidatingAdmissionPolicy"/ },
  { name: "is bound by another name", work: workOf("replicas", { policy: `${UNBOUND}---\n${BINDING.replace("policyName: at-most", "policyName: a-most")}` }), title: "Not enforced", said: /names a-most-100-replicas, which does not exist/ },
  { name: "has no definition", work: workOf("queues", { object: POD, oldObject: "" }),   title: "Not validated",     said: /No CustomResourceDefinition is for v1 Pod/ },
  { name: "changes nothing it matches", work: workOf("created-by", { policy: "" }), title: "No policy", said: /no policy/ },
])("a policy that $name is never an unqualified yes", async ({ work, title, said }) => {
  const { answer } = await reviewed(work);
  expect(answer.verdict).toMatchObject({ title, message: expect.stringMatching(said) });
  // The button does it.
  const { remedy } = answer.verdict;
  expect(remedy !== undefined).toBe(title === "Not enforced");
  if (remedy === undefined) return;
  const session = new Session();
  session.set(work);
  session.change(remedy.text, remedy.changes);
  expect((await session.review(() => 0)).answer.verdict.title).toBe("Denied");
});

test("a binding that is added refers to the params at hand", async () => {
  const work = workOf("trusted-images");
  const documents = work.policy
    .split("---\n")
    .filter((text) => !text.includes("kind: ValidatingAdmissionPolicyBinding"));
  const session = new Session();
  session.set({ ...work, policy: documents.join("---\n") });
  const { remedy } = (await session.review(() => 0)).answer.verdict;
  session.change("policy", remedy!.changes);
  expect((await session.review(() => 0)).answer.verdict).toMatchObject({
    title: "Denied",
    message: expect.stringContaining("images must come from registry.example.com"),
  });
});

// biome-ignore format: one case per line
test.each([
  { work: workOf("replicas"),                                                  unparsed: undefined, reason: /^Policy at-most-100-replicas: / },
  { work: workOf("replicas", { object: "a: [" }),                              unparsed: true,      reason: undefined },
  { work: workOf("replicas", { policy: REPLICAS.replace("replicas < 100", "replicas <") }), unparsed: true, reason: /is not enforced: .*Syntax error/ },
  { work: workOf("replicas", { policy: REPLICAS.replace("object.spec", "objet.spec") }), unparsed: undefined, reason: /is not enforced: .*undeclared reference to 'objet'[^\n]*$/ },
  { work: workOf("containers", { policy: "object.spec.(" }),                   unparsed: true,      reason: undefined },
  { work: workOf("containers", { policy: "objet.spec" }),                      unparsed: undefined, reason: undefined },
])("a verdict has a sentence, and says whether a text does not parse: $reason", async ({ work, unparsed, reason }) => {
  const { verdict } = (await reviewed(work)).answer;
  expect(verdict.unparsed).toBe(unparsed);
  if (reason === undefined) expect(verdict.reason).toBeUndefined();
  else expect(verdict.reason).toMatch(reason);
});

test("what cannot be read has its line", async () => {
  const { answer } = await reviewed(workOf("replicas", { object: "kind: Pod\n metadata: {}\n" }));
  expect(answer.verdict.detail).toBe("object, line 2");
});

test("the example of a first visit has nothing to complain about", async () => {
  const workspace = new Workspace();
  const { policy, object } = workOf("trusted-images");
  workspace.set("policy.yaml", policy);
  workspace.set("object.yaml", object);
  expect(await workspace.diagnostics("policy.yaml")).toEqual([]);
});

test("costs have a share of their limit and the minors that accept them", async () => {
  const { costs } = await reviewed(workOf("trusted-images"));
  expect((await costs()).find(({ what }) => what === "validations[0].expression")).toMatchObject({
    text: "32 of 1,000,000",
    accepted: "1.28 – 1.37",
    isTotal: false,
  });
  const bad = await (await reviewed(workOf("too-costly"))).costs();
  expect(bad[0]).toMatchObject({ tone: "bad", help: expect.stringContaining("maxItems") });
});

test("a result becomes a test, and coverage shows it", async () => {
  const session = new Session();
  session.set(workOf("trusted-images"));
  const first = await session.review(() => 0);
  const withNow = ({ reviewed: { outcome } }: Awaited<ReturnType<Session["review"]>>): string =>
    withCases(session, [{ object: session.objectManifest("object")?.object, outcome: outcome! }]);
  const tests = withNow(first);
  session.set({ ...workOf("trusted-images"), tests });
  let suite: SuiteAnswer = await suiteAnswer(session);
  expect(suite.problems).toEqual([]);
  expect(suite.cases).toMatchObject([{ name: "deny Pod checkout", result: "pass" }]);
  expect(suite.percent).toBeGreaterThan(0);
  expect(suite.coverage.map(({ covered }) => covered)).toContain("some");
  expect(withNow(await session.review(() => 0))).toBe(tests);
  session.set({ ...workOf("trusted-images"), tests, request: { user: "kate" } });
  const second = withNow(await session.review(() => 0));
  expect(second).toContain("deny Pod checkout (2)");
  session.set({
    ...workOf("trusted-images"),
    tests: second,
    policy: session.texts.text("policy").replace("[Deny]", "[Audit]"),
  });
  suite = await suiteAnswer(session);
  expect(suite.cases.map(({ result }) => result)).toEqual(["fail", "fail"]);
});

const SECOND = `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: small, namespace: test-shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: small } }
  template:
    metadata: { labels: { app: small } }
    spec: { containers: [{ name: small, image: small }] }
`;

test("a clause has a result for every object, and the smallest change that turns it becomes two tests", async () => {
  const session = new Session();
  const work = workOf("replicas");
  session.set({ ...work, object: `${work.object}${SECOND}` });
  const { reviewed: now } = await session.review(() => 0);
  const workspace = new Help(session).current();
  const [clause, ...others] = await clauses(session, workspace);
  expect(others).toEqual([]);
  expect(clause).toMatchObject({ what: "validations[0].expression", turns: true });
  expect(clause!.results.map(({ truth }) => truth)).toEqual(["false", "true"]);
  const change = await flip(session, workspace, clause!.id);
  expect(change).toMatchObject({
    title: "Set spec.replicas to 99",
    effect: "validations[0].expression would be true, and the object allowed",
  });
  const tests = await flipTests(session, workspace, now, clause!.id);
  session.change("tests", [{ from: 0, to: 0, insert: tests }]);
  expect((await suiteAnswer(session)).cases).toMatchObject([
    { name: expect.stringMatching(/^deny Deployment/), result: "pass" },
    { name: expect.stringMatching(/^allow Deployment .* with spec\.replicas 99$/), result: "pass" },
  ]);
  session.change("object", change.changes!);
  expect((await session.review(() => 0)).answer.verdict.title).toBe("Allowed");
});

test("every object has a verdict, and the result is about the first that is denied, or the chosen one", async () => {
  const session = new Session();
  const work = workOf("replicas");
  session.set({ ...work, object: `${SECOND.slice(4)}---\n${work.object}${SECOND.replaceAll("small", "other")}` });
  const { answer, reviewed: found } = await session.review(() => 0);
  expect(answer.objects.map(({ name, title }) => `${name} ${title}`)).toEqual([
    "Deployment small Allowed",
    "Deployment web Denied",
    "Deployment other Allowed",
  ]);
  expect([answer.selected, answer.verdict.title]).toEqual([1, "Denied"]);
  const explanation = await session.explain(found);
  const object = session.texts.text("object");
  expect(explanation!.spots.map(({ from, to, text }) => text === "object" && object.slice(from, to))).toContain("100");
  const workspace = new Help(session).current();
  const [clause] = await clauses(session, workspace);
  expect(await flip(session, workspace, clause!.id)).toMatchObject({ title: "Set spec.replicas to 99" });
  session.select(2);
  const other = (await session.review(() => 0)).answer;
  expect([other.selected, other.verdict.title, other.asked]).toEqual([
    2,
    "Allowed",
    "CREATE Deployment test-shop/other by kubernetes-admin",
  ]);
});

test("a clause is asked about by the user of the request", async () => {
  const session = new Session();
  session.set(workOf("authorizer"));
  const truths = async (): Promise<readonly string[]> => {
    const all = await clauses(session, new Help(session).current());
    return all.find(({ what }) => what.startsWith("validations"))!.results.map(({ truth }) => truth);
  };
  expect(await truths()).toEqual(["false"]);
  session.setRequest({}, undefined);
  expect(await truths()).toEqual(["true"]);
});

test("a suite that names an unknown file says which there are", async () => {
  const session = new Session();
  session.set({
    ...workOf("replicas"),
    tests: "apiVersion: celadon.dev/v1\nkind: TestSuite\nresources: [x.yaml]\ntests: [{name: a, expect: allow}]\n",
  });
  expect((await suiteAnswer(session)).problems[0]?.message).toContain("no file x.yaml");
});

test("changes arrive in pieces", async () => {
  const session = new Session();
  const work = workOf("replicas");
  session.set(work);
  const at = work.object.indexOf("100");
  session.change("object", [{ from: at, to: at + 3, insert: "5" }]);
  expect((await session.review(() => 0)).answer.verdict.title).toBe("Allowed");
});

test("help: findings, completion and hover, also of an expression by itself", async () => {
  const session = new Session();
  session.set(workOf("replicas", { policy: workOf("replicas").policy.replace("replicas < 100", "replcas < 100") }));
  const help = new Help(session);
  const findings = await help.findings();
  expect(findings.find(({ message }) => message.includes("replcas"))?.fix).toBeDefined();
  session.set(workOf("containers", { policy: "1 + 1 == 2 &&\nobject.metadata.na" }));
  const found = help.complete("policy", session.texts.text("policy").length);
  expect(found?.offers.map(({ label }) => label)).toContain("name");
  expect(session.texts.text("policy").slice(found?.from, found?.to)).toBe("na");
});

// biome-ignore format: one case per line
test.each([
  { expr: "object.spec.containers.al(c, true)",   word: "al",      fix: true },
  { expr: "1 + 1 == 2 &&\n  object.metadata.nam == 'a' && x", word: "x", fix: false },
  { expr: "'abc'.startWith('a')",                 word: "startWith", fix: true },
])("problems of an expression by itself: $word", async ({ expr, word, fix }) => {
  const session = new Session();
  session.set(workOf("containers", { policy: expr }));
  const help = new Help(session);
  const findings = await help.findings();
  expect(findings.map(({ spot }) => expr.slice(spot.from, spot.to))).toEqual([word]);
  expect(findings[0]!.fix !== undefined).toBe(fix);
  if (!fix) return;
  const [{ from, to }] = [findings[0]!.spot];
  const [change] = await help.fixes("policy", from, to);
  session.change("policy", change!.changes);
  expect(session.texts.text("policy")).not.toContain(`.${word}(`);
});

test("an expression by itself that is right has no problems, whatever its type and variables", async () => {
  for (const policy of ["1 + 1", "self.min > 3 && oldSelf == null", "object.spec.replicas", "[1, 2].map(a, a * 2)"]) {
    const session = new Session();
    session.set(workOf("containers", { policy }));
    expect(await new Help(session).findings()).toEqual([]);
  }
});
