import { Double } from "@celadon/cel";
import { describe, expect, test } from "vitest";
import { type TestSetting, testIo } from "../io.testing.ts";
import { loadManifests } from "./load.ts";
import { showIssues, showNotes } from "./show-issues.ts";

const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n`;
const load = (paths: readonly string[], setting: TestSetting) => loadManifests(paths, {}, testIo(setting));
const loadText = (text: string, file = "f.yaml") => load([file], { files: { [file]: text } });
const names = (loaded: Awaited<ReturnType<typeof load>>) => loaded.manifests.map(({ object }) => object.metadata?.name);

describe("objects", () => {
  const podJson = (name: string): string => JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name } });
  // biome-ignore format: one case per line
  const cases = [
    { name: "one",                 text: pod("a"),                                          want: ["a"] },
    { name: "a stream",            text: `# c\n---\n${pod("a")}---\n---\n# c\n---\n${pod("b")}`, want: ["a", "b"] },
    { name: "JSON",                text: podJson("a"),                                      want: ["a"] },
    { name: "JSON, one by one",    text: `${podJson("a")}${podJson("b")}`,                  want: ["a", "b"] },
    { name: "JSON lines",          text: `${podJson("a")}\n${podJson("b")}\n`,              want: ["a", "b"] },
    { name: "JSON, then YAML",     text: `${podJson("a")}\n---\n${pod("b")}`,               want: ["a", "b"] },
    { name: "a List",              text: `apiVersion: v1\nkind: List\nitems:\n- ${podJson("a")}\n- ${podJson("b")}\n`, want: ["a", "b"] },
    { name: "a List in a List",    text: `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"List","items":[${podJson("a")}]}]}`, want: ["a"] },
    { name: "an empty List",       text: "apiVersion: v1\nkind: List\nitems: []\n",         want: [] },
    { name: "a List of null",      text: "apiVersion: v1\nkind: PodList\nitems: null\n",    want: [] },
    { name: "Windows",             text: pod("a").replaceAll("\n", "\r\n"),                 want: ["a"] },
    { name: "a byte order mark",   text: `\ufeff${pod("a")}`,                               want: ["a"] },
  ];
  test.each(cases)("$name", async ({ text, want }) => {
    const loaded = await loadText(text);
    expect(loaded.issues).toEqual([]);
    expect(names(loaded)).toEqual(want);
  });

  test("items of a typed list get its type", async () => {
    const { manifests } = await loadText("apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata: {name: a}\n");
    expect(manifests[0]!.object).toEqual({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } });
  });

  test("numbers are those of the cluster: whole doubles of YAML are integers, those of JSON are not", async () => {
    const yaml = await loadText("apiVersion: v1\nkind: X\na: 1.0\nb: 9007199254740993\n");
    expect(yaml.manifests[0]!.object).toMatchObject({ a: 1, b: 9007199254740993n });
    const json = await loadText('{"apiVersion":"v1","kind":"X","a":1.0}');
    expect(json.manifests[0]!.object.a).toEqual(new Double(1));
  });

  test("keys that JavaScript knows are ordinary", async () => {
    const { manifests, issues } = await loadText("apiVersion: v1\nkind: X\n__proto__: {kind: Y}\nconstructor: 1\n");
    expect(issues).toEqual([]);
    expect(Object.keys(manifests[0]!.object)).toEqual(["apiVersion", "kind", "__proto__", "constructor"]);
    expect((await loadText("__proto__: {apiVersion: v1, kind: X}\n")).issues[0]!.code).toBe("not_kubernetes");
  });

  test("in the order of paths and names, from standard input too", async () => {
    const files = { "d/2.yaml": pod("two"), "d/1.yaml": pod("one"), "z.yaml": pod("z") };
    const loaded = await load(["z.yaml", "-", "d"], { files, stdin: pod("in") });
    expect(names(loaded)).toEqual(["z", "in", "one", "two"]);
    expect(loaded.files).toEqual(["z.yaml", "-", "d/1.yaml", "d/2.yaml"]);
  });

  test("a thousand files", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [`d/${String(i).padStart(4, "0")}.yaml`, pod(`p${i}`)]),
    );
    expect(names(await load(["d"], { files }))).toEqual(Array.from({ length: 1000 }, (_, i) => `p${i}`));
  });
});

