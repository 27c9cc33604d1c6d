import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findEtcd, startEtcd } from "@celadon/storage/testing";
import { expect, onTestFinished, test } from "vitest";
import { runLine, testIo } from "../io.testing.ts";
import { run } from "../run.ts";
// Loaded before the clock of a test runs.
import "./up.ts";

/** People look at it. */
const people = { terminal: 120, env: { NO_COLOR: "1" } };

const directory = (): string => mkdtempSync(join(tmpdir(), "celadon-up-"));

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
};

test("runs until it is stopped; objects and keys are kept", async () => {
  const data = directory();
  const first = new AbortController();
  const io = testIo({
    ...people,
    signal: first.signal,
    files: {
      "a.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: Bad}\n",
    },
  });
  const running = run(["up", "--data-dir", data, "--port", "0", "-f", "a.yaml"], io);
  await until(() => io.stdout.includes("KUBECONFIG"));
  expect(io.stdout).toMatch(/^Kubernetes API at https:\/\/127\.0\.0\.1:\d+, ready after/);
  expect(io.stdout).toContain(`export KUBECONFIG=${data}/kubeconfig`);
  expect(io.stderr).toContain("configmap/kept created\n");
  expect(io.stderr).toMatch(/secret\/Bad rejected: Secret "Bad" is invalid/);
  first.abort();
  expect(await running).toBe(0);
  const authority = readFileSync(join(data, "pki/ca.crt"), "utf8");

  const second = new AbortController();
  const again = testIo({
    ...people,
    signal: second.signal,
    files: { "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\n" },
  });
  const restarted = run(["up", "--data-dir", data, "--port", "0", "-f", "a.yaml"], again);
  await until(() => again.stdout.includes("KUBECONFIG"));
  expect(again.stderr).toContain("configmap/kept unchanged\n");
  expect(readFileSync(join(data, "pki/ca.crt"), "utf8")).toBe(authority);
  second.abort();
  await restarted;
  rmSync(data, { recursive: true });
});

test("invalid combinations of flags are reported at once", async () => {
  const own = directory();
  const everybodys = join(own, "everybodys");
  mkdirSync(everybodys);
  chmodSync(everybodys, 0o777);
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  const cases = [
    [["up", "--memory", "--etcd-servers", "http://127.0.0.1:1"], "--memory and --etcd-servers cannot be used together"],
    [["up", "--data-dir", own, "--etcd-servers", "127.0.0.1:2379"], "is not an etcd endpoint"],
    [["up", "--data-dir", own, "--etcd-servers", "https://127.0.0.1:1", "--etcd-cafile", "none.crt"], "none.crt"],
    [["up", "--data-dir", own, "--etcd-servers", "https://127.0.0.1:1", "--etcd-certfile", "a"], "--etcd-keyfile"],
    [["up", "--data-dir", own, "--etcd-servers", "https://127.0.0.1:1", "--etcd-user", "a"], "CELADON_ETCD_PASSWORD"],
    [["up", "--data-dir", everybodys], "other users may write"],
    [["up", "--memory", "--watch"], "--watch needs files to watch"],
    [["up", "--memory", "--authorization", "None"], "--authorization"],
    [["up", "--memory", "--port", "99999"], "--port"],
    [["up", "--memory", "--without-controller", "gc"], "unknown controller 'gc'"],
    [["up", "--memory", "--disable-admission-plugins", "Nope"], "unknown admission plugin 'Nope'"],
    [["up", "--memory", "--token-auth-file", "none.csv"], "cannot read none.csv"],
    [["up", "--memory", "--request-timeout", "0"], "--request-timeout"],
    [["up", "--memory", "--client-ca-file", import.meta.filename], "holds no certificate in PEM"],
    [["up", "--memory", "--audit-policy", "p.yaml"], "--audit-policy needs --audit-log"],
  ] as const;
  for (const [line, want] of cases) {
    const { code, stderr } = await runLine(line);
    expect([code, stderr.includes(want)], stderr).toEqual([2, true]);
  }
});

test("without a terminal every line of the log is JSON; colours are for the output that is a terminal", async () => {
  const stop = new AbortController();
  const files = { "a.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: Bad}\n" };
  const io = testIo({ signal: stop.signal, files });
  const running = run(["up", "--memory", "--port", "0", "-f", "a.yaml"], io);
  await until(() => io.stdout.includes("KUBECONFIG"));
  stop.abort();
  expect(await running).toBe(0);
  const lines = io.stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
    "info objects are in memory; they are lost when the server stops",
    expect.stringMatching(/^error secret\/Bad rejected: Secret "Bad" is invalid/),
    "info stopping: requests finish, watches close",
  ]);

  const half = new AbortController();
  const mixed = testIo({ terminal: 80, signal: half.signal });
  const piped = run(
    ["up", "--memory", "--port", "0"],
    Object.assign(mixed, { out: { ...mixed.out, isTerminal: false } }),
  );
  await until(() => mixed.stdout.includes("KUBECONFIG"));
  half.abort();
  await piped;
  expect(mixed.stdout).not.toContain("\u001b");
});

