// A real editor: Neovim without a screen starts the server, shows its diagnostics, and asks for completion and hover. Debian's is old
// (0.7) and knows little of the protocol, which is what it is good for here.

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

test.skipIf(version === "")("Neovim: diagnostics, completion, hover and a fix", async () => {
  await bundle();
  const folder = mkdtempSync(join(tmpdir(), "celadon-nvim-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "policy.yaml"), POLICY);
  writeFileSync(join(folder, "script.lua"), SCRIPT);
  const out = join(folder, "out.json");
  execFileSync("nvim", ["--headless", "-u", "NONE", "-i", "NONE", "-c", `luafile ${join(folder, "script.lua")}`], {
    env: {
      ...process.env,
      CELADON_TEST: JSON.stringify([folder, out, process.execPath, BIN]),
      XDG_STATE_HOME: folder,
      XDG_DATA_HOME: folder,
    },
    timeout: 60_000,
    stdio: "ignore",
  });
  const found = JSON.parse(readFileSync(out, "utf8")) as Record<string, unknown>;
  expect(found.diagnostics).toEqual(expect.arrayContaining(["type_mismatch replcas", "policy_without_binding p"]));
  expect(found.labels).toContain("replicas");
  expect(JSON.stringify(found.hover)).toContain("object.spec.replcas");
  expect((found.titles as string[])[0]).toBe('Change to "replicas"');
  expect(found.after).toBe("      '😀' != '' && object.spec.replicas <= 5");
});

test.runIf(version === "")("no Neovim here: it was not started", () => expect(version).toBe(""));
