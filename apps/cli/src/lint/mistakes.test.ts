// A policy with one mistake at a time, as people make them, beside the cluster it is for. Lint reports each mistake once, at its place and
// with what to write instead where that can be known; what lint says the API server rejects, check denies.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const read = (name: string): string =>
  readFileSync(new URL(`../../testdata/replica-limit/${name}`, import.meta.url), "utf8");
const policy = read("policy.yaml");
const cluster = read("cluster.yaml");

// biome-ignore format: one mistake per line
const mistakes = [
  { name: "always-true",            from: "<= params.maxReplicas", to: "<= params.maxReplicas || true", want: ["25:17 warning rule_reads_nothing"] },
  { name: "audit-key",              from: "key: replicas", to: "key: 'rep licas!'", want: ["35:10 error invalid_field"] },
  { name: "audit-type",             from: "\"'replicas=' + string(object.spec.replicas)\"", to: "object.spec.replicas", want: ["36:22 error compile_error, help"] },
  { name: "authz-notallowed",       from: ".allowed()", to: "", want: ["32:108 error compile_error, help"] },
  { name: "authz-typo",             from: "allowed()", to: "allow()", want: ["32:126 error compile_error, help"] },
  { name: "bad-action",             from: "Deny, Audit", to: "Block", want: ["44:23 error invalid_field"] },
  { name: "bad-reason",             from: "Invalid", to: "TooMany", want: ["27:13 error invalid_field"] },
  { name: "contains-vs-in",         from: "size(variables.badImages) == 0", to: "object.metadata.labels.contains('x')", want: ["28:48 warning type_mismatch, help"] },
  { name: "delete-op",              from: '"CREATE", "UPDATE"', to: '"DELETE"', want: ["21:17 warning object_read_on_delete, help"] },
  { name: "deny-warn",              from: "Audit", to: "Warn", want: ["44:22 error invalid_field"] },
  { name: "double-dollar",          from: "object.spec.replicas <= params.maxReplicas", to: "$.spec.replicas <= 3", want: ["25:17 error compile_error, help"] },
  { name: "dup-key",                from: "reason: Invalid", to: "reason: Invalid\n    reason: Forbidden", want: ["policy.yaml:28:5: warning: key \"reason\" already set in map; the last one counts"] },
  { name: "empty-expr",             from: "object.spec.replicas <= params.maxReplicas", to: "\"\"", want: ["25:17 error invalid_field"] },
  { name: "enum-str",               from: "replicas <= params.maxReplicas", to: "strategy.type == 'rolling'", want: ["25:46 warning impossible_value"] },
  { name: "failurepolicy",          from: "failurePolicy: Fail", to: "failurePolicy: fail", want: ["6:18 error invalid_field, help"] },
  { name: "indent",                 from: "  validations:", to: "   validations:", want: ["policy.yaml:24:4: expected another key, or the end of the map; check the indentation"] },
  { name: "indent2",                from: "    messageExpression: \"'replicas ", to: "   messageExpression: \"'replicas ", want: ["policy.yaml:26:4: expected another key, or the end of the map; check the indentation"] },
  { name: "kind-resource",          from: '"deployments"', to: '"Deployment"', want: ["15:19 error unknown_resource, help"] },
  { name: "list-as-map",            from: "size(variables.badImages) == 0", to: "object.spec.template.spec.containers.image.startsWith('x')", want: ["28:53 warning type_mismatch, help"] },
  { name: "list-as-map2",           from: "size(variables.badImages) == 0", to: "object.spec.template.spec.containers['web'].image.startsWith('x')", want: ["28:53 warning type_mismatch, help"] },
  { name: "map-as-list",            from: "size(variables.badImages) == 0", to: "object.metadata.labels.all(l, l.key != 'x')", want: ["28:48 warning type_mismatch, help"] },
  { name: "mc-false",               from: "!request", to: "request", want: [] },
  { name: "mc-uses-variables",      from: "!request.userInfo.groups.exists(g, g == 'system:nodes')", to: "variables.containers.size() > 0", want: ["18:18 error compile_error, help"] },
  { name: "missing-has",            from: "oldObject == null || object.spec.replicas - oldObject.spec.replicas <= 5", to: "object.metadata.labels['team'] == 'x'", want: ["30:17 warning unguarded_key, help"] },
  { name: "missing-has2",           from: "oldObject == null || object.spec.replicas - oldObject.spec.replicas <= 5", to: "object.spec.template.spec.securityContext.runAsNonRoot", want: ["30:17 error compile_error, help"] },
  { name: "msgexpr-concat",         from: "+ string(object.spec.replicas) +", to: "+ object.spec.replicas +", want: ["26:37 warning type_mismatch, help"] },
  { name: "msgexpr-type",           from: "\"'replicas ' + string(object.spec.replicas) + ' > ' + string(params.maxReplicas)\"", to: "object.spec.replicas", want: ["26:24 error compile_error, help"] },
  { name: "never-match-ops",        from: '"CREATE", "UPDATE"', to: '"create"', want: ["14:20 error invalid_field, help"] },
  { name: "no-actions",             from: "  validationActions: [Deny, Audit]\n", to: "", want: ["42:1 error invalid_field"] },
  { name: "no-paramref",            from: "  paramRef:\n    name: prod\n    namespace: policies\n    parameterNotFoundAction: Deny\n", to: "", want: ["43:3 error no_param_ref, help"] },
  { name: "no-pnfa",                from: "    parameterNotFoundAction: Deny\n", to: "", want: ["45:3 error invalid_field"] },
  { name: "not-bool",               from: " <= params.maxReplicas", to: "", want: ["25:17 error compile_error, help"] },
  { name: "object-kind-upper",      from: "expression: object.spec.r", to: "expression: Object.spec.r", want: ["25:17 error compile_error, help"] },
  { name: "oldobject-no-null",      from: "oldObject == null || ", to: "", want: ["30:17 warning old_object_read_on_create, help"] },
  { name: "param-notfound",         from: "name: prod\n", to: "name: production\n", want: ["46:11 warning missing_param, help"] },
  { name: "paramkind-missing",      from: "  paramKind:\n    apiVersion: rules.acme.io/v1\n    kind: ReplicaLimit\n", to: "", want: ["20:68 error compile_error, help"] },
  { name: "paramkind-wrong",        from: "rules.acme.io/v1", to: "rules.acme.io/v1beta1", want: ["8:5 error unknown_param_kind, help"] },
  { name: "paramkind-wrong2",       from: "kind: ReplicaLimit", to: "kind: ReplicasLimit", want: ["8:5 error unknown_param_kind, help"] },
  { name: "pods-for-deploy",        from: "replicas <= params.maxReplicas", to: "containers.all(c, c.image != '')", want: ["25:28 error type_mismatch, help"] },
  { name: "quantity-compare",       from: "replicas <= params.maxReplicas", to: "template.spec.containers.all(c, c.resources.limits.memory <= '1Gi')", want: ["25:72 warning type_mismatch, help"] },
  { name: "regex-bad",              from: "size(variables.badImages) == 0", to: "object.metadata.name.matches('[a-z')", want: ["28:46 error compile_error, help"] },
  { name: "request-typo",           from: "userInfo", to: "userinfo", want: ["18:26 error compile_error, help"] },
  { name: "selector-label",         from: "{env: prod}", to: "{env: production}", want: ["50:5 warning unmatched_selector, help"] },
  { name: "singular-resource",      from: '"deployments"', to: '"deployment"', want: ["15:19 error unknown_resource, help"] },
  { name: "syntax",                 from: "<= params", to: "<= (params", want: ["25:60 error compile_error"] },
  { name: "syntax2",                from: "replicas <= params", to: "replicas =< params", want: ["25:38 error compile_error, help"] },
  { name: "syntax3",                from: "<= params.maxReplicas", to: "<= params.maxReplicas and true", want: ["25:60 error compile_error, help"] },
  { name: "syntax4",                from: "<= params.maxReplicas", to: "= 5", want: ["25:38 error compile_error, help"] },
  { name: "tab",                    from: "  validations:", to: "\tvalidations:", want: ["policy.yaml:24:1: a tab in the indentation"] },
  { name: "typo-field",             from: "replicas <= params", to: "replica <= params", want: ["25:28 error type_mismatch, help"] },
  { name: "typo-param",             from: "<= params.maxReplicas", to: "<= params.maxReplica", want: ["25:47 error type_mismatch, help"] },
  { name: "undecl-fn",              from: "size(variables", to: "len(variables", want: ["28:20 error compile_error, help"] },
  { name: "undecl-fn2",             from: "size(variables.badImages", to: "variables.badImages.length(", want: ["28:43 error compile_error, help"] },
  { name: "undecl-root",            from: "size(variables.badImages)", to: "size(badImages)", want: ["28:22 error compile_error, help"] },
  { name: "undecl-var",             from: "size(variables.badImages)", to: "size(variables.badImage)", want: ["28:31 error compile_error, help"] },
  { name: "unknown-field",          from: "reason", to: "resaon", want: ["27:5 error unknown_field, help"] },
  { name: "unquoted-bang",          from: "\"!request.userInfo.groups.exists(g, g == 'system:nodes')\"", to: "!request.userInfo.groups.exists(g, g == 'system:nodes')", want: ["18:71 error compile_error", "policy.yaml:18:17: warning: YAML reads !request.userInfo.groups.exists(g, as a tag and drops it; quote the text if it belongs to it"] },
  { name: "unquoted-colon",         from: "== 0", to: "== 0 ? true : false", want: ["policy.yaml:28:55: YAML reads a colon followed by a space as a map, which cannot begin here"] },
  { name: "v1beta1",                from: "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n", to: "apiVersion: admissionregistration.k8s.io/v1beta1\nkind: ValidatingAdmissionPolicy\n", want: ["1:13 error not_served, help"] },
  { name: "validate-singular",      from: "validations:", to: "validation:", want: ["24:3 error unknown_field, help"] },
  { name: "var-order",              from: "object.spec.template.spec.containers", to: "variables.badImages", want: ["21:26 error compile_error, help"] },
  { name: "wrong-apigroup-version", from: '"apps"', to: '"apps/v1"', want: ["15:19 error unknown_resource, help"] },
  { name: "wrong-apiversion",       from: "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n", to: "apiVersion: admissionregistration.k8s.io/v2\nkind: ValidatingAdmissionPolicy\n", want: ["1:13 error not_served, help"] },
  { name: "wrong-apiversion2",      from: "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n", to: "apiVersion: admissionregistration/v1\nkind: ValidatingAdmissionPolicy\n", want: ["1:13 error not_served, help"] },
  { name: "wrong-group",            from: '"apps"', to: '""', want: ["15:19 error unknown_resource, help"] },
  { name: "wrong-kind",             from: "kind: ValidatingAdmissionPolicy\n", to: "kind: ValidatingAdmisionPolicy\n", want: ["2:7 error not_served, help"] },
  { name: "wrong-policyname",       from: "policyName: replica-limit", to: "policyName: replicas-limit", want: ["43:15 error dangling_policy_name, help"] },
  { name: "wrong-type",             from: "<= params.maxReplicas", to: "<= '10'", want: ["25:38 warning type_mismatch, help"] },
  { name: "wrong-type2",            from: "<= params.maxReplicas", to: "<= 10.5", want: [] },
];

