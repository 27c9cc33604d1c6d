import { describe, expect, test } from "vitest";
import type { Webhook } from "./configuration.ts";
import { type Answers, allow, compiled, POD, patch, podRequest, respond, testHosts, webhook } from "./hosts.testing.ts";
import { admitMutating, type MutatingReport } from "./mutating.ts";

const label = (key: string, value = "x"): object => ({ op: "add", path: `/metadata/labels/${key}`, value });
const names = (report: MutatingReport): string[] => report.calls.map(({ webhook: { webhook: own } }) => own.name[0]!);

function admitWith(answers: Answers, ...webhooks: readonly Webhook[]): Promise<MutatingReport> {
  const full = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [`${name}.test.example.com`, answer]),
  );
  return admitMutating(podRequest(), compiled("Mutating", ...webhooks), testHosts(full));
}

describe("one after the other", () => {
  test("each sees what those before it left", async () => {
    const conditions = [{ name: "labelled", expression: "has(object.metadata.labels.one)" }];
    const report = await admitWith(
      { a: patch(label("one")), b: patch(label("two")) },
      webhook("a"),
      webhook("b", { matchConditions: conditions }),
    );
    expect(report.object?.metadata?.labels).toEqual({ a: "b", one: "x", two: "x" });
    expect(report.changed).toBe(true);
    expect(report.auditAnnotations).toEqual({
      "mutation.webhook.admission.k8s.io/round_0_index_0": `{"configuration":"c","webhook":"a.test.example.com","mutated":true}`,
      "mutation.webhook.admission.k8s.io/round_0_index_1": `{"configuration":"c","webhook":"b.test.example.com","mutated":true}`,
    });
    expect(report.patchAnnotations["patch.webhook.admission.k8s.io/round_0_index_0"]).toBe(
      `{"configuration":"c","webhook":"a.test.example.com","patch":[{"op":"add","path":"/metadata/labels/one","value":"x"}],"patchType":"JSONPatch"}`,
    );
    expect(POD.metadata?.labels).toEqual({ a: "b" });
  });

  test("an empty map that a patch adds is a change, and an empty list is kept", async () => {
    const selector = await admitWith({ a: patch({ op: "add", path: "/spec/selector", value: {} }) }, webhook("a"));
    expect([selector.changed, selector.object?.spec]).toMatchObject([true, { selector: {} }]);
    const list = await admitWith({ a: patch({ op: "add", path: "/spec/list", value: [] }) }, webhook("a"));
    expect(list.object?.spec).toMatchObject({ list: [] });
  });

  test("a denial ends it", async () => {
    const report = await admitWith({ a: respond({ allowed: false }) }, webhook("a"), webhook("b"));
    expect(report).toMatchObject({ allowed: false, status: { code: 400 } });
    expect(names(report)).toEqual(["a"]);
  });

  test("a failed call passes over or ends it", async () => {
    const broken: Answers = { a: () => ({ status: 500, body: "" }) };
    const open = await admitWith(broken, webhook("a", { failurePolicy: "Ignore" }), webhook("b"));
    expect(names(open)).toEqual(["a", "b"]);
    expect(open.auditAnnotations).toMatchObject({
      "failed-open.mutation.webhook.admission.k8s.io/round_0_index_0": "a.test.example.com",
      "mutation.webhook.admission.k8s.io/round_0_index_0": `{"configuration":"c","webhook":"a.test.example.com","mutated":false}`,
    });
    expect((await admitWith(broken, webhook("a"), webhook("b"))).status?.code).toBe(500);
  });

  // biome-ignore format: one case per line
  const answers: { title: string; answer: Answers[string]; want: string }[] = [
    { title: "no type",        answer: respond({ allowed: true, patch: "W10=" }),                              want: "failed calling webhook \"a.test.example.com\": received invalid webhook response: webhook returned response.patch but not response.patchType" },
    { title: "no patch",       answer: respond({ allowed: true, patchType: "JSONPatch" }),                     want: "failed calling webhook \"a.test.example.com\": received invalid webhook response: webhook returned response.patchType but not response.patch" },
    { title: "another type",   answer: respond({ allowed: true, patchType: "Merge", patch: btoa(`[{"op":"test"}]`) }), want: "failed calling webhook \"a.test.example.com\": unsupported patch type \"Merge\"" },
    { title: "no base64",      answer: respond({ allowed: true, patchType: "JSONPatch", patch: "!" }),         want: "failed calling webhook \"a.test.example.com\": failed to call webhook: illegal base64 data at input byte 0" },
    { title: "no list",        answer: respond({ allowed: true, patchType: "JSONPatch", patch: btoa("{}") }),  want: "failed calling webhook \"a.test.example.com\": received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch" },
    { title: "does not apply", answer: patch({ op: "remove", path: "/metadata/labels/z" }),                    want: "error in remove for path: '/metadata/labels/z': Unable to remove nonexistent key: z: missing value" },
  ];
  test.each(answers)("an invalid patch: $title", async ({ answer, want }) => {
    expect((await admitWith({ a: answer }, webhook("a"))).status).toMatchObject({
      code: 500,
      message: `Internal error occurred: ${want}`,
    });
  });

  test("an empty patch, and one that changes nothing", async () => {
    for (const answer of [
      patch(),
      patch(label("a", "b")),
      patch({ op: "add", path: "/metadata/finalizers", value: [] }),
    ]) {
      expect(await admitWith({ a: answer }, webhook("a"))).toMatchObject({ allowed: true, changed: false });
    }
  });

  test("integers of any size, and annotations as Go writes them", async () => {
    const operation = '{"value":{"z":9007199254740993,"a":"<b>"},"path":"/spec/n","op":"add"}';
    const copy = '{"op":"copy","from":"/spec/n","path":"/spec/m"}';
    const answer = respond({ allowed: true, patchType: "JSONPatch", patch: btoa(`[${operation},${copy}]`) });
    const report = await admitWith({ a: answer }, webhook("a"));
    const value = { z: 9007199254740993n, a: "<b>" };
    expect(report.object?.spec).toEqual({ n: value, m: value });
    expect(report.patchAnnotations["patch.webhook.admission.k8s.io/round_0_index_0"]).toContain(
      String.raw`"patch":[{"op":"add","path":"/spec/n","value":{"z":9007199254740993,"a":"\u003cb\u003e"}},{"from":`,
    );
  });

  test.each(["__proto__", "constructor", "toString", "merge"])("there is no operation %s", async (op) => {
    const answer = respond({ allowed: true, patchType: "JSONPatch", patch: btoa(`[{"op":"${op}","path":"/spec/n"}]`) });
    const { status } = await admitWith({ a: answer }, webhook("a", { failurePolicy: "Ignore" }));
    expect(status?.message).toBe(`Internal error occurred: Unexpected kind: ${op}`);
  });

  test("nothing to patch on deletion", async () => {
    const request = podRequest({ operation: "DELETE", object: null, oldObject: POD });
    const hosts = testHosts({ "a.test.example.com": patch(label("z")) });
    const report = await admitMutating(request, compiled("Mutating", webhook("a", { failurePolicy: "Ignore" })), hosts);
    expect(report.status?.message).toBe(
      'Internal error occurred: admission webhook "a.test.example.com" attempted to modify the object, which is not supported for this operation',
    );
  });

  test("decoding that never ends is given up", async () => {
    const hosts = testHosts(
      { "a.test.example.com": patch(label("one")) },
      { decode: () => new Promise(() => undefined) },
    );
    const options = { signal: AbortSignal.timeout(20) };
    const report = await admitMutating(podRequest(), compiled("Mutating", webhook("a")), hosts, options);
    expect(report.status?.message).toBe("Internal error occurred: context deadline exceeded");
  });

  test("decoded and converted back", async () => {
    const hosts = testHosts(
      { "a.test.example.com": patch(label("one")) },
      {
        resources: {
          equivalents: () => [{ group: "", version: "v2", resource: "pods" }],
          kind: () => ({ group: "", version: "v2", kind: "Pod" }),
        },
        converter: { convert: (object, to) => ({ ...object, apiVersion: to.version }) },
        decode: (object) => ({ ...object, spec: { defaulted: true } }),
      },
    );
    const rules = [{ operations: ["*"], apiGroups: [""], apiVersions: ["v2"], resources: ["pods"] }] as const;
    const report = await admitMutating(podRequest(), compiled("Mutating", webhook("a", { rules })), hosts);
    expect(report.object).toMatchObject({
      apiVersion: "v1",
      metadata: { labels: { one: "x" } },
      spec: { defaulted: true },
    });
    expect(hosts.calls[0]?.review.request?.object?.apiVersion).toBe("v2");
  });
});