test("a server in memory leaves nothing behind", async () => {
  const stop = new AbortController();
  const io = testIo({ signal: stop.signal });
  const running = run(["up", "--memory", "--port", "0", "-q"], io);
  await until(() => io.stdout.includes("KUBECONFIG"));
  const kubeconfig = /KUBECONFIG=(\S+)/.exec(io.stdout)![1]!;
  expect(existsSync(kubeconfig)).toBe(true);
  stop.abort();
  expect(await running).toBe(0);
  expect(existsSync(kubeconfig)).toBe(false);
});

const labelled = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\ndata: {value: ${value}}\n`;

test("manifests are applied again when their files change, and an error in one does not end the server", async () => {
  const stop = new AbortController();
  const io = testIo({ ...people, signal: stop.signal, files: { "a.yaml": labelled("one") } });
  let changed: (path: string) => void = () => {};
  let watched: readonly string[] = [];
  const files = {
    ...io.files,
    watch: (paths: readonly string[], listener: (path: string) => void) => {
      watched = paths;
      changed = listener;
    },
  };
  const running = run(["up", "--memory", "--port", "0", "-q", "-f", "a.yaml", "--watch"], Object.assign(io, { files }));
  await until(() => watched.length > 0);
  expect(watched).toEqual(["a.yaml"]);
  expect(io.stderr).toContain("configmap/kept created\n");

  await files.write(new Map([["a.yaml", labelled("two")]]));
  // Several changes at once are one.
  for (let i = 0; i < 3; i++) changed("a.yaml");
  await until(() => io.stderr.includes("configmap/kept configured\n"));

  await files.write(new Map([["a.yaml", "kind: [\n"]]));
  changed("a.yaml");
  await until(() => io.stderr.includes("a.yaml"));
  const second = labelled("three").replace("kept", "second");
  await files.write(new Map([["a.yaml", `${labelled("two")}---\n${second}`]]));
  changed("a.yaml");
  await until(() => io.stderr.includes("configmap/second created\n"));
  expect(io.stderr.match(/configmap\/kept configured/g)).toHaveLength(1);
  expect(io.stderr).not.toContain("unchanged");
  stop.abort();
  expect(await running).toBe(0);
});

test.skipIf(findEtcd() === undefined)(
  "two servers share an etcd cluster (skipped where etcd is not installed)",
  async () => {
    const member = await startEtcd();
    const started = async () => {
      const stop = new AbortController();
      const data = directory();
      const io = testIo({ ...people, signal: stop.signal, files: { "a.yaml": labelled("one") } });
      const running = run(
        ["up", "--etcd-servers", member.endpoint, "--data-dir", data, "--port", "0", "-q", "-f", "a.yaml"],
        io,
      );
      await until(() => io.stdout.includes("KUBECONFIG"));
      return {
        io,
        async end() {
          stop.abort();
          expect(await running).toBe(0);
          rmSync(data, { recursive: true });
        },
      };
    };
    const first = await started();
    expect(first.io.stderr).toContain("configmap/kept created\n");
    expect(first.io.stderr).toContain(`objects are in etcd at ${member.endpoint}, below /celadon\n`);
    const second = await started();
    expect(second.io.stderr).toContain("configmap/kept unchanged\n");
    await first.end();
    await second.end();
    await member.remove();
  },
);

test("static manifests come from an admission configuration; without them the server does not start", async () => {
  const data = directory();
  mkdirSync(join(data, "policies"));
  const configuration = join(data, "admission.yaml");
  const write = (manifests: string) =>
    writeFileSync(
      configuration,
      `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: ValidatingAdmissionPolicy
  configuration:
    apiVersion: apiserver.config.k8s.io/v1
    kind: ValidatingAdmissionPolicyConfiguration
    staticManifestsDir: ${manifests}
`,
    );
  writeFileSync(
    join(data, "policies/p.yaml"),
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p.static.k8s.io}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [secrets]}]
  validations: [{expression: "false", message: "no secrets"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b.static.k8s.io}
spec: {policyName: p.static.k8s.io, validationActions: [Deny]}
`,
  );
  const line = [
    "up",
    "--memory",
    "--port",
    "0",
    "-q",
    "--admission-control-config-file",
    configuration,
    "-f",
    "a.yaml",
  ];
  write(join(data, "policies"));
  const stop = new AbortController();
  const io = testIo({
    signal: stop.signal,
    files: { "a.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n" },
  });
  const running = run(line, io);
  await until(() => io.stdout.includes("KUBECONFIG"));
  expect(io.stderr).toContain("denied request: no secrets");
  stop.abort();
  expect(await running).toBe(0);

  for (const [manifests, want] of [
    [join(data, "none"), "no such file or directory"],
    ["policies", "must be an absolute file path"],
  ] as const) {
    write(manifests);
    const { code, stderr } = await runLine(line, { files: { "a.yaml": "" } });
    expect([code, stderr.includes(want)], stderr).toEqual([2, true]);
  }
  rmSync(data, { recursive: true });
});

