// The GitHub action, run as its runner runs it: `npm` and `gh` are scripts that record their arguments, everything else is real.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sarifProblems } from "../../../apps/cli/src/output/schemas.testing.ts";
import { type ActionRun, readAction, runAction } from "./composite.testing.ts";
import { bundle, commit, folder, POD, POLICY, pathWith, programs, ROOT } from "./workplace.testing.ts";

beforeAll(bundle);

const MINE = `if [[ "$*" == *"--jq"* ]]; then [ -z "$COMMENTS" ] || echo "$COMMENTS"; exit 0; fi
for word in "$@"; do [[ $word != body=@* ]] || cp "\${word#body=@}" "$CALLS.body"; done
exit "\${GH_EXIT:-0}"`;

interface Done extends ActionRun {
  readonly calls: string;
  readonly body: string;
  readonly cwd: string;
}

async function act(
  given: Readonly<Record<string, string>>,
  { env = {}, number = 7, files = {} as Readonly<Record<string, string>> } = {},
): Promise<Done> {
  const cwd = folder();
  const calls = join(folder(), "calls");
  const record = (name: string): string => `echo "${name} $*" >> "$CALLS"`;
  const own = programs({ npm: record("npm"), gh: `${record("gh")}\n${MINE}` });
  commit(cwd, { "policies/policy.yaml": POLICY, "pod.yaml": POD });
  // The change: a registry that allows the pod's images.
  writeFileSync(
    join(cwd, "policies/policy.yaml"),
    POLICY.replace("registry: registry.example.com", "registry: docker.io"),
  );
  for (const [name, data] of Object.entries(files)) writeFileSync(join(cwd, name), data);
  const ran = await runAction(ROOT, given, {
    cwd,
    env: { PATH: pathWith(own), CALLS: calls, COMMENTS: "", GITHUB_REPOSITORY: "acme/shop", ...env },
    github: { token: "t0", event: { pull_request: { number } } },
  });
  const read = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");
  return { ...ran, calls: read(calls), body: read(`${calls}.body`), cwd };
}

test("checks, annotates, writes SARIF and a summary, and fails in the end", async () => {
  const { code, log, summary, outputs, used, calls, cwd } = await act({
    files: "policies\npod.yaml",
    "upload-sarif": "true",
  });
  expect(code).toBe(1);
  expect(log).toMatch(/^::error file=pod\.yaml,line=\d+,.*title=policy\/trusted-images/m);
  expect(summary).toContain("**celadon**: ❌");
  expect(outputs).toMatchObject({ "exit-code": "1", sarif: "celadon.sarif", markdown: "" });
  expect(sarifProblems(readFileSync(join(cwd, "celadon.sarif"), "utf8"))).toEqual([]);
  expect(used).toEqual([
    { uses: "github/codeql-action/upload-sarif@v3.30.0", with: { sarif_file: "celadon.sarif", category: "celadon" } },
  ]);
  expect(calls).toMatch(/^npm install --global --ignore-scripts --no-audit --no-fund @celadon\/cli@\d+\.\d+\.\d+\n$/);
});

const DIFF = { files: "pod.yaml", "diff-policies": "policies", base: "HEAD", version: "", args: "--bind-all" };

test("compares verdicts, and writes a comment", async () => {
  const { code, outputs, calls, body, log } = await act({ ...DIFF, comment: "true" });
  expect({ code, log }).toMatchObject({ code: 0 });
  expect(outputs).toMatchObject({ "exit-code": "0", "diff-exit-code": "0" });
  expect(calls).toMatch(/^gh api --silent --method POST repos\/acme\/shop\/issues\/7\/comments --field body=@\S+$/m);
  expect(body).toMatch(/^<!-- celadon -->\n\*\*celadon\*\*: ⚠️/);
  expect(body).toContain("trusted-images");
});

test("the comment of an earlier run is rewritten", async () => {
  const { calls } = await act({ ...DIFF, comment: "true" }, { env: { COMMENTS: "4711" } });
  expect(calls).toContain("gh api --silent --method PATCH repos/acme/shop/issues/comments/4711 --field body=@");
});

test("a token that may not write is no failure", async () => {
  const { code, log } = await act({ ...DIFF, comment: "true" }, { env: { GH_EXIT: "1" } });
  expect(code).toBe(0);
  expect(log).toContain("::notice title=celadon::no comment: the token may not write");
});

test("what a change newly denies fails the job, unless nothing does", async () => {
  // The base is the changed policy then: the comparison goes the other way.
  const stricter = {
    "policies/policy.yaml": POLICY.replace("registry: registry.example.com", "registry: nowhere.example.com"),
  };
  const pod = POD.replaceAll("docker.io/acme", "registry.example.com").replaceAll(
    /image: \S+/g,
    "image: registry.example.com/a:1",
  );
  const files = { ...stricter, "pod.yaml": pod };
  const failing = await act({ ...DIFF, files: "pod.yaml" }, { files });
  expect({ code: failing.code, log: failing.log }).toMatchObject({ code: 1 });
  expect(failing.outputs).toMatchObject({ "exit-code": "0", "diff-exit-code": "1" });
  expect((await act({ ...DIFF, "fail-on": "none" }, { files })).code).toBe(0);
});

test("input that cannot be read is not taken for a good result", async () => {
  const { code, outputs } = await act({ files: "nowhere.yaml", version: "" });
  expect(code).toBe(2);
  expect(outputs["exit-code"]).toBe("2");
  const unknown = await act({ ...DIFF, base: "origin/nowhere" });
  expect(unknown.code).toBe(2);
  expect(unknown.log).toContain("cannot read the base 'origin/nowhere'");
});

test("inputs are data", async () => {
  const forged = `pod.yaml\n$(touch forged)\n; touch forged\n"; touch forged; "`;
  const { cwd, code } = await act({ files: forged, "diff-policies": forged, base: "$(touch forged)", version: "" });
  expect(code).toBe(2);
  expect(existsSync(join(cwd, "forged"))).toBe(false);
  for (const { run = "" } of readAction(join(ROOT, "action.yml")).runs.steps) expect(run).not.toContain("${{");
});
