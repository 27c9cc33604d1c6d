// `celadon mcp` as an assistant meets it: the installed command as a process, and the reference SDK's client on the other side.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { BIN, bundle, ROOT } from "./run.testing.ts";

const SECRET = "hunter2-outside";

/** A workspace with the example policy, a link that leads out, and a secret outside. */
function workspace(): string {
  const directory = mkdtempSync(join(tmpdir(), "celadon-mcp-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "secret.yaml"), `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${SECRET} }\n`);
  const inside = join(directory, "inside");
  mkdirSync(inside);
  symlinkSync(join(directory, "secret.yaml"), join(inside, "link.yaml"));
  writeFileSync(join(inside, "pod.yaml"), POD);
  return inside;
}

const POD = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: web, image: "web:latest" }] }
`;

async function connected(cwd: string, ...flags: readonly string[]): Promise<Client> {
  await bundle();
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp", ...flags], cwd, stderr: "pipe" }),
  );
  return client;
}

async function call(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [{ text }] = content as [{ text: string }];
  return { text, isError: isError === true };
}

test("tools and documents are listed, and a document is read", async () => {
  const client = await connected(ROOT);
  expect(client.getServerVersion()).toMatchObject({ name: "celadon" });
  const { tools } = await client.listTools();
  const names = ["check", "explain", "test", "lint", "cost", "prove", "mutate", "eval", "catalogue"];
  expect(tools.map(({ name }) => name)).toEqual(names);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain("celadon://reference/test-format.md");
  const { contents } = await client.readResource({ uri: "celadon://reference/test-format.md" });
  expect(contents[0]).toMatchObject({ mimeType: "text/markdown", text: expect.stringContaining("# Test suites") });
  await expect(client.readResource({ uri: "celadon://../../package.json" })).rejects.toThrow("no resource");
});

test("every tool answers", async () => {
  const client = await connected(ROOT, "--allow", "examples/trusted-images");
  const paths = ["policy.yaml", "pod.yaml"];
  // biome-ignore format: a tool per line
  const answers = await Promise.all([
    call(client, "check", { paths }),
    call(client, "explain", { paths, objects: ["Pod/checkout"], policies: ["trusted-images"] }),
    call(client, "test", { paths: ["."] }),
    call(client, "lint", { paths, format: "json" }),
    call(client, "cost", { paths }),
    call(client, "prove", { paths: ["policy.yaml"] }),
    call(client, "mutate", { manifests: POD }),
    call(client, "eval", { expression: "object.metadata.name + '!'", object: POD }),
    call(client, "catalogue", {}),
  ]);
  expect(answers.filter(({ isError }) => isError)).toEqual([]);
  // biome-ignore format: a tool per line
  const expected = [
    "images must come from registry.example.com",
    "decided by spec.containers[1]",
    "PASS  8 passed",
    '"kind": "LintReport"',
    "all within limits",
    "validations[1] can be false",
    "name: web",
    "web!",
    "no-latest-tag",
  ];
  for (const [i, { text }] of answers.entries()) expect(text).toContain(expected[i]);
});

test("a policy is written test-first: a mutant that no case detects, then none", async () => {
  const cwd = workspace();
  const client = await connected(cwd);
  writeFileSync(join(cwd, "policy.yaml"), NO_LATEST);
  writeFileSync(join(cwd, "tests.yaml"), SUITE);
  const first = await call(client, "test", { paths: ["tests.yaml"], mutation: true });
  expect(first).toMatchObject({ text: expect.stringContaining("SURVIVED: string-test-changed"), isError: false });
  writeFileSync(join(cwd, "tests.yaml"), `${SUITE}${CASE}`);
  const second = await call(client, "test", { paths: ["tests.yaml"], mutation: true });
  expect(second.text).not.toContain("SURVIVED: string-test-changed");
});

test("nothing outside is read: by paths, links, suites, or what looks like a flag", async () => {
  const cwd = workspace();
  const client = await connected(cwd);
  writeFileSync(join(cwd, "tests.yaml"), SUITE.replace("policy.yaml", "../secret.yaml"));
  // biome-ignore format: an attempt per line
  const attempts = await Promise.all([
    call(client, "check", { paths: ["../secret.yaml"] }),
    call(client, "check", { paths: ["link.yaml"] }),
    call(client, "check", { paths: ["."] }),
    call(client, "lint", { paths: [join(cwd, "../secret.yaml")] }),
    call(client, "test", { paths: ["tests.yaml"] }),
    call(client, "test", { paths: ["--allow-outside", "tests.yaml"] }),
    call(client, "check", { manifests: POD, user: "x --old=../secret.yaml" }),
    call(client, "explain", { manifests: POD, objects: ["--old=../secret.yaml"] }),
    call(client, "eval", { expression: "--object=../secret.yaml" }),
  ]);
  for (const { text } of attempts) expect(text).not.toContain(SECRET);
  expect(attempts[0]).toMatchObject({
    text: expect.stringContaining(`files are read below ${realpathSync(cwd)} only`),
    isError: true,
  });
});

test("unknown inputs and unknown tools", async () => {
  const client = await connected(ROOT);
  const wrong = await call(client, "check", { manifests: POD, output: "x" });
  expect(wrong).toMatchObject({ text: expect.stringContaining('unknown property "output"'), isError: true });
  expect(await call(client, "check", {})).toMatchObject({ text: "give manifests, paths or both", isError: true });
  expect(await call(client, "test", { paths: "." })).toMatchObject({ text: "paths must be a list of strings" });
  await expect(client.callTool({ name: "up", arguments: {} })).rejects.toThrow('no tool "up"');
});

test("an answer that takes too long ends, and the next one comes", async () => {
  const client = await connected(ROOT, "--timeout", "1");
  const nested = `[${"1,".repeat(300)}1]`;
  const expression = `${nested}.all(a, ${nested}.all(b, ${nested}.all(c, ${nested}.all(d, a + b + c + d > 0))))`;
  const slow = await call(client, "prove", { paths: ["apps/cli/catalogue"] });
  expect(slow).toMatchObject({ text: expect.stringContaining("no answer within 1 s"), isError: true });
  const bounded = await call(client, "eval", { expression });
  expect(bounded.isError || bounded.text.includes("cost")).toBe(true);
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
});

const NO_LATEST = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: no-latest }
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE] }
  validations:
  - { expression: "object.spec.containers.all(c, !c.image.endsWith(':latest'))", message: no latest }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: no-latest }
spec: { policyName: no-latest, validationActions: [Deny] }
`;

const SUITE = `apiVersion: celadon.dev/v1
kind: TestSuite
resources: [policy.yaml]
objects: [pod.yaml]
tests:
- { name: latest, object: web, expect: deny }
`;

const CASE = `- name: latest in the middle
  object: web
  patch: [{ op: replace, path: /spec/containers/0/image, value: "web:latest-1" }]
  expect: allow
`;
