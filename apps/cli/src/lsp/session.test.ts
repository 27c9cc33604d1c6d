// Sessions over standard input and output with the built command, as editors have them.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { TestClient } from "./client.testing.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE] }
  variables:
  - name: count
    expression: object.spec.replicas
  validations:
  - expression: "'😀' != '' && variables.count <= 5"
    message: too many
`;
const BINDING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: everywhere }
spec: { policyName: replicas, validationActions: [Deny] }
`;
const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 9
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:1" }] }
`;

interface Workspace {
  readonly folder: string;
  uri(name: string): string;
}

function workspace(files: Readonly<Record<string, string>>): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "celadon-lsp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { folder, uri: (name) => pathToFileURL(join(folder, name)).href };
}

async function started(
  folder: string,
  capabilities: object,
  options: object = {},
): Promise<{ client: TestClient; server: Record<string, unknown> }> {
  const client = await TestClient.start();
  const uri = pathToFileURL(folder).href;
  const { capabilities: server } = await client.ask<{ capabilities: Record<string, unknown> }>("initialize", {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders: [{ uri, name: "w" }],
    capabilities,
    initializationOptions: options,
  });
  client.notify("initialized");
  return { client, server };
}

function opened(client: TestClient, uri: string, text: string): void {
  client.notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: 1, text } });
}

/** The position in front of a piece of a text, in UTF-16. */
function position(text: string, piece: string, into = 0): { line: number; character: number } {
  const before = text.slice(0, text.indexOf(piece) + into);
  const line = before.split("\n").length - 1;
  return { line, character: before.length - (before.lastIndexOf("\n") + 1) };
}

const ALL = {
  textDocument: {
    completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown"] } },
    hover: { contentFormat: ["markdown"] },
    diagnostic: {},
  },
  workspace: {
    workspaceEdit: { documentChanges: true, resourceOperations: ["create"] },
    diagnostics: { refreshSupport: true },
  },
  general: { positionEncodings: ["utf-16", "utf-8"] },
};

test("a client with everything: each request in turn", async () => {
  const { folder, uri } = workspace({ "policy.yaml": POLICY, "binding.yaml": BINDING, "web.yaml": WEB });
  const { client, server } = await started(folder, ALL, { commands: true, formatting: true, folding: true });
  expect(server).toMatchObject({ positionEncoding: "utf-16", diagnosticProvider: { interFileDependencies: true } });
  const policy = uri("policy.yaml");
  opened(client, policy, POLICY);
  opened(client, uri("web.yaml"), WEB);
  await client.until(({ method }) => method === "workspace/diagnostic/refresh");
  const at = (piece: string, into = 0) => ({ textDocument: { uri: policy }, position: position(POLICY, piece, into) });

  const completion = await client.ask<{ items: { label: string; textEdit: { newText: string } }[] }>(
    "textDocument/completion",
    at("variables.count <=", 10),
  );
  expect(completion.items[0]?.label).toBe("count");

  const hover = await client.ask<{ contents: { value: string }; range: object }>(
    "textDocument/hover",
    at("count <= 5"),
  );
  expect(hover.contents.value).toMatch(/variables\.count: int[\s\S]*`variables\.count` = `9` for Deployment web/);
  expect(hover.range).toEqual({ start: position(POLICY, "count <= 5"), end: position(POLICY, "count <= 5", 5) });

  const definition = await client.ask<{ uri: string }[]>("textDocument/definition", at("count <= 5"));
  expect(definition).toEqual([
    { uri: policy, range: { start: position(POLICY, "count\n"), end: position(POLICY, "count\n", 5) } },
  ]);
  const references = await client.ask<object[]>("textDocument/references", {
    ...at("replicas }"),
    context: { includeDeclaration: true },
  });
  expect(references.length).toBe(2);
  const highlights = await client.ask<object[]>("textDocument/documentHighlight", at("count <= 5"));
  expect(highlights.length).toBe(2);

  expect(await client.ask("textDocument/prepareRename", at("count <= 5"))).toMatchObject({ placeholder: "count" });
  const rename = await client.ask<{ documentChanges: { edits: { newText: string }[] }[] }>("textDocument/rename", {
    ...at("count <= 5"),
    newName: "n",
  });
  expect(rename.documentChanges[0]?.edits.map(({ newText }) => newText)).toEqual(["n", "n"]);
  expect(
    (await client.tryAsk("textDocument/rename", { ...at("count <= 5"), newName: "no way" })).error?.message,
  ).toMatch(/not a CEL name/);

  const symbols = await client.ask<{ name: string; children: { name: string }[] }[]>("textDocument/documentSymbol", {
    textDocument: { uri: policy },
  });
  expect(symbols.map(({ name, children }) => [name, children.map((child) => child.name)])).toEqual([
    ["ValidatingAdmissionPolicy replicas", ["count", "too many"]],
  ]);

  const found = await client.ask<{ name: string; location: { uri: string } }[]>("workspace/symbol", {
    query: "polrep",
  });
  expect(found.map(({ name, location }) => [name, location.uri])).toContainEqual([
    "ValidatingAdmissionPolicy replicas",
    policy,
  ]);
  expect(await client.ask("workspace/symbol", { query: "no such thing" })).toEqual([]);

  const tokens = await client.ask<{ resultId: string; data: number[] }>("textDocument/semanticTokens/full", {
    textDocument: { uri: policy },
  });
  expect(tokens.data.length % 5).toBe(0);
  expect(tokens.data.length).toBeGreaterThan(40);
  const delta = await client.ask<{ edits: object[] }>("textDocument/semanticTokens/full/delta", {
    textDocument: { uri: policy },
    previousResultId: tokens.resultId,
  });
  expect(delta.edits).toEqual([]);
  const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const some = await client.ask<{ data: number[] }>("textDocument/semanticTokens/range", {
    textDocument: { uri: policy },
    range: whole,
  });
  expect(some.data).toEqual(tokens.data);

  expect(await client.ask("textDocument/foldingRange", { textDocument: { uri: policy } })).toEqual([]);
  const hints = await client.ask<{ label: string }[]>("textDocument/inlayHint", {
    textDocument: { uri: policy },
    range: whole,
  });
  expect(hints.map(({ label }) => label)).toEqual([": int"]);
  expect(
    await client.ask("textDocument/formatting", {
      textDocument: { uri: policy },
      options: { tabSize: 2, insertSpaces: true },
    }),
  ).toEqual([]);
  const lenses = await client.ask<{ command: { title: string; command: string } }[]>("textDocument/codeLens", {
    textDocument: { uri: policy },
  });
  expect(lenses.map(({ command }) => command.title)[0]).toBe("denies 1 of the 1 object it matches");
  expect(lenses.at(-1)?.command.command).toBe("celadon.explain");

  const web = uri("web.yaml");
  const pulled = await client.ask<{
    items: { code: string; range: object; relatedInformation: { location: { uri: string } }[] }[];
  }>("textDocument/diagnostic", { textDocument: { uri: web } });
  expect(pulled.items).toMatchObject([
    { code: "denied", range: { start: position(WEB, "9") }, relatedInformation: [{ location: { uri: policy } }] },
  ]);
  const range = { start: position(WEB, "9"), end: position(WEB, "9", 1) };
  const actions = await client.ask<{ title: string; edit: { documentChanges: object[] } }[]>(
    "textDocument/codeAction",
    { textDocument: { uri: web }, range, context: { diagnostics: [] } },
  );
  expect(actions.map(({ title }) => title)).toEqual([
    "Set spec.replicas to 5: would be allowed",
    "Add tests for both sides of this verdict",
    "Show values for Deployment web in policies",
  ]);
  expect(actions[1]?.edit.documentChanges[0]).toMatchObject({ kind: "create", uri: uri("policy-tests.yaml") });

  const signature = await client.ask("textDocument/signatureHelp", at("count <= 5"));
  expect(signature).toBeNull();
  expect(await client.stop()).toBe(0);
});

test("a client that supports it gets diagnostics of files that are not open", async () => {
  const { folder, uri } = workspace({ "policy.yaml": POLICY, "binding.yaml": BINDING, "web.yaml": WEB });
  const { client } = await started(folder, ALL, {});
  const told = async (isRight: (codes: readonly string[]) => boolean): Promise<void> => {
    await client.until(({ method, params }) => {
      const { uri: file, diagnostics } = (params ?? {}) as { uri?: string; diagnostics?: { code: string }[] };
      const isAbout = method === "textDocument/publishDiagnostics" && file === uri("web.yaml");
      return isAbout && isRight((diagnostics ?? []).map(({ code }) => code));
    });
  };
  opened(client, uri("policy.yaml"), POLICY);
  await told((codes) => codes.includes("denied"));
  opened(client, uri("web.yaml"), WEB);
  await told((codes) => codes.length === 0);
});

test("a client with nothing: pushed diagnostics, plain text, and changes in between", async () => {
  const { folder, uri } = workspace({ "binding.yaml": BINDING, "web.yaml": WEB });
  const { client, server } = await started(folder, {});
  expect(server.diagnosticProvider).toBeUndefined();
  expect(server.documentFormattingProvider).toBeUndefined();
  const policy = uri("policy.yaml");
  opened(client, policy, POLICY.replace("variables.count", "variables.cuont"));
  await client.pushed(policy, (codes) => codes.includes("compile_error"));
  const start = position(POLICY, "count <= 5");
  const end = { ...start, character: start.character + 5 };
  client.notify("textDocument/didChange", {
    textDocument: { uri: policy, version: 2 },
    contentChanges: [{ range: { start, end }, text: "count" }],
  });
  expect(await client.pushed(policy, (codes) => codes.length === 0)).toEqual([]);
  // A file that nobody opened gets its verdict too.
  expect(await client.pushed(uri("web.yaml"), (codes) => codes.length > 0)).toEqual(["denied"]);
  const completion = await client.ask<{
    items: { label: string; insertTextFormat?: number; textEdit: { newText: string } }[];
  }>("textDocument/completion", {
    textDocument: { uri: policy },
    position: position(POLICY, "variables.count <="),
  });
  expect(
    completion.items.every(
      ({ insertTextFormat, textEdit }) => insertTextFormat === undefined && !textEdit.newText.includes("$"),
    ),
  ).toBe(true);
  // Deleted on disk, it is gone for policies as well.
  rmSync(join(folder, "binding.yaml"));
  client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: uri("binding.yaml"), type: 3 }] });
  expect(await client.pushed(uri("web.yaml"), (codes) => codes.length === 0)).toEqual([]);
  expect(await client.stop()).toBe(0);
});

test("columns in bytes, for a client that knows no other", async () => {
  const { folder, uri } = workspace({});
  const { client, server } = await started(folder, { general: { positionEncodings: ["utf-8"] } });
  expect(server.positionEncoding).toBe("utf-8");
  const policy = uri("policy.yaml");
  opened(client, policy, POLICY);
  const utf16 = position(POLICY, "variables.count <=", 10);
  const found = await client.ask<{ items: { label: string; textEdit: { range: { start: object } } }[] }>(
    "textDocument/completion",
    {
      textDocument: { uri: policy },
      position: { ...utf16, character: utf16.character + 2 },
    },
  );
  expect(found.items[0]).toMatchObject({
    label: "count",
    textEdit: { range: { start: { ...utf16, character: utf16.character + 2 } } },
  });
  expect(await client.stop()).toBe(0);
});

test("questions about files that are not there, and exit without shutdown", async () => {
  const { folder } = workspace({});
  const { client } = await started(folder, ALL);
  const nowhere = { textDocument: { uri: "untitled:x" }, position: { line: 9, character: 9 } };
  for (const method of ["completion", "hover", "definition", "references", "signatureHelp", "prepareRename"]) {
    expect(
      await client.ask(`textDocument/${method}`, { ...nowhere, context: { includeDeclaration: true } }),
    ).toBeNull();
  }
  for (const method of ["documentSymbol", "codeLens"])
    expect(await client.ask(`textDocument/${method}`, nowhere)).toEqual([]);
  client.notify("exit", null);
  expect(await client.exited).toBe(1);
});
