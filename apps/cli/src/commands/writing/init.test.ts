import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { celadon } from "../../e2e/run.testing.ts";

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), "celadon-init-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test("without names, the catalogue", async () => {
  const { stdout, code } = await celadon(["init"]);
  expect(code).toBe(0);
  expect(stdout).toContain("images\n  allowed-registries");
});

test("a category and a policy are written, and their suites pass", async () => {
  const cwd = scratch();
  const { code, stderr } = await celadon(["init", "pod-security-baseline", "allowed-registries", "-d", "p"], { cwd });
  expect(stderr).toContain("set your own values in p/allowed-registries/params.yaml");
  expect(code).toBe(0);
  const tested = await celadon(["test", "p", "-q", "-o", "json"], { cwd });
  expect(tested.code).toBe(0);
  expect(JSON.parse(tested.stdout).summary).toMatchObject({ suites: 13, failed: 0 });
});

test("files that exist are left alone, and nothing else is written", async () => {
  const cwd = scratch();
  await celadon(["init", "no-latest-tag"], { cwd });
  const file = join(cwd, "policies/no-latest-tag/policy.yaml");
  writeFileSync(file, "mine");
  const again = await celadon(["init", "images"], { cwd });
  expect(again.code).toBe(2);
  expect(again.stderr).toMatch(/policies\/no-latest-tag\/policy\.yaml and 1 more already exist\n.*--force/);
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect((await celadon(["test", "policies/allowed-registries"], { cwd })).stderr).toContain("no such file");
  expect((await celadon(["init", "no-latest-tag", "--force"], { cwd })).code).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("kind: ValidatingAdmissionPolicy");
});

test("a slip in a name", async () => {
  const { code, stderr } = await celadon(["init", "no-latest-tags"], { cwd: scratch() });
  expect(code).toBe(2);
  expect(stderr).toContain('no policy or category "no-latest-tags"\n  help: did you mean "no-latest-tag"?');
});
