// The user stories of the proposals, as tests.

import { apiVersionOf, gvkOf, type KubeObject, nameOf, namespaceOf as namespaceNameOf } from "@celadon/kube";
import { describe, expect, test } from "vitest";
import { admit } from "./admit.ts";
import type { AdmissionReport } from "./decide/report.ts";
import type { Converter } from "./hosts.ts";
import {
  createConverter,
  createNamespaceSource,
  createParamSource,
  createRbacAuthorizer,
  createResources,
} from "./memory/index.ts";
import { bindingOf, namespaceOf, policyOf } from "./policies.testing.ts";
import type { NamedRuleWithOperations, RuleOperation } from "./policy.ts";
import type { UserInfo } from "./request.ts";
import { createPolicySet, type PolicyResource } from "./set/policy-set.ts";

/** A cluster that has these objects, and people who ask it for things. */
function cluster(
  resources: readonly PolicyResource[],
  objects: readonly KubeObject[] = [],
  converter: Converter = createConverter(),
) {
  let policies = createPolicySet(resources);
  const definitions = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
  const served = createResources({ definitions });
  const hosts = {
    namespaces: createNamespaceSource([namespaceOf("default"), ...objects]),
    params: createParamSource(objects, served),
    authorizer: createRbacAuthorizer(objects),
    resources: served,
    converter,
  };
  const ask = (
    operation: "CREATE" | "UPDATE" | "DELETE",
    object: KubeObject,
    oldObject: KubeObject | null,
    userInfo: UserInfo,
  ): Promise<AdmissionReport> => {
    const kind = gvkOf(object);
    const { group, version, resource, namespaced } = served.ofKind(kind)!;
    const namespace = namespaced
      ? namespaceNameOf(object) || "default"
      : kind.kind === "Namespace"
        ? nameOf(object)
        : "";
    const sent = operation === "DELETE" ? null : object;
    const resourceName = { group, version, resource };
    return admit(
      {
        kind,
        resource: resourceName,
        name: nameOf(object),
        namespace,
        operation,
        userInfo,
        object: sent,
        oldObject,
        options: {},
        dryRun: false,
      },
      policies,
      hosts,
    );
  };
  const ann: UserInfo = { username: "ann", groups: ["system:authenticated"] };
  return {
    create: (object: KubeObject, user = ann) => ask("CREATE", object, null, user),
    update: (object: KubeObject, old: KubeObject, user = ann) => ask("UPDATE", object, old, user),
    delete: (object: KubeObject, user = ann) => ask("DELETE", object, object, user),
    change: (...put: readonly PolicyResource[]) => {
      policies = policies.with({ put });
    },
    remove: (kind: PolicyResource["kind"], name: string) => {
      policies = policies.with({ remove: [{ kind, name }] });
    },
  };
}

const onDeployments = (...operations: RuleOperation[]): { resourceRules: NamedRuleWithOperations[] } => ({
  resourceRules: [
    {
      apiGroups: ["apps"],
      apiVersions: ["v1"],
      resources: ["deployments"],
      operations: operations.length === 0 ? ["CREATE", "UPDATE"] : operations,
    },
  ],
});
const deployment = (
  name: string,
  spec: Record<string, unknown>,
  metadata: Record<string, unknown> = {},
): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, namespace: "default", ...metadata },
  spec,
});
const configMap = (name: string, data: Record<string, string>, metadata: Record<string, unknown> = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", ...metadata },
  data,
});
const definition = (group: string, kind: string, versions: readonly string[], scope = "Namespaced"): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    group,
    scope,
    names: { kind, plural: `${kind.toLowerCase()}s` },
    versions: versions.map((name) => ({ name, served: true })),
  },
});

const messages = (report: AdmissionReport): string[] => report.failures.map(({ message }) => message);