interface Report {
  readonly problems: readonly {
    readonly code: string;
    readonly level: string;
    readonly message: string;
    readonly help?: string;
    readonly place: { readonly line: number; readonly column: number };
  }[];
}

async function answers({ from, to }: { readonly from: string; readonly to: string }) {
  expect(policy.split(from)).toHaveLength(2);
  const files = { "policy.yaml": policy.replace(from, () => to), "cluster.yaml": cluster };
  const lint = await runLine(["lint", "-f", "policy.yaml", "-f", "cluster.yaml", "-o", "json"], { files });
  const check = () => runLine(["check", "-f", "policy.yaml", "-f", "cluster.yaml", "-o", "json", "-q"], { files });
  const problems = lint.code === 2 ? [] : (JSON.parse(lint.stdout) as Report).problems;
  return { lint, check, problems };
}

describe("a mistake", () => {
  test.each(mistakes)("$name", async ({ want, ...mistake }) => {
    const { lint, check, problems } = await answers(mistake);
    const found = problems.map(
      ({ place, level, code, help }) =>
        `${place.line}:${place.column} ${level} ${code}${help === undefined ? "" : ", help"}`,
    );
    const unread = lint.code === 2 ? lint.stderr.split("\n", 1) : [];
    const warned = lint.code === 2 ? [] : lint.stderr.split("\n").filter((line) => line.includes(": warning: "));
    expect([...found, ...unread, ...warned]).toEqual(want);
    if (problems.some(({ level }) => level === "error")) expect((await check()).code).toBe(1);
  });

  test("does not exist in the original", async () => {
    const { lint, check, problems } = await answers({ from: "scale by 5 at most", to: "scale by 5 at most" });
    expect([problems, lint.code, (await check()).code]).toEqual([[], 0, 1]);
  });
});
