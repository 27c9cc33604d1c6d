// A real editor: Neovim without a screen starts the server, shows its diagnostics, and asks for completion and hover. Debian's is old (0.7)
// and supports little of the protocol, which makes it a good test.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BIN, bundle } from "../e2e/run.testing.ts";

const version = spawnSync("nvim", ["--version"], { encoding: "utf8" }).stdout?.split("\n")[0] ?? "";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE] }
  validations:
  - expression: |
      '😀' != '' && object.spec.replcas <= 5
`;

const SCRIPT = `
local folder, out, node, bin = unpack(vim.fn.json_decode(vim.env.CELADON_TEST))
vim.cmd('edit ' .. folder .. '/policy.yaml')
local id = vim.lsp.start_client({ name = 'celadon', cmd = { node, bin, 'lsp' }, root_dir = folder })
vim.lsp.buf_attach_client(0, id)
vim.wait(20000, function() return #vim.diagnostic.get(0) > 1 end, 50)
local found = {}
for _, one in ipairs(vim.diagnostic.get(0)) do
  local text = vim.api.nvim_buf_get_lines(0, one.lnum, one.lnum + 1, false)[1]
  table.insert(found, one.code .. ' ' .. text:sub(one.col + 1, one.end_col))
end
local line = vim.api.nvim_buf_get_lines(0, 9, 10, false)[1]
local _, utf16 = vim.str_utfindex(line, line:find('spec%.') + 4)
local params = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 9, character = utf16 } }
local completion = vim.lsp.buf_request_sync(0, 'textDocument/completion', params, 10000)[id].result
local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 10000)[id].result
local labels = {}
for i = 1, 3 do table.insert(labels, completion.items[i].label) end
local actions = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', {
  textDocument = params.textDocument, range = { start = params.position, ['end'] = params.position }, context = { diagnostics = {} },
}, 10000)[id].result
local titles = {}
for _, one in ipairs(actions) do table.insert(titles, one.title) end
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
local after = vim.api.nvim_buf_get_lines(0, 9, 10, false)[1]
vim.fn.writefile({ vim.fn.json_encode({ diagnostics = found, labels = labels, hover = hover.contents, titles = titles, after = after }) }, out)
vim.cmd('qa!')
`;

/** Runs a script in a folder with the policy; returns its output. */
async function run(script: string, init: string, object = ""): Promise<Record<string, unknown>> {
  await bundle();
  const folder = mkdtempSync(join(tmpdir(), "celadon-nvim-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = { "policy.yaml": POLICY, "object.yaml": object, "script.lua": script, "init.lua": init };
  for (const [name, text] of Object.entries(files)) if (text !== "") writeFileSync(join(folder, name), text);
  const command = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
  writeFileSync(join(folder, "celadon"), command, { mode: 0o755 });
  const out = join(folder, "out.json");
  execFileSync("nvim", ["--headless", "-u", "init.lua", "-i", "NONE", "-c", "luafile script.lua"], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${folder}:${process.env.PATH}`,
      CELADON_TEST: JSON.stringify([folder, out, process.execPath, BIN]),
      XDG_STATE_HOME: folder,
      XDG_DATA_HOME: folder,
    },
    timeout: 60_000,
    stdio: "ignore",
  });
  return JSON.parse(readFileSync(out, "utf8")) as Record<string, unknown>;
}

test.skipIf(version === "")("Neovim: diagnostics, completion, hover and a fix", async () => {
  const found = await run(SCRIPT, "-- nothing\n");
  expect(found.diagnostics).toEqual(expect.arrayContaining(["type_mismatch replcas", "policy_without_binding p"]));
  expect(found.labels).toContain("replicas");
  expect(JSON.stringify(found.hover)).toContain("object.spec.replcas");
  expect((found.titles as string[])[0]).toBe('Change to "replicas"');
  expect(found.after).toBe("      '😀' != '' && object.spec.replicas <= 5");
});

const OBJECT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
`;

const TWO_FILES = `
local _, out = unpack(vim.fn.json_decode(vim.env.CELADON_TEST))
vim.cmd('filetype on')
vim.cmd('edit policy.yaml')
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local found = #vim.diagnostic.get(0)
vim.cmd('edit object.yaml')
local clients = vim.lsp.buf_get_clients(0)
vim.fn.writefile({ vim.fn.json_encode({ found = found, own = vim.tbl_count(clients), all = #vim.lsp.get_active_clients() }) }, out)
vim.cmd('qa!')
`;

test.skipIf(version === "")("Neovim as its page sets it up: one server for all files", async () => {
  const page = readFileSync(new URL("../../../../docs/guides/editor-neovim.md", import.meta.url), "utf8");
  const older = /For older versions.*?```lua\n(.*?)```/s.exec(page)?.[1];
  const found = await run(TWO_FILES, older!, OBJECT);
  expect(found).toMatchObject({ own: 1, all: 1 });
  expect(found.found).toBeGreaterThan(0);
});

test.runIf(version === "")("no Neovim here: it was not started", () => expect(version).toBe(""));