test("shared parameters: one policy, one limit per environment", async () => {
  const limit = (name: string, max: number): KubeObject => ({
    apiVersion: "rules.example.com/v1",
    kind: "ReplicaLimit",
    metadata: { name },
    maxReplicas: max,
  });
  const policy = policyOf("replica-limit", {
    paramKind: { apiVersion: "rules.example.com/v1", kind: "ReplicaLimit" },
    matchConstraints: onDeployments(),
    validations: [
      {
        expression: "object.spec.replicas <= params.maxReplicas",
        messageExpression: "'at most ' + string(params.maxReplicas) + ' replicas'",
      },
    ],
  });
  const forEnvironment = (env: string) =>
    bindingOf(`replica-limit-${env}`, "replica-limit", {
      paramRef: { name: env, parameterNotFoundAction: "Deny" },
      matchResources: { namespaceSelector: { matchLabels: { env } } },
    });
  const { create } = cluster(
    [policy, forEnvironment("test"), forEnvironment("prod")],
    [
      definition("rules.example.com", "ReplicaLimit", ["v1"], "Cluster"),
      limit("test", 3),
      limit("prod", 100),
      namespaceOf("t", { env: "test" }),
      namespaceOf("p", { env: "prod" }),
    ],
  );
  expect(messages(await create(deployment("web", { replicas: 5 }, { namespace: "t" })))).toEqual([
    "at most 3 replicas",
  ]);
  expect((await create(deployment("web", { replicas: 5 }, { namespace: "p" }))).allowed).toBe(true);
  expect((await create(deployment("web", { replicas: 500 }, { namespace: "default" }))).allowed).toBe(true);
});

test("least privilege by default: reserved labels need a permission of their own", async () => {
  const policy = policyOf("reserved-labels", {
    matchConstraints: onDeployments(),
    variables: [
      {
        name: "reserved",
        expression: "object.metadata.?labels.orValue({}).filter(l, l.startsWith('internal.example.com/'))",
      },
      {
        name: "mayUse",
        expression: "authorizer.group('example.com').resource('reservedlabels').check('use').allowed()",
      },
    ],
    validations: [
      {
        expression: "variables.reserved.size() == 0 || variables.mayUse",
        messageExpression: "'reserved: ' + variables.reserved.join(', ')",
        reason: "Forbidden",
      },
    ],
  });
  const rbac = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: "label-users" } };
  const { create } = cluster(
    [policy, bindingOf("b", "reserved-labels")],
    [
      {
        ...rbac,
        kind: "ClusterRole",
        rules: [{ verbs: ["use"], apiGroups: ["example.com"], resources: ["reservedlabels"] }],
      },
      {
        ...rbac,
        kind: "ClusterRoleBinding",
        roleRef: { kind: "ClusterRole", name: "label-users" },
        subjects: [{ kind: "Group", name: "platform" }],
      },
    ],
  );
  const web = deployment("web", {}, { labels: { "internal.example.com/tier": "0" } });
  expect((await create(web)).status).toMatchObject({ code: 403, reason: "Forbidden" });
  expect((await create(web, { username: "pat", groups: ["platform"] })).allowed).toBe(true);
  expect((await create(deployment("web", {}, { labels: { app: "x" } }))).allowed).toBe(true);
});

test("version-skewed fields: a field that only newer clients know is checked where it is", async () => {
  const policy = policyOf("seccomp", {
    matchConstraints: onDeployments(),
    validations: [
      {
        expression:
          "object.spec.?template.?spec.?securityContext.?seccompProfile.?type.orValue('RuntimeDefault') == 'RuntimeDefault'",
      },
    ],
  });
  const { create } = cluster([policy, bindingOf("b", "seccomp")]);
  expect((await create(deployment("old", { template: { spec: {} } }))).allowed).toBe(true);
  const unconfined = { template: { spec: { securityContext: { seccompProfile: { type: "Unconfined" } } } } };
  expect((await create(deployment("new", unconfined))).allowed).toBe(false);
});

