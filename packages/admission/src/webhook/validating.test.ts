import { describe, expect, test } from "vitest";
import { refusalText } from "../match/refusal.ts";
import type { AdmissionRequest } from "../request.ts";
import type { Webhook } from "./configuration.ts";
import {
  type Answers,
  allow,
  compiled,
  configuration,
  POD,
  podRequest,
  respond,
  testHosts,
  webhook,
} from "./hosts.testing.ts";
import type { WebhookHosts } from "./transport.ts";
import { dispatchValidating, selectWebhooks } from "./validating.ts";
import { WebhookSet } from "./webhook-set.ts";

async function said(
  selected: Webhook,
  request: AdmissionRequest = podRequest(),
  hosts: Partial<WebhookHosts> = {},
): Promise<string> {
  const [selection] = await selectWebhooks(request, compiled("Validating", selected), testHosts({}, hosts));
  switch (selection!.outcome) {
    case "call":
      return `call ${selection!.invocation.kind.version}`;
    case "refused":
      return refusalText(selection!.refusal);
    case "rejected":
      return `${selection!.status.code} ${selection!.status.message}`;
  }
}

describe("which webhooks are called", () => {
  const condition = (expression: string, more: Partial<Webhook> = {}): Webhook =>
    webhook("a", { matchConditions: [{ name: "c", expression }], ...more });
  // biome-ignore format: one case per line
  const cases: { title: string; webhook: Webhook; request?: AdmissionRequest; want: string }[] = [
    { title: "a rule that hits",           webhook: webhook("a"),                                                              want: "call v1" },
    { title: "no rules",                   webhook: webhook("a", { rules: [] }),                                               want: "no resource rule matches: " },
    { title: "another resource",           webhook: webhook("a", { rules: [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["services"] }] }), want: "no resource rule matches: resourceRules[0].resources" },
    { title: "namespaceSelector",          webhook: webhook("a", { namespaceSelector: { matchLabels: { name: "other" } } }),   want: "namespaceSelector 'name=other' does not select namespace 'ns'" },
    { title: "objectSelector",             webhook: webhook("a", { objectSelector: { matchLabels: { a: "c" } } }),             want: "objectSelector 'a=c' selects neither the object nor the old object" },
    { title: "a condition that is true",   webhook: condition("object.metadata.name == 'p' && request.userInfo.username == 'kate'"), want: "call v1" },
    { title: "a condition that is false",  webhook: condition("false"),                                                        want: "match condition 'c' is false" },
    { title: "an error, Fail",             webhook: condition("object.x"),                                                     want: `403 pods "p" is forbidden: compilation error: must evaluate to bool but got dyn` },
    { title: "an error while evaluating",  webhook: condition("object.x == 1"),                                                want: `403 pods "p" is forbidden: expression 'object.x == 1' resulted in error: no such key: x` },
    { title: "an error, Ignore",           webhook: condition("object.x == 1", { failurePolicy: "Ignore" }),                   want: "a match condition failed and failurePolicy is Ignore: expression 'object.x == 1' resulted in error: no such key: x" },
    { title: "false beats an error",       webhook: webhook("a", { matchConditions: [{ name: "e", expression: "object.x == 1" }, { name: "f", expression: "false" }] }), want: "match condition 'f' is false" },
    { title: "no namespace in conditions", webhook: condition("namespaceObject == null"),                                      want: "call v1" },
    { title: "kinds never called for",     webhook: webhook("a", { rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }] }), request: podRequest({ kind: { group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingWebhookConfiguration" }, resource: { group: "admissionregistration.k8s.io", version: "v1", resource: "validatingwebhookconfigurations" } }), want: "webhooks are never called for validatingwebhookconfigurations.admissionregistration.k8s.io" },
  ];
  test.each(cases)("$title", async ({ webhook: given, request, want }) =>
    expect(await said(given, request)).toBe(want),
  );

  test("the budget is the webhook's, and beats a false condition", async () => {
    const asked = "authorizer.group('').resource('pods').check('get').allowed()";
    const costly = Array.from({ length: 4 }, (_, i) => ({ name: `c${i}`, expression: `!(${asked} && ${asked})` }));
    const authorizer = { authorize: () => ({ decision: "allow" as const }) };
    const spent = "validation failed due to running out of cost budget, no further validation rules will be run";
    const given = webhook("a", { matchConditions: costly });
    expect(await said(given, podRequest(), { authorizer })).toBe(`403 pods "p" is forbidden: ${spent}`);
    expect(await said({ ...given, failurePolicy: "Ignore" }, podRequest(), { authorizer })).toBe(
      `a match condition failed and failurePolicy is Ignore: ${spent}`,
    );
    expect(await said({ ...given, matchConditions: costly.slice(0, 3) }, podRequest(), { authorizer })).toBe(
      "match condition 'c0' is false",
    );
  });

  // biome-ignore format: one case per line
  test.each([
    { title: "throws",            equivalents: () => { throw new Error("boom"); },  want: "500 Internal error occurred: boom" },
    { title: "returns nonsense",  equivalents: () => [null] as never,               want: /^500 Internal error occurred: the resource mapper did not return/ },
  ])("a mapper of resources that $title ends the request", async ({ equivalents, want }) => {
    const rules = [{ operations: ["*"], apiGroups: [""], apiVersions: ["v2"], resources: ["pods"] }] as const;
    const given = webhook("a", { rules, failurePolicy: "Ignore" });
    const got = await said(given, podRequest(), { resources: { equivalents, kind: () => undefined } });
    if (typeof want === "string") expect(got).toBe(want);
    else expect(got).toMatch(want);
  });

  test("a host without uids fails the call alone", async () => {
    const hosts = testHosts(
      {},
      {
        uid: () => {
          throw new Error("no entropy");
        },
      },
    );
    const report = await dispatchValidating(
      podRequest(),
      compiled("Validating", webhook("a", { failurePolicy: "Ignore" }), webhook("b")),
      hosts,
    );
    expect(report.calls.map(({ failedOpen }) => failedOpen)).toEqual([true, false]);
    expect(report.status?.message).toBe(
      'Internal error occurred: failed calling webhook "b.test.example.com": could not create admission objects: no entropy',
    );
  });

  test("a namespace that is not there ends the request, if the rules match", async () => {
    const namespaces = { namespace: () => undefined };
    const selective = webhook("a", { namespaceSelector: { matchLabels: { a: "b" } } });
    expect(await said(selective, podRequest(), { namespaces })).toBe('404 namespaces "ns" not found');
    expect(await said({ ...selective, rules: [] }, podRequest(), { namespaces })).toBe("no resource rule matches: ");
  });

  test("equivalent resources are converted, Exact ones are not", async () => {
    const rules = [{ operations: ["*"], apiGroups: [""], apiVersions: ["v2"], resources: ["pods"] }] as const;
    const hosts = {
      resources: {
        equivalents: () => [{ group: "", version: "v2", resource: "pods" }],
        kind: () => ({ group: "", version: "v2", kind: "Pod" }),
      },
      converter: { convert: (object: object) => ({ ...object, apiVersion: "v2" }) },
    };
    const conditions = [
      {
        name: "c",
        expression: "object.apiVersion == 'v2' && request.kind.version == 'v2' && request.resource.version == 'v1'",
      },
    ];
    expect(await said(webhook("a", { rules, matchConditions: conditions }), podRequest(), hosts)).toBe("call v2");
    expect(await said(webhook("a", { rules, matchPolicy: "Exact" }), podRequest(), hosts)).toBe(
      "no resource rule matches: resourceRules[0].apiVersions",
    );
    const unknown = { ...hosts, resources: { ...hosts.resources, kind: () => undefined } };
    expect(await said(webhook("a", { rules }), podRequest(), unknown)).toBe(
      "500 Internal error occurred: unable to convert to /v2, Resource=pods: unknown kind",
    );
  });

  test("an authorizer may take its time", async () => {
    const authorizer = { authorize: () => Promise.resolve({ decision: "allow" as const }) };
    const guarded = condition("authorizer.group('').resource('pods').check('bypass').allowed()");
    expect(await said(guarded, podRequest(), { authorizer })).toBe("call v1");
  });

  test("configurations by name, webhooks as listed, those from files first", () => {
    const set = WebhookSet.of([
      configuration("Validating", "b", webhook("1"), webhook("0")),
      configuration("Validating", "z.static.k8s.io", webhook("2")),
      configuration("Validating", "a", webhook("3")),
      configuration("Mutating", "a", webhook("4")),
    ]);
    expect(set.validating.map(({ configuration: name, webhook: { name: own } }) => `${name} ${own[0]}`)).toEqual([
      "z.static.k8s.io 2",
      "a 3",
      "b 1",
      "b 0",
    ]);
    expect(set.mutating).toHaveLength(1);
    expect(set.with({ remove: [{ kind: "ValidatingWebhookConfiguration", name: "b" }] }).validating).toHaveLength(2);
  });
});

describe("calls", () => {
  const ask = (answers: Answers, more: Partial<Webhook> = {}, request = podRequest(), options = {}) =>
    dispatchValidating(request, compiled("Validating", webhook("a", more)), testHosts(answers), options);
  const failing = (answer: Answers[string]): Answers => ({ "a.test.example.com": answer });
  const PREFIX = 'Internal error occurred: failed calling webhook "a.test.example.com": ';

  test("the review", async () => {
    const hosts = testHosts();
    await dispatchValidating(
      podRequest({ subresource: "status" }),
      compiled(
        "Validating",
        webhook("a", {
          rules: [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods/*"] }],
          timeoutSeconds: 7,
        }),
      ),
      hosts,
    );
    expect(hosts.calls[0]).toMatchObject({ url: "https://host/a?timeout=7s", timeoutSeconds: 7 });
    expect(hosts.calls[0]!.review).toEqual({
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      request: {
        uid: "uid-1",
        kind: { group: "", version: "v1", kind: "Pod" },
        resource: { group: "", version: "v1", resource: "pods" },
        subResource: "status",
        requestKind: { group: "", version: "v1", kind: "Pod" },
        requestResource: { group: "", version: "v1", resource: "pods" },
        requestSubResource: "status",
        name: "p",
        namespace: "ns",
        operation: "CREATE",
        userInfo: { username: "kate", groups: ["g"] },
        object: POD,
        oldObject: null,
        dryRun: false,
        options: { apiVersion: "meta.k8s.io/v1", kind: "CreateOptions" },
      },
    });
  });

  test("a service's address, and the time that is left", async () => {
    const hosts = testHosts();
    const service = webhook("a", {
      clientConfig: { service: { name: "s", namespace: "n", path: "/x" }, caBundle: "Q0E=" },
    });
    await dispatchValidating(podRequest(), compiled("Validating", service), hosts, { remainingSeconds: () => 2.1 });
    expect(hosts.calls[0]).toMatchObject({
      url: "https://s.n.svc:443/x?timeout=3s",
      serverName: "s.n.svc",
      caBundle: "Q0E=",
      timeoutSeconds: 3,
    });
    const over = await dispatchValidating(podRequest(), compiled("Validating", service), hosts, {
      remainingSeconds: () => 0,
    });
    expect(over.status).toMatchObject({
      code: 504,
      message: "Timeout: request did not complete within requested timeout",
    });
  });

  // biome-ignore format: one case per line
  const failures: { title: string; answer: Answers[string]; more?: Partial<Webhook>; request?: AdmissionRequest; want: string }[] = [
    { title: "no connection",     answer: () => { throw new Error("dial tcp: refused"); },            want: "failed to call webhook: dial tcp: refused" },
    { title: "no answer at all",  answer: () => undefined as never,                                   want: "failed to call webhook: the transport gave no answer" },
    { title: "an HTTP error",     answer: () => ({ status: 503, body: "down" }),                      want: "failed to call webhook: the server is currently unable to handle the request" },
    { title: "another one",       answer: () => ({ status: 500, body: "down", contentType: "text/plain" }), want: `failed to call webhook: an error on the server ("down") has prevented the request from succeeding` },
    { title: "a server's Status", answer: () => ({ status: 409, body: `{"kind":"Status","status":"Failure","message":"busy"}` }), want: "failed to call webhook: busy" },
    { title: "another uid",       answer: respond({ uid: "x", allowed: true }),                       want: `received invalid webhook response: expected response.uid="uid-1", got "x"` },
    { title: "no response",       answer: () => ({ status: 200, body: {} }),                          want: "received invalid webhook response: webhook response was absent" },
    { title: "no kind",           answer: ({ review }) => ({ status: 200, body: { response: { uid: review.request!.uid, allowed: true } } }), want: "received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=" },
    { title: "a patch",           answer: respond({ allowed: true, patch: "W10=" }),                  want: "received invalid webhook response: validating webhook may not return response.patch" },
    { title: "a patch type",      answer: respond({ allowed: true, patchType: "JSONPatch" }),         want: "received invalid webhook response: validating webhook may not return response.patchType" },
    { title: "no known version",  answer: allow(), more: { admissionReviewVersions: ["v9"] },         want: "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)" },
    { title: "side effects nil",  answer: allow(), more: { sideEffects: undefined as never }, request: podRequest({ dryRun: true }), want: "Webhook SideEffects is nil" },
  ];
  test.each(failures)("a failed call: $title", async ({ answer, more, request, want }) => {
    const closed = await ask(failing(answer), more, request);
    expect(closed.status).toMatchObject({ code: 500, reason: "InternalError", message: `${PREFIX}${want}` });
    const open = await ask(failing(answer), { ...more, failurePolicy: "Ignore" }, request);
    expect(open).toMatchObject({
      allowed: true,
      auditAnnotations: { "failed-open.validating.webhook.admission.k8s.io/round_0_index_0": "a.test.example.com" },
    });
  });

  // biome-ignore format: one case per line
  const denials = [
    { status: undefined,                                   code: 400, message: "denied the request without explanation" },
    { status: { message: "no", code: 200 },                code: 400, message: "denied the request: no" },
    { status: { reason: "Teapot", code: 418 },             code: 418, message: "denied the request: Teapot" },
    { status: { message: "no", status: "Success" },        code: 400, message: "denied the request: no" },
  ];
  test.each(denials)("a denial $status, whatever failurePolicy says", async ({ status, code, message }) => {
    const report = await ask(failing(respond({ allowed: false, ...(status && { status }) })), {
      failurePolicy: "Ignore",
    });
    expect(report.status).toMatchObject({
      code,
      status: "Failure",
      message: `admission webhook "a.test.example.com" ${message}`,
    });
  });

  test("v1beta1 responses are checked less strictly", async () => {
    const answer = failing(() => ({ status: 200, body: { response: { allowed: true, patch: "W10=" } } }));
    expect((await ask(answer, { admissionReviewVersions: ["v1beta1", "v1"] })).allowed).toBe(true);
  });

  test("a dry run is not for webhooks with side effects", async () => {
    const dry = podRequest({ dryRun: true });
    const report = await ask({}, { sideEffects: "Some", failurePolicy: "Ignore" }, dry);
    expect(report.status).toMatchObject({
      code: 400,
      message: 'admission webhook "a.test.example.com" does not support dry run',
    });
    expect((await ask({}, { sideEffects: "NoneOnDryRun" }, dry)).allowed).toBe(true);
  });

  test("warnings and annotations, also of a denial", async () => {
    const report = await ask(
      failing(respond({ allowed: false, warnings: ["w", "w", "", "a\nb"], auditAnnotations: { k: "v", "a/b": "x" } })),
    );
    expect(report).toMatchObject({
      allowed: false,
      warnings: ["w"],
      auditAnnotations: { "a.test.example.com/k": "v" },
    });
    expect(Object.keys(report.auditAnnotations)).toEqual(["a.test.example.com/k"]);
  });

  test("all at once; the first refusal to arrive counts", async () => {
    let release = (): void => {};
    const later = new Promise<void>((resolve) => (release = resolve));
    const answers: Answers = {
      "a.test.example.com": async (call) => {
        await later;
        return respond({ allowed: false, status: { message: "slow" } })(call);
      },
      "b.test.example.com": (call) => {
        queueMicrotask(() => setTimeout(release, 5));
        return respond({ allowed: false, status: { message: "fast" } })(call);
      },
    };
    const report = await dispatchValidating(
      podRequest(),
      compiled("Validating", webhook("a"), webhook("b")),
      testHosts(answers),
    );
    expect(report.status?.message).toBe('admission webhook "b.test.example.com" denied the request: fast');
    expect(report.calls).toHaveLength(2);
  });

  test.each(["Fail", "Ignore"] as const)(
    "a call that never ends is given up, failurePolicy %s",
    async (failurePolicy) => {
      const hosts = testHosts({ "a.test.example.com": () => new Promise(() => undefined) });
      const webhooks = compiled("Validating", webhook("a", { failurePolicy }), webhook("b"));
      const report = await dispatchValidating(podRequest(), webhooks, hosts, { signal: AbortSignal.timeout(20) });
      const reason = "failed to call webhook: context deadline exceeded";
      expect(report.calls.map(({ outcome }) => outcome)).toMatchObject([
        { outcome: "failed", reason },
        { outcome: "allowed" },
      ]);
      expect(report.status?.message).toBe(
        failurePolicy === "Ignore"
          ? undefined
          : `Internal error occurred: failed calling webhook "a.test.example.com": ${reason}`,
      );
    },
  );

  test("nobody is called when a later webhook's condition fails", async () => {
    const hosts = testHosts();
    const bad = webhook("b", { matchConditions: [{ name: "c", expression: "object.x == 1" }] });
    const report = await dispatchValidating(podRequest(), compiled("Validating", webhook("a"), bad), hosts);
    expect(report.status?.code).toBe(403);
    expect(hosts.calls).toEqual([]);
  });
});

describe("stories", () => {
  const everything = [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }] as const;

  test("leases are left out of a rule for everything", async () => {
    const condition = "!(request.resource.group == 'coordination.k8s.io' && request.resource.resource == 'leases')";
    const given = webhook("a", {
      rules: everything,
      matchConditions: [{ name: "exclude-leases", expression: condition }],
    });
    const lease = podRequest({
      kind: { group: "coordination.k8s.io", version: "v1", kind: "Lease" },
      resource: { group: "coordination.k8s.io", version: "v1", resource: "leases" },
    });
    expect(await said(given, lease)).toBe("match condition 'exclude-leases' is false");
    expect(await said(given)).toBe("call v1");
  });

  test("requests of nodes are exempt", async () => {
    const condition = "!('system:nodes' in request.userInfo.groups)";
    const given = webhook("a", { matchConditions: [{ name: "exclude-kubelet-requests", expression: condition }] });
    const node = podRequest({
      userInfo: { username: "system:node:n1", groups: ["system:nodes", "system:authenticated"] },
    });
    expect(await said(given, node)).toBe("match condition 'exclude-kubelet-requests' is false");
    expect(await said(given)).toBe("call v1");
  });

  test("only pods that mount NFS", async () => {
    const condition = "has(object.spec.volumes) && object.spec.volumes.exists(v, has(v.nfs))";
    const given = webhook("a", { matchConditions: [{ name: "nfs", expression: condition }] });
    const pod = (volumes: readonly object[]): AdmissionRequest => podRequest({ object: { ...POD, spec: { volumes } } });
    expect(
      await said(
        given,
        pod([
          { name: "a", emptyDir: {} },
          { name: "b", nfs: { server: "s", path: "/" } },
        ]),
      ),
    ).toBe("call v1");
    expect(await said(given, pod([{ name: "a", emptyDir: {} }]))).toBe("match condition 'nfs' is false");
    expect(await said(given)).toBe("match condition 'nfs' is false");
  });
});
