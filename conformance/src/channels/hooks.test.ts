// The hooks of pre-commit, run by pre-commit itself where it is installed: `pip install pre-commit`, or CELADON_PRE_COMMIT names it.

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { bundle, commit, folder, POD, POLICY, pathWith, program, programs, ROOT, text } from "./workplace.testing.ts";

interface Hook {
  readonly id: string;
  readonly entry: string;
}

const PRE_COMMIT = process.env.CELADON_PRE_COMMIT ?? "pre-commit";
const isInstalled = spawnSync(PRE_COMMIT, ["--version"]).status === 0;
if (!isInstalled) console.warn("pre-commit is not installed: its hooks are tested without it");

beforeAll(bundle);

const HOOKS = parse(text(".pre-commit-hooks.yaml")) as readonly Hook[];

test.each(HOOKS)("$id runs a file that is there and executable", ({ entry }) => {
  const [path] = entry.split(" ");
  const listed = execFileSync("git", ["ls-files", "--stage", path!], { cwd: ROOT, encoding: "utf8" });
  expect(listed === "" || listed.startsWith("100755 ")).toBe(true);
});

test("without a command of its own, the version of the tag runs", async () => {
  const own = programs({ npx: 'echo "npx $*"' });
  const hook = join(ROOT, "scripts/hooks/celadon.mjs");
  const { stdout } = await program(process.execPath, [hook, "lint", "a b"], {
    cwd: folder(),
    env: { PATH: pathWith(own) },
  });
  const { version } = JSON.parse(text("apps/cli/package.json")) as { version: string };
  expect(stdout).toBe(`npx --yes @celadon/cli@${version} lint a b\n`);
});

/** A repository of the hooks as a tag of this one, and one that uses it, with the command as a development dependency. */
function repositories(): { readonly cwd: string; readonly home: string } {
  const hooks = folder();
  const script = "scripts/hooks/celadon.mjs";
  mkdirSync(dirname(join(hooks, script)), { recursive: true });
  copyFileSync(join(ROOT, script), join(hooks, script));
  chmodSync(join(hooks, script), 0o755);
  commit(hooks, {
    ".pre-commit-hooks.yaml": text(".pre-commit-hooks.yaml"),
    "apps/cli/package.json": text("apps/cli/package.json"),
  });
  const rev = execFileSync("git", ["rev-parse", "HEAD"], { cwd: hooks, encoding: "utf8" }).trim();
  const cwd = folder();
  commit(cwd, {
    ".gitignore": "node_modules\n",
    ".pre-commit-config.yaml": stringify({ repos: [{ repo: hooks, rev, hooks: HOOKS.map(({ id }) => ({ id })) }] }),
    "policies/policy.yaml": POLICY,
    "policies/tests.yaml": text("examples/trusted-images/tests.yaml"),
    "pod.yaml": POD,
  });
  mkdirSync(join(cwd, "node_modules/@celadon"), { recursive: true });
  symlinkSync(join(ROOT, "apps/cli"), join(cwd, "node_modules/@celadon/cli"));
  return { cwd, home: folder() };
}

test.skipIf(!isInstalled)("pre-commit runs them", { timeout: 120_000 }, async () => {
  const { cwd, home } = repositories();
  const run = (id: string): ReturnType<typeof program> =>
    program(PRE_COMMIT, ["run", "--all-files", "--color=never", id], {
      cwd,
      env: { PRE_COMMIT_HOME: home, HOME: home },
    });
  const check = await run("celadon-check");
  expect(check.code).toBe(1);
  expect(check.stdout).toContain("images must come from registry.example.com");
  expect((await run("celadon-lint")).stdout).toMatch(/celadon lint\.+Passed/);
  const before = readFileSync(join(cwd, "policies/policy.yaml"), "utf8");
  const fmt = await run("celadon-fmt");
  expect(fmt.stdout).toMatch(readFileSync(join(cwd, "policies/policy.yaml"), "utf8") === before ? /Passed/ : /Failed/);
  expect((await run("celadon-test")).stdout).toMatch(/celadon test\.+Passed/);
});