test("several versions of a kind: the policy is written for one, and sees all requests in it", async () => {
  const policy = policyOf("size", {
    matchConstraints: {
      resourceRules: [{ apiGroups: ["w.example.com"], apiVersions: ["v2"], resources: ["widgets"], operations: ["*"] }],
    },
    validations: [
      {
        expression: "object.spec.size < 10",
        messageExpression: "request.requestKind.version + ' seen as ' + object.apiVersion",
      },
    ],
  });
  let converted = 0;
  const converter: Converter = {
    convert: ({ spec, ...rest }, to) => {
      converted++;
      const { length } = spec as { length: number };
      return { ...rest, apiVersion: apiVersionOf(to), spec: { size: length } };
    },
  };
  const second = policyOf("size-too", policy.spec);
  const crd = definition("w.example.com", "Widget", ["v1", "v2"]);
  const { create } = cluster([policy, bindingOf("a", "size"), second, bindingOf("b", "size-too")], [crd], converter);
  const report = await create({
    apiVersion: "w.example.com/v1",
    kind: "Widget",
    metadata: { name: "w", namespace: "default" },
    spec: { length: 12 },
  });
  expect(messages(report)).toEqual(["v1 seen as w.example.com/v2", "v1 seen as w.example.com/v2"]);
  expect(converted).toBe(1);
});

test("guarding webhooks: none may reach into the reserved namespace", async () => {
  const webhooks = "admissionregistration.k8s.io";
  const policy = policyOf("guard-webhooks", {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: [webhooks],
          apiVersions: ["v1"],
          resources: ["validatingwebhookconfigurations", "mutatingwebhookconfigurations"],
          operations: ["CREATE", "UPDATE"],
        },
      ],
    },
    validations: [
      {
        expression: `object.webhooks.all(w, w.?namespaceSelector.?matchExpressions.orValue([]).exists(e,
          e.key == 'kubernetes.io/metadata.name' && e.operator == 'NotIn' && 'kube-system' in e.values))`,
        message: "webhooks must leave kube-system alone",
      },
    ],
  });
  const { create } = cluster([policy, bindingOf("b", "guard-webhooks")]);
  const configuration = (namespaceSelector: unknown): KubeObject => ({
    apiVersion: `${webhooks}/v1`,
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "w" },
    webhooks: [{ name: "w.example.com", namespaceSelector }],
  });
  expect(messages(await create(configuration({})))).toEqual(["webhooks must leave kube-system alone"]);
  const careful = {
    matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["kube-system"] }],
  };
  expect((await create(configuration(careful))).allowed).toBe(true);
});

test("progressive levels: a namespace chooses how strict it is", async () => {
  const level = (name: string, expression: string) =>
    policyOf(name, {
      matchConstraints: {
        ...onDeployments(),
        namespaceSelector: {
          matchExpressions: [
            { key: "level", operator: "In", values: name === "baseline" ? ["baseline", "strict"] : ["strict"] },
          ],
        },
      },
      validations: [{ expression, message: name }],
    });
  const { create } = cluster(
    [
      level("baseline", "object.spec.replicas > 0"),
      bindingOf("a", "baseline"),
      level("strict", "object.spec.replicas > 1"),
      bindingOf("b", "strict"),
    ],
    [namespaceOf("free"), namespaceOf("base", { level: "baseline" }), namespaceOf("hard", { level: "strict" })],
  );
  const ask = async (namespace: string, replicas: number) =>
    messages(await create(deployment("web", { replicas }, { namespace })));
  expect(await ask("free", 0)).toEqual([]);
  expect(await ask("base", 0)).toEqual(["baseline"]);
  expect(await ask("base", 1)).toEqual([]);
  expect(await ask("hard", 1)).toEqual(["strict"]);
  expect(await ask("hard", 0)).toEqual(["baseline", "strict"]);
});