describe("reinvocation", () => {
  const IfNeeded = { reinvocationPolicy: "IfNeeded" } as const;

  test("those that asked for it, when somebody later changed the object", async () => {
    const report = await admitWith(
      { b: patch(label("b")) },
      webhook("a", IfNeeded),
      webhook("b", IfNeeded),
      webhook("c"),
    );
    expect(names(report)).toEqual(["a", "b", "c", "a"]);
    expect(report.auditAnnotations).toHaveProperty(["mutation.webhook.admission.k8s.io/round_1_index_0"]);
  });

  test("not for its own change", async () => {
    expect(names(await admitWith({ a: patch(label("one")) }, webhook("a", IfNeeded), webhook("b")))).toEqual([
      "a",
      "b",
    ]);
  });

  test("not for the first time", async () => {
    const late = webhook("a", { ...IfNeeded, objectSelector: { matchLabels: { late: "x" } } });
    expect(names(await admitWith({ b: patch(label("late")) }, late, webhook("b")))).toEqual(["b"]);
  });

  test("changes of the second pass call those after it again, and no third pass", async () => {
    let round = 0;
    const counting: Answers[string] = (call) =>
      patch({ op: "add", path: "/metadata/labels/n", value: String(round++) })(call);
    const report = await admitWith(
      { a: counting, c: patch(label("c")) },
      webhook("a", IfNeeded),
      webhook("b", IfNeeded),
      webhook("c"),
    );
    expect(names(report)).toEqual(["a", "b", "c", "a", "b"]);
    expect(report.object?.metadata?.labels).toMatchObject({ n: "1", c: "x" });
  });

  test("nobody changed anything", async () => {
    expect(names(await admitWith({ a: allow() }, webhook("a", IfNeeded), webhook("b", IfNeeded)))).toEqual(["a", "b"]);
  });
});

test("a patch has no more operations than clients may send", async () => {
  const operations = Array.from({ length: 10_001 }, () => label("x"));
  const report = await admitWith({ a: patch(...operations) }, webhook("a"));
  expect(report.status?.message).toContain("The allowed maximum operations in a JSON patch is 10000, got 10001");
});