describe("places", () => {
  const text = `# top\n${pod("a")}---\napiVersion: v1\nkind: List\nitems:\n- ${pod("b").replaceAll("\n", "\n  ").trimEnd()}\n  spec:\n    x: |\n      one\n      two\n`;

  test("in a document and in an item", async () => {
    const { manifests } = await loadText(text);
    const [a, b] = manifests.map(({ origin }) => origin!);
    expect(a!.file).toBe("f.yaml");
    expect(a!.positionOf(["metadata", "name"])).toMatchObject({ file: "f.yaml", line: 5, column: 9 });
    expect(a!.positionOf([])).toMatchObject({ line: 2, column: 1 });
    expect(b!.positionOf([])).toMatchObject({ line: 10, column: 3 });
    expect(b!.positionOf(["metadata", "name"], "key")).toMatchObject({ line: 13, column: 5 });
    expect(b!.positionOf(["nope"])).toBeUndefined();
    expect(b!.positionIn(["spec", "x"], 5)).toMatchObject({ line: 17, column: 8 });
    expect(b!.lineText(13)).toBe("    name: b");
    const { offset } = b!.positionOf(["metadata", "name"])!;
    expect(text.slice(offset, offset + 1)).toBe("b");
  });

  const many = 4000;
  const note = `  annotations: {note: ${"x".repeat(220)}}\n`;
  const large = {
    "large.yaml": `apiVersion: v1\nitems:\n${Array.from({ length: many }, (_, i) => `- ${(pod(`p${i}`) + note).replaceAll("\n", "\n  ").trimEnd()}\n`).join("")}kind: List\n`,
    "large.json": JSON.stringify(
      {
        apiVersion: "v1",
        items: Array.from({ length: many }, (_, i) => ({
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: `p${i}`, note },
        })),
        kind: "List",
      },
      null,
      1,
    ),
    "typed.yaml": `kind: PodList\napiVersion: v1\nitems:\n${Array.from({ length: many }, (_, i) => `- metadata:\n    name: p${i}\n  ${note}`).join("")}`,
  };
  test.each(Object.entries(large))("in the items of %s", async (file, content) => {
    expect(content.length).toBeGreaterThan(1024 * 1024);
    const { manifests, issues } = await load([file], { files: { [file]: content } });
    expect(issues).toEqual([]);
    expect(manifests).toHaveLength(many);
    const { object, origin } = manifests[many - 1]!;
    expect(object).toMatchObject({ apiVersion: "v1", kind: "Pod", metadata: { name: `p${many - 1}` } });
    const { offset, line } = origin!.positionOf(["metadata", "name"])!;
    expect(content.slice(offset).replace('"', "")).toMatch(new RegExp(`^p${many - 1}\\b`));
    expect(origin!.lineText(line)).toContain(`p${many - 1}`);
  });

  test("one broken item of a large list leaves the others", async () => {
    const broken = large["large.yaml"].replace("    name: p7\n", "    name: [p7\n");
    const { manifests, issues } = await loadText(broken);
    expect(manifests).toHaveLength(many - 1);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ code: "syntax", line: 41 });
  });
});