describe("rollout by bindings", () => {
  const policy = policyOf("no-latest", {
    matchConstraints: onDeployments(),
    validations: [{ expression: "!object.spec.image.endsWith(':latest')", message: "no latest" }],
  });
  const web = (namespace: string) => deployment("web", { image: "web:latest" }, { namespace });
  const namespaces = [namespaceOf("canary", { canary: "yes" }), namespaceOf("rest")];

  test("first audited everywhere, then denied for a canary, then for all", async () => {
    const audit = bindingOf("audit", "no-latest", { validationActions: ["Audit"] });
    const { create, change, remove } = cluster([policy, audit], namespaces);
    const audited = await create(web("rest"));
    expect([audited.allowed, Object.keys(audited.auditAnnotations)]).toEqual([
      true,
      ["validation.policy.admission.k8s.io/validation_failure"],
    ]);

    change(
      bindingOf("deny", "no-latest", { matchResources: { namespaceSelector: { matchLabels: { canary: "yes" } } } }),
    );
    expect((await create(web("canary"))).allowed).toBe(false);
    expect((await create(web("rest"))).allowed).toBe(true);

    change(bindingOf("deny", "no-latest"));
    expect((await create(web("rest"))).allowed).toBe(false);

    remove("ValidatingAdmissionPolicyBinding", "deny");
    remove("ValidatingAdmissionPolicyBinding", "audit");
    expect((await create(web("canary"))).verdicts.policies).toEqual([]);
  });

  test("warnings, and what would deny", async () => {
    const { create } = cluster(
      [policy, bindingOf("warn", "no-latest", { validationActions: ["Warn", "Audit"] })],
      namespaces,
    );
    const report = await create(web("rest"));
    expect(report.warnings).toEqual([
      "Validation failed for ValidatingAdmissionPolicy 'no-latest' with binding 'warn': no latest",
    ]);
    expect(report.failures).toMatchObject([{ kind: "denial", enforced: true, returned: false }]);
  });
});

test("migration from a webhook: the policy ignores errors, as the webhook did, until it is trusted", async () => {
  const spec = {
    matchConstraints: onDeployments("CREATE", "UPDATE", "DELETE"),
    matchConditions: [
      { name: "not-the-controller", expression: "request.userInfo.username != 'system:serviceaccount:ops:migrator'" },
    ],
    validations: [
      {
        expression:
          "request.operation == 'DELETE' ? oldObject.metadata.?annotations['protect'].orValue('') != 'yes' : int(object.metadata.annotations['rank']) < 5",
        message: "protected",
      },
    ],
  };
  const shop = cluster([
    policyOf("from-webhook", { ...spec, failurePolicy: "Ignore" }),
    bindingOf("b", "from-webhook"),
  ]);
  const unranked = deployment("web", {}, {});
  const ignored = await shop.create(unranked);
  expect([ignored.allowed, ignored.failures[0]?.enforced]).toEqual([true, false]);
  expect((await shop.delete(deployment("web", {}, { annotations: { protect: "yes" } }))).allowed).toBe(false);
  expect(
    (
      await shop.delete(deployment("web", {}, { annotations: { protect: "yes" } }), {
        username: "system:serviceaccount:ops:migrator",
      })
    ).allowed,
  ).toBe(true);

  shop.change(policyOf("from-webhook", { ...spec, failurePolicy: "Fail" }));
  expect((await shop.create(unranked)).allowed).toBe(false);
});

test("several params for one request: every one must agree", async () => {
  const policy = policyOf("words", {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    matchConstraints: onDeployments(),
    validations: [
      {
        expression: "!object.metadata.name.contains(params.data.word)",
        messageExpression: "'not ' + string(params.data.word)",
      },
    ],
  });
  const binding = bindingOf("b", "words", {
    paramRef: { namespace: "default", selector: { matchLabels: { banned: "yes" } }, parameterNotFoundAction: "Allow" },
  });
  const words = ["foo", "bar"].map((word) => configMap(word, { word }, { labels: { banned: "yes" } }));
  const report = await cluster([policy, binding], words).create(deployment("foobar", {}));
  expect(report.failures.map(({ message, params }) => [message, params])).toEqual([
    ["not bar", "default/bar"],
    ["not foo", "default/foo"],
  ]);
  expect((await cluster([policy, binding]).create(deployment("foobar", {}))).allowed).toBe(true);
});
