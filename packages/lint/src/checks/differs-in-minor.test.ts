import type { KubeObject } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { lint } from "../lint.ts";

const policy = (expression: string): KubeObject => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "a" },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }],
    },
    validations: [{ expression }],
  },
});

async function found(expression: string, ...minors: readonly Minor[]): Promise<readonly string[]> {
  const { problems } = await lint([{ object: policy(expression) }], { minors });
  return problems.flatMap(({ code, message }) => (code === "differs_in_minor" ? [message] : []));
}

const CHECK = "authorizer.group('').resource('pods').check('get').allowed()";

// biome-ignore format: one case per line
const cases: readonly { expr: string; in: Minor; notIn: Minor; says: RegExp }[] = [
  { expr: "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",          in: "1.31", notIn: "1.32", says: /^1\.31: 'containsCIDR' is false unless/ },
  { expr: "object.metadata.name.indexOf('a') == -1",                 in: "1.31", notIn: "1.32", says: /^1\.31: 'indexOf' fails/ },
  { expr: "'hello'.indexOf('l', 5) == -1",                           in: "1.30", notIn: "1.32", says: /^1\.30: 'indexOf' fails/ },
  { expr: "object.metadata.name.lastIndexOf('a') == -1",             in: "1.33", notIn: "1.34", says: /^1\.33: 'lastIndexOf' fails/ },
  { expr: "object.metadata.name.format(['a']) == 'a'",               in: "1.31", notIn: "1.30", says: /^1\.31: the compiler of 'format' crashes/ },
  { expr: "'%s %s'.format([object.metadata.name]) == 'a'",           in: "1.30", notIn: "1.31", says: /^1\.30: 'format' with fewer values/ },
  { expr: "'%e'.format([1.5]) == object.metadata.name",              in: "1.32", notIn: "1.33", says: /narrow spaces/ },
  { expr: "object.spec.orValue({}) == {}",                           in: "1.36", notIn: "1.37", says: /not optional/ },
  { expr: `${CHECK} && ${CHECK} && ${CHECK}`,                        in: "1.31", notIn: "1.32", says: /costs of 'check' are not counted/ },
];

test.each(cases)("$expr", async ({ expr, in: minor, notIn, says }) => {
  expect(await found(expr, minor)).toEqual([expect.stringMatching(says)]);
  expect(await found(expr, notIn)).toEqual([]);
});

test("a range names the versions that have it", async () => {
  expect(await found("object.metadata.name.indexOf('a') == -1", "1.29", "1.30", "1.31", "1.37")).toEqual([
    expect.stringMatching(/^1\.29 to 1\.31: /),
  ]);
});

// biome-ignore format: one expression per line
const fine = [
  "'hello'.indexOf('l') == 2",
  "'hello'.lastIndexOf('l') == 3",
  "object.?spec.orValue({}) == {}",
  "'%s'.format([object.metadata.name]) == 'a'",
  "'100%%'.format([]) == 'a'",
  `${CHECK} && ${CHECK}`,
];
test.each(fine)("nothing about %s", async (expr) => expect(await found(expr, "1.30", "1.31", "1.36")).toEqual([]));

test("nothing for the newest version alone", async () => {
  for (const { expr } of cases) expect(await found(expr, "1.37")).toEqual([]);
});