describe("errors", () => {
  // biome-ignore format: one case per line
  const cases = [
    { name: "a directive",         text: `%YAML 1.1\n---\n${pod("a")}...\n---\n${pod("b")}`, want: ["f.yaml:2:1: directives end with a line of ---"], objects: ["a", "b"] },
    { name: "a quote that is not closed", text: `${pod("a")}---\na: "x\n---\n${pod("b")}`, want: ["f.yaml:6:4: missing closing double quote"], objects: ["a", "b"] },
    { name: "two at once",         text: `a: [\n---\n${pod("b")}---\n\tb: 1\n`, want: ["f.yaml:1:4: missing closing ]", "f.yaml:8:1: a tab in the indentation"], objects: ["b"] },
    { name: "JSON",                text: '{"apiVersion": "v1", "kind" "Pod"}', want: ['f.yaml:1:29: unexpected character "\\"" after a key'], objects: [] },
    { name: "a line of many",      text: `{"a":1}\n{"b":1}\n{"c"\n`,           want: ["f.yaml:1:1: not a Kuberne", "f.yaml:2:1: not a Kuberne", "f.yaml:3:5: unexpected"], objects: [] },
    { name: "a template",          text: "apiVersion: v1\nkind: Pod\nmetadata:\n  {{- if .x }}\n  name: a\n  {{- end }}\n", want: ["f.yaml:4:5: Helm template, not a manifest:"], objects: [] },
    { name: "nothing",             text: "",                                   want: ["f.yaml: is empty"], objects: [] },
    { name: "comments alone",      text: "# a\n---\n# b\n",                    want: ["f.yaml: has no documents"], objects: [] },
    { name: "no manifest",         text: "replicas: 1\n",                      want: ["f.yaml:1:1: not a Kubernetes object: apiVersion and kind are missing"], objects: [] },
    { name: "no kind",             text: `${pod("a")}---\napiVersion: v1\nmetadata: {}\n`, want: ["f.yaml:6:1: not a Kubernetes object: kind is missing"], objects: ["a"] },
    { name: "an empty kind",       text: 'apiVersion: v1\nkind: ""\n',         want: ["f.yaml:1:1: not a Kubernetes object: kind is missing"], objects: [] },
    { name: "a list",              text: "- a\n",                              want: ["f.yaml:1:1: not a Kubernetes object: a list"], objects: [] },
    { name: "a text",              text: "hello\n",                            want: ["f.yaml:1:1: not a Kubernetes object: a string or number"], objects: [] },
    { name: "an item of a list",   text: "apiVersion: v1\nkind: List\nitems:\n- 1\n- {a: b}\n", want: ["f.yaml:4:3: not a Kubernetes object: a string or number", "f.yaml:5:3: not a Kubernetes object: apiVersion and kind are missing"], objects: [] },
    { name: "a review of nothing", text: "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\n", want: ["f.yaml:1:1: invalid AdmissionReview: the review holds no request"], objects: [] },
  ];
  test.each(cases)("$name", async ({ text, want, objects }) => {
    const loaded = await loadText(text);
    const lines = showIssues(loaded.issues)
      .split("\n")
      .filter((line) => line.startsWith("f.yaml:"));
    expect(lines.map((line, i) => line.slice(0, want[i]?.length))).toEqual(want);
    expect(names(loaded)).toEqual(objects);
  });

  test("a key given twice is a warning: the last one counts", async () => {
    const { manifests, issues, notes } = await loadText(`${pod("a")}kind: Job\n`);
    expect(issues).toEqual([]);
    expect(manifests.map(({ object }) => object.kind)).toEqual(["Job"]);
    expect(showNotes(notes)).toBe('f.yaml:5:1: warning: key "kind" already set in map; the last one counts\n');
  });

  test("is shown with its line", async () => {
    const { issues } = await loadText("apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n");
    expect(showIssues(issues)).toBe(
      [
        "f.yaml:4:9: Helm template, not a manifest: {{ }} is a template action, not YAML",
        "  4 |   name: {{ .Values.name }}",
        "    |         ^",
        "  help: render the chart first: helm template . | celadon check -f -",
        "",
      ].join("\n"),
    );
  });

  test("with the files", async () => {
    const files = {
      "bin.yaml": Uint8Array.of(1, 0, 2),
      "k/kustomization.yaml": "resources: [a.yaml]\n",
      "ok.yaml": pod("a"),
    };
    const loaded = await load(["bin.yaml", "k/kustomization.yaml", "nope.yaml", "ok.yaml"], { files });
    expect(names(loaded)).toEqual(["a"]);
    expect(loaded.issues.map(({ code, file, hint }) => [code, file, hint])).toEqual([
      ["missing", "nope.yaml", undefined],
      ["binary", "bin.yaml", "inputs must be YAML or JSON"],
      ["kustomization", "k/kustomization.yaml", "build it first: kustomize build k | celadon check -f -"],
    ]);
  });

  test("with many issues, of which some are listed", async () => {
    const { issues } = await loadText("a: 1\n---\n".repeat(150));
    expect(issues).toHaveLength(101);
    expect(issues.at(-1)).toMatchObject({ message: "50 more issues in this file" });
  });

  test("with standard input", async () => {
    expect((await load(["-"], {})).issues).toMatchObject([{ code: "unreadable", message: "is a terminal" }]);
    expect((await load(["-"], { stdin: "" })).issues).toMatchObject([{ code: "empty", file: "-" }]);
    const small = await loadManifests(["-"], { fileBytes: 3 }, testIo({ stdin: pod("a") }));
    expect(showIssues(small.issues)).toBe("standard input: larger than 3 B\n  help: split it into several files\n");
  });

  test("with one document that is too large for the parser", async () => {
    const { issues } = await loadText(`apiVersion: v1\nkind: X\na: |\n${`  ${"x".repeat(1000)}\n`.repeat(17_000)}`);
    expect(issues).toMatchObject([{ code: "syntax", message: "larger than 16777216 bytes", line: 1 }]);
  });

  test("with no paths", async () => expect((await load([], {})).issues).toMatchObject([{ code: "no_input" }]));
});

