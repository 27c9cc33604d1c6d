// The environment of rules: the variables and functions it has and lacks, and the end of an evaluation.

import { Invalid } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import type { CertificateRequest } from "../resource.ts";
import { compileRule } from "./rule.ts";

const WORKLOAD = "system:serviceaccount:shop:cart";
const request: CertificateRequest = { metadata: { name: "web", namespace: "shop" }, spec: { username: WORKLOAD } };

function holds(text: string, given: CertificateRequest = request): boolean | string {
  const rule = compileRule(text);
  if (rule instanceof Invalid) throw new Error(rule.message);
  const answer = rule.holds("web.shop", given);
  return answer instanceof Invalid ? answer.message : answer;
}

/** The first line, without the position. */
function problem(text: string): string {
  const rule = compileRule(text);
  if (!(rule instanceof Invalid)) throw new Error(`${text} compiles`);
  return rule.message.split("\n")[0]!.replace(/^ERROR: <input>:\d+:\d+: /, "");
}

const nested = (depth: number): string =>
  depth === 0 ? "true" : `[1,2,3,4,5,6,7,8,9,10].all(x${depth}, ${nested(depth - 1)})`;

// biome-ignore format: one case per line
test.each([
  { rule: "has(cr.name) && !has(cr.groups) && cr.groups == []",              want: true },
  { rule: "self.split('.')[1] == cr.namespace && self.reverse() == 'pohs.bew'", want: true },
  { rule: "serviceAccount(cr.username).getNamespace() == cr.namespace",      want: true },
  { rule: "serviceAccount(cr.username) == serviceAccount('system:serviceaccount:shop:cart')", want: true },
  { rule: "isServiceAccount('system:serviceaccount:a:b:c') || isServiceAccount('system:serviceaccount:A:b')", want: false },
  { rule: "serviceAccount('kate').getName() == ''",                          want: "Unable to convert to serviceaccount: err: Username must be in the form system:serviceaccount:namespace:name, username: kate" },
  { rule: "isServiceAccount(dyn(1))",                                        want: "no such overload: isServiceAccount(int)" },
  { rule: "self.matches('(')",                                               want: "error parsing regexp: missing closing ): `(`" },
  { rule: "self.split('.')[9] == ''",                                        want: "index out of bounds: 9" },
  { rule: nested(4),                                                         want: true },
  { rule: nested(8),                                                         want: "operation cancelled: actual cost limit exceeded" },
])("$rule", ({ rule, want }) => expect(holds(rule)).toBe(want));

// biome-ignore format: one case per line
describe("refused", () => {
  test.each([
    { rule: "self",                        want: "got string, wanted bool result type" },
    { rule: "dyn(true)",                   want: "got dyn, wanted bool result type" },
    { rule: "cr.uid == ''",                want: "undefined field 'uid'" },
    { rule: "cr['name'] == ''",            want: "found no matching overload for '_[_]' applied to '(cm.io.policy.pkg.internal.approver.validation.CertificateRequest, string)'" },
    { rule: "cel.bind(x, 1, x == 1)",      want: "undeclared reference to 'cel' (in container '')" },
    { rule: "ip(self).family() == 4",      want: "undeclared reference to 'ip' (in container '')" },
    { rule: "math.greatest(1, 2) == 2",    want: "undeclared reference to 'math' (in container '')" },
    { rule: "cr.?name.hasValue()",         want: "unsupported syntax '.?'" },
    { rule: "[1].all(i, v, v > 0)",        want: "undeclared reference to 'all' (in container '')" },
    { rule: "'%y'.format([1]) == ''",      want: `could not parse formatting clause: unrecognized formatting clause "y"` },
  ])("$rule", ({ rule, want }) => expect(problem(rule)).toBe(want));
});