// Making a directory below procfs with Node's own recursive way never ends.
test.skipIf(!existsSync("/proc/version"))("places where nothing can be written", async () => {
  const cases = [
    ["--data-dir", "/proc/none/data"],
    ["--kubeconfig", "/proc/none/kubeconfig"],
    ["--kubeconfig", "/proc"],
  ];
  for (const flags of cases) {
    const { code, stdout, stderr } = await runLine(["up", "--memory", "--port", "0", ...flags], people);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^celadon: cannot write "\/proc[^"]*": /m);
  }
});

test("a kubeconfig is for its owner alone, and a link stays one", async () => {
  const data = directory();
  const [file, link] = [join(data, "config"), join(data, "link")];
  writeFileSync(file, "old", { mode: 0o644 });
  symlinkSync(file, link);
  const stop = new AbortController();
  const io = testIo({ ...people, signal: stop.signal });
  const running = run(["up", "--memory", "--port", "0", "--kubeconfig", link], io);
  await until(() => io.stdout.includes("KUBECONFIG"));
  stop.abort();
  expect(await running).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("current-context");
  expect([statSync(file).mode & 0o777, lstatSync(link).isSymbolicLink()]).toEqual([0o600, true]);
  expect(readdirSync(data).sort()).toEqual(["config", "link"]);
  rmSync(data, { recursive: true });
});

const configuration = (issuer: string): string =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt: [{issuer: {url: "${issuer}", audiences: [app]}, claimMappings: {username: {claim: sub, prefix: ""}}}]\n`;

test("an authentication configuration is read again when it changes, and an invalid one has no effect", async () => {
  const file = join(directory(), "authentication.yaml");
  writeFileSync(file, configuration("https://127.0.0.1:1"));
  const stop = new AbortController();
  const io = testIo({ ...people, signal: stop.signal });
  const running = run(["up", "--memory", "--port", "0", "--authentication-config", file], io);
  await until(() => io.stdout.includes("KUBECONFIG"));
  writeFileSync(file, configuration("http://127.0.0.1:1"));
  await until(() => io.stderr.includes("URL scheme must be https; the previous configuration stays in force"));
  writeFileSync(file, configuration("https://127.0.0.1:2"));
  await until(() => io.stderr.includes(`${file} is in force`));
  stop.abort();
  expect(await running).toBe(0);
});

// biome-ignore format: one case per line
const invalidFiles = [
  { name: "an insecure issuer", text: configuration("http://a.example"),                                         says: "invalid authentication configuration: jwt[0].issuer.url: Invalid value: \"http://a.example\": URL scheme must be https" },
  { name: "the server's own",   text: configuration("https://kubernetes.default.svc.cluster.local"),             says: "URL must not overlap with disallowed issuers" },
  { name: "another kind",       text: "kind: ConfigMap\napiVersion: v1\n",                                       says: "is no AuthenticationConfiguration" },
  { name: "an egress selector", text: configuration("https://a.example").replace("audiences:", "egressSelectorType: cluster, audiences:"), says: "jwt[0].issuer.egressSelectorType is not supported; remove it" },
];
test.each(invalidFiles)("a server does not start with $name", async ({ text, says }) => {
  const file = join(directory(), "authentication.yaml");
  writeFileSync(file, text);
  const { code, stderr } = await runLine(["up", "--memory", "--port", "0", "--authentication-config", file]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
});

const chain = (authorizers: string): string =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers: ${authorizers}\n`;

// biome-ignore format: one case per line
const invalidChains = [
  { name: "no authorizer",           flags: [],                                  text: chain("[]"),                                says: "invalid authorization configuration: authorizers: Required value" },
  { name: "an authorizer it lacks",  flags: [],                                  text: chain("[{type: ABAC, name: abac}]"),        says: "authorizers of type ABAC are not supported" },
  { name: "an authorization mode",   flags: ["--authorization", "AlwaysAllow"],  text: chain("[{type: RBAC, name: rbac}]"),        says: "--authorization-config cannot be used with an authorization mode" },
];
test.each(invalidChains)("a server does not start with $name in its chain", async ({ flags, text, says }) => {
  const file = join(directory(), "authorization.yaml");
  writeFileSync(file, text);
  const line = ["up", "--memory", "--port", "0", "--authorization-config", file, ...flags];
  const { code, stderr } = await runLine(line);
  expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
});

test("an authorization configuration is read again when it changes, and keeps the server's own authorizers", async () => {
  const file = join(directory(), "authorization.yaml");
  writeFileSync(file, chain("[{type: Node, name: node}, {type: RBAC, name: rbac}]"));
  const stop = new AbortController();
  const io = testIo({ ...people, signal: stop.signal });
  const running = run(["up", "--memory", "--port", "0", "--authorization-config", file], io);
  await until(() => io.stdout.includes("KUBECONFIG"));
  writeFileSync(file, chain("[{type: RBAC, name: rbac}]"));
  await until(() => io.stderr.includes("missing required types: [Node]; the previous configuration stays in force"));
  writeFileSync(file, chain("[{type: RBAC, name: rbac}, {type: Node, name: node}]"));
  await until(() => io.stderr.includes(`${file} is in force`));
  stop.abort();
  expect(await running).toBe(0);
});