describe("files of other programs", () => {
  const files = {
    "d/Chart.yaml": "apiVersion: v2\nname: x\n",
    "d/values.yaml": "replicas: 1\n",
    "d/empty.yaml": "",
    "d/kustomization.yaml": "resources: [a.yaml]\n",
    "d/package.json": '{"name": "x"}',
    "d/pod.yaml": pod("a"),
  };

  test("are skipped in a directory", async () => {
    const { issues, notes, manifests } = await load(["d"], { files });
    expect(manifests).toHaveLength(1);
    expect(issues).toEqual([]);
    expect(notes.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      "d/Chart.yaml: skipped: part of a Helm chart (and 1 more like it)",
      "d/empty.yaml: skipped: is empty",
      "d/kustomization.yaml: skipped: kustomization, not a manifest",
      "d/package.json: skipped: not a Kubernetes object: apiVersion and kind are missing",
    ]);
    expect(notes[2]!.hint).toBe("celadon check -k DIR builds it");
  });

  test("are wrong when they are named", async () => {
    const { issues } = await load(["d/values.yaml", "d/package.json"], { files });
    expect(issues.map(({ code }) => code)).toEqual(["not_kubernetes", "not_kubernetes"]);
  });

  test("a slip beside a manifest is no other program's", async () => {
    const { issues } = await load(["d"], { files: { "d/a.yaml": `${pod("a")}---\nkind: Pod\n` } });
    expect(issues).toMatchObject([{ code: "not_kubernetes", line: 6 }]);
  });

  test("a directory of nothing else", async () => {
    const { issues, manifests } = await load(["d"], { files: { "d/values.yaml": "a: 1\n" } });
    expect(manifests).toEqual([]);
    expect(issues).toMatchObject([{ code: "empty", message: "no manifests found" }]);
  });
});

describe("recorded reviews", () => {
  const review = {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "u1",
      kind: { group: "", version: "v1", kind: "Pod" },
      resource: { group: "", version: "v1", resource: "pods" },
      name: "a",
      namespace: "n",
      operation: "CREATE",
      userInfo: { username: "jane" },
      object: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } },
    },
    response: { uid: "u1", allowed: false, status: { message: "no" } },
  };

  test.each(["v1", "v1beta1"])("%s", async (version) => {
    const text = JSON.stringify({ ...review, apiVersion: `admission.k8s.io/${version}` }, null, 2);
    const { reviews, manifests, issues } = await loadText(text, "r.json");
    expect([manifests, issues]).toEqual([[], []]);
    expect(reviews).toMatchObject([
      {
        uid: "u1",
        request: { operation: "CREATE", name: "a", userInfo: { username: "jane" } },
        response: { allowed: false },
      },
    ]);
    const { objectOrigin } = reviews[0]!;
    expect(objectOrigin.lineText(objectOrigin.positionOf(["metadata", "name"])!.line)).toContain('"name": "a"');
  });

  test("without a response", async () => {
    const { response: _, ...asked } = review;
    expect((await loadText(JSON.stringify(asked))).reviews[0]!.response).toBeUndefined();
  });
});

test("an aborted run ends", async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(load(["f.yaml"], { files: { "f.yaml": pod("a") }, signal: controller.signal })).rejects.toThrow();
});

test("a signing request is read as the CertificateRequest that would carry it", async () => {
  const csr = "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n";
  const { manifests, issues, notes } = await loadManifests(
    ["My Web.csr"],
    {},
    testIo({ files: { "My Web.csr": csr } }),
  );
  expect(issues).toEqual([]);
  expect(notes).toMatchObject([{ file: "My Web.csr", message: 'read as a CertificateRequest for issuer "issuer"' }]);
  expect(manifests.map(({ object }) => object)).toMatchObject([
    { kind: "CertificateRequest", metadata: { name: "my-web" }, spec: { request: btoa(csr) } },
  ]);
  const named = await loadManifests(
    ["a.csr"],
    { issuer: { kind: "ClusterIssuer", name: "ca" } },
    testIo({ files: { "a.csr": csr } }),
  );
  expect(named.manifests[0]?.object.spec).toMatchObject({ issuerRef: { kind: "ClusterIssuer", name: "ca" } });
  expect(named.notes).toEqual([{ file: "a.csr", message: 'read as a CertificateRequest for ClusterIssuer "ca"' }]);
});
