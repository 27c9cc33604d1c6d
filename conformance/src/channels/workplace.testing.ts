// A directory as a runner of CI has it: a git repository with manifests, and programs that record how they were called.

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BIN, folder, ROOT } from "../../../apps/cli/src/e2e/run.testing.ts";

export { bundle, folder, program, type Ran, ROOT } from "../../../apps/cli/src/e2e/run.testing.ts";

export const text = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Programs that come before those of the machine. Each is a shell script; `celadon` is the bundle. */
export function programs(scripts: Readonly<Record<string, string>> = {}): string {
  const all = { celadon: `exec "${process.execPath}" "${BIN}" "$@"`, ...scripts };
  const directory = folder();
  for (const [name, script] of Object.entries(all)) {
    writeFileSync(join(directory, name), `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(join(directory, name), 0o755);
  }
  return directory;
}

export const pathWith = (directory: string): string => `${directory}:${process.env.PATH}`;

/** Writes files and commits them. */
export function commit(cwd: string, files: Readonly<Record<string, string>>): void {
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), data);
  }
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
  const git = (...argv: readonly string[]): unknown => execFileSync("git", [...who, ...argv], { cwd, stdio: "pipe" });
  if (!existsSync(join(cwd, ".git"))) git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "files");
}

/** The example of a policy that denies a pod. */
export const POLICY: string = text("examples/trusted-images/policy.yaml");
export const POD: string = text("examples/trusted-images/pod.yaml");
