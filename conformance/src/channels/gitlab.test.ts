// The job for GitLab: its script runs in a shell after inputs are replaced, and writes the reports that it names.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { bundle, commit, folder, POD, POLICY, pathWith, program, programs, text } from "./workplace.testing.ts";

interface Job {
  readonly script: readonly string[];
  readonly artifacts: { readonly reports: Readonly<Record<string, string>> };
}

beforeAll(bundle);

const [header, template] = text("ci/gitlab.yml").split(/^---$/m);

function jobWith(given: Readonly<Record<string, string>>): Job {
  const { spec } = parseAllDocuments(header!)[0]!.toJS() as { spec: { inputs: Record<string, { default: string }> } };
  const filled = template!.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => {
    expect(Object.keys(spec.inputs)).toContain(name);
    return given[name] ?? spec.inputs[name]!.default;
  });
  return (parseAllDocuments(filled)[0]!.toJS() as { celadon: Job }).celadon;
}

test("the job writes its reports, and fails when an object is denied", async () => {
  const { script, artifacts } = jobWith({ files: "policies pod.yaml", args: "--kube-version 1.35" });
  const cwd = folder();
  commit(cwd, { "policies/policy.yaml": POLICY, "pod.yaml": POD });
  const own = programs({ npm: 'echo "npm $*"' });
  const { code, stdout } = await program("bash", ["-ec", script.join("\n")], { cwd, env: { PATH: pathWith(own) } });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^npm install .* @celadon\/cli@\d+\.\d+\.\d+$/m);
  for (const path of Object.values(artifacts.reports)) expect(existsSync(join(cwd, path)), path).toBe(true);
  const entries = JSON.parse(readFileSync(join(cwd, artifacts.reports.codequality!), "utf8")) as { location: object }[];
  expect(entries).toMatchObject([
    { severity: "major", location: { path: "pod.yaml", lines: { begin: expect.any(Number) } } },
  ]);
});
