// Problems of a suite are reported with their place and the probable intention.

import { describe, expect, test } from "vitest";
import { FILES, issuesOf, POLICY, read, suiteOf, type Texts, WEB } from "../suite.testing.ts";

const HEAD = "apiVersion: celadon.dev/v1\nkind: TestSuite\n";
const MORE: Texts = {
  ...FILES,
  "two.yaml": `${WEB}---${WEB.replace("name: web", "name: db")}`,
  "pool/a.yaml": WEB,
  "pool/b.yaml": WEB.replace("shop", "bank"),
  "dangling.yaml": POLICY.split("---")[1]!,
  "config.yaml": "apiVersion: v1\nkind: Secret\nmetadata: { name: s }\n",
  "suites/t.yaml": `${HEAD}tests: []\n`,
};

// biome-ignore format: one case per line
const cases: { name: string; text: string; want: string[] }[] = [
  { name: "another version",      text: "apiVersion: celadon.dev/v2\nkind: TestSuite\ntests: []",                       want: ['tests.yaml:1:13: apiVersion is "celadon.dev/v2", not one of celadon.dev/v1; did you mean "celadon.dev/v1"?'] },
  { name: "no tests",             text: `${HEAD}tests: []`,                                                            want: ["tests.yaml:3:8: the suite has no tests"] },
  { name: "tests missing",        text: HEAD,                                                                          want: ['tests.yaml:1:1: the suite needs the field "tests"'] },
  { name: "an unknown field",     text: suiteOf("- { name: a, object: web, expects: allow }"),                         want: ['tests.yaml:6:27: unknown field "expects"; did you mean "expect"?'] },
  { name: "one like no other",    text: suiteOf("- { name: a, object: web, expect: { zzzzzz: 1 } }"),                  want: ['tests.yaml:6:37: unknown field "zzzzzz"; fields here: verdict, allowed, matched, message, anyFailure, statusMessage, reason, code, failures, warnings, auditAnnotations, cost, webhooks, object, mutations'] },
  { name: "every slip at once",   text: suiteOf("- { name: a, objekt: web, expect: alow }\n- { nam: b }"),             want: ['tests.yaml:6:14: unknown field "objekt"; did you mean "object"?', 'tests.yaml:6:35: tests[0].expect is "alow", not one of allow, deny, warn, audit, error, unmatched, approve, unprocessed; did you mean "allow"?', 'tests.yaml:7:5: unknown field "nam"; did you mean "name"?', 'tests.yaml:7:3: tests[1] needs the field "name"'] },
  { name: "a wrong type",         text: suiteOf("- { name: a, object: web, serverDefaults: 'no', expect: allow }"),    want: ["tests.yaml:6:43: tests[0].serverDefaults must be true or false, not a text"] },
  { name: "an unknown word",  text: suiteOf("- { name: yes, object: web, expect: allow }"),                        want: ["tests.yaml:6:11: tests[0].name must be a text, not true or false; put it in quotes to make it a string"] },
  { name: "neither of two types", text: suiteOf("- { name: a, object: [web], expect: allow }"),                        want: ["tests.yaml:6:22: tests[0].object must be a text or a Kubernetes object, not a list"] },
  { name: "no Kubernetes object", text: suiteOf("- { name: a, object: { kind: Pod }, expect: allow }"),                want: ["tests.yaml:6:22: tests[0].object is not a Kubernetes object: it has no apiVersion"] },
  { name: "a negative number",    text: suiteOf("- { name: a, object: web, expect: { cost: -1 } }"),                   want: ["tests.yaml:6:43: tests[0].expect.cost must be at least 0"] },
  { name: "an empty list",        text: suiteOf("- { name: a, object: web, policy: [], expect: allow }"),              want: ["tests.yaml:6:35: tests[0].policy must not be empty"] },
  { name: "keys of JavaScript",   text: suiteOf("- { name: a, object: web, __proto__: 1, constructor: 2 }"),           want: [expect.stringContaining('tests.yaml:6:27: unknown field "__proto__"'), expect.stringContaining('tests.yaml:6:41: unknown field "constructor"')] as string[] },
  { name: "a missing file",       text: `${HEAD}resources: [nope.yaml]\ntests: [{ name: a, object: x.yaml, expect: allow }]`, want: ["tests.yaml:3:13: nope.yaml: no such file", "tests.yaml:4:28: x.yaml: no such file"] },
  { name: "several objects",      text: suiteOf("- { name: a, object: two.yaml, expect: allow }"),                     want: ['tests.yaml:6:22: "two.yaml" has 2 objects; say which: two.yaml#web, two.yaml#db'] },
  { name: "no such part",         text: suiteOf("- { name: a, object: two.yaml#wep, expect: allow }"),                 want: ['tests.yaml:6:22: file two.yaml has no "wep"; did you mean "web"?'] },
  { name: "not in the pool",      text: suiteOf("- { name: a, object: wob, expect: allow }"),                          want: ['tests.yaml:6:22: objects has no "wob"; did you mean "web"?'] },
  { name: "twice in the pool",    text: `${HEAD}objects: [pool/]\nresources: [policy.yaml]\ntests: [{ name: a, object: web, expect: allow }]`, want: ['tests.yaml:5:28: objects has 2 named "web"; say which: Deployment/shop/web, Deployment/bank/web'] },
  { name: "no pool",              text: `${HEAD}resources: [policy.yaml]\ntests: [{ name: a, object: web, expect: allow }]`, want: ['tests.yaml:4:28: objects has no "web"; file names end in .yaml, .yml or .json'] },
  { name: "an unknown policy",    text: suiteOf("- { name: a, object: web, policy: replica, expect: allow }"),         want: ['tests.yaml:6:35: the suite has no policy "replica"; did you mean "replicas"?'] },
  { name: "an unknown binding",   text: suiteOf("- { name: a, object: web, binding: [x], expect: allow }"),            want: ['tests.yaml:6:36: the suite has no binding "x"; known: everywhere'] },
  { name: "in expectations too",  text: suiteOf("- { name: a, object: web, expect: { failures: [{ policy: p }], cost: { policies: { q: 1 } }, webhooks: { called: [w] } } }"), want: ['tests.yaml:6:58: the suite has no policy "p"; known: replicas', 'tests.yaml:6:87: the suite has no policy "q"; known: replicas', 'tests.yaml:6:115: the suite has no webhook "w"'] },
  { name: "an unused resource",   text: `${HEAD}resources: [policy.yaml, config.yaml]\ntests: [{ name: a, object: web.yaml, expect: allow }]`, want: ['tests.yaml:3:26: Secret "s" is not used: no policy has params of this kind; put objects that cases refer to under objects'] },
  { name: "a dangling binding",   text: `${HEAD}resources: [dangling.yaml]\ntests: [{ name: a, object: web.yaml, expect: unmatched }]`, want: ['tests.yaml:3:13: ValidatingAdmissionPolicyBinding "everywhere" is not used: the suite has no policy "replicas"'] },
  { name: "only suites",          text: `${HEAD}resources: [suites/]\ntests: [{ name: a, object: web.yaml, expect: allow }]`, want: ['tests.yaml:3:13: "suites/" has no objects'] },
  { name: "one name twice",       text: suiteOf("- { name: a, object: web, expect: allow }\n- { name: a, object: web, expect: allow }"), want: ['tests.yaml:7:11: another case is named "a" too'] },
  { name: "no object",            text: suiteOf("- { name: a, expect: allow }"),                                       want: ["tests.yaml:6:3: tests[0] has no object; set object, or oldObject and a patch"] },
  { name: "update from nothing",  text: suiteOf("- { name: a, object: web, operation: UPDATE, expect: allow }"),       want: ["tests.yaml:6:38: an UPDATE needs oldObject"] },
  { name: "update of nothing",    text: suiteOf("- { name: a, oldObject: web, expect: allow }"),                       want: ["tests.yaml:6:3: tests[0] changes nothing; an UPDATE needs object, or a patch of oldObject"] },
  { name: "create with an old",   text: suiteOf("- { name: a, object: web, oldObject: web, operation: CREATE, expect: allow }"), want: ["tests.yaml:6:54: a CREATE cannot have an oldObject"] },
  { name: "a patch that fails",   text: suiteOf("- { name: a, object: web, patch: [{ op: remove, path: /spec/x }], expect: allow }"), want: [expect.stringMatching(/^tests\.yaml:6:34: error in remove for path/) as unknown as string] },
  { name: "a patch of nothing",   text: suiteOf("- { name: a, object: web, patch: [], expect: allow }"),               want: ["tests.yaml:6:34: the patch has no operations"] },
  { name: "a pattern",            text: suiteOf("- { name: a, object: web, expect: { message: { matches: '(' } } }"),  want: [expect.stringMatching(/^tests\.yaml:6:57: .*missing closing \)/) as unknown as string] },
  { name: "no role",              text: suiteOf("- { name: a, object: web, rbac: [web.yaml], expect: allow }"),        want: ["tests.yaml:6:34: Deployment is not a Role, ClusterRole or binding of one"] },
  { name: "no version",           text: `${HEAD}kubeVersion: latest\nresources: [policy.yaml]\ntests: [{ name: a, object: web.yaml, expect: allow }]`, want: ['tests.yaml:3:14: unknown Kubernetes version "latest" in kubeVersion; write "1.37" or "1.33..1.37"; versions from 1.28 to 1.37 are known'] },
];

describe("issues", () => {
  test.each(cases)("$name", async ({ text, want }) => {
    expect(await issuesOf(text, MORE)).toEqual(want);
  });
});

test("a suite is named by itself or by its file", async () => {
  const tests = "tests: [{ name: a, object: web.yaml, expect: allow }]";
  const named = await read(`${HEAD}metadata: { name: replicas }\nresources: [policy.yaml]\n${tests}`, FILES);
  const unnamed = await read(`${HEAD}resources: [policy.yaml]\n${tests}`, FILES);
  expect([named.suite?.name, unnamed.suite?.name]).toEqual(["replicas", "tests"]);
});

test("a case overrides defaults", async () => {
  const text = `${HEAD}resources: [policy.yaml]
defaults: { user: { username: ann, groups: [dev] }, namespace: lab, object: web.yaml }
tests:
- { name: a, expect: unmatched }
- { name: b, user: bob, namespace: shop, expect: allow }`;
  const { suite } = await read(text, FILES);
  expect(suite?.cases.map(({ user, namespace }) => [user, namespace])).toEqual([
    [{ username: "ann", groups: ["dev", "system:authenticated"] }, "lab"],
    [{ username: "bob", groups: ["system:authenticated"] }, "shop"],
  ]);
});

test("patches never change their source", async () => {
  const text = suiteOf(
    "- { name: a, object: web, patch: { spec: { replicas: 9, __proto__: { x: 1 } } }, expect: deny }\n- { name: b, object: web, expect: allow }",
  );
  const { suite } = await read(text, FILES);
  expect(suite?.cases.map(({ object }) => Object.entries(object!.object.spec as object)[0])).toEqual([
    ["replicas", 9],
    ["replicas", 2],
  ]);
  expect(({} as { x?: number }).x).toBeUndefined();
});
