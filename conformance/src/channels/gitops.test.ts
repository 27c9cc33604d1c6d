// The plugin for Argo CD that the guide shows: its script renders and checks, and renders nothing when an object is denied.

import { spawnSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { bundle, commit, folder, POD, POLICY, pathWith, program, programs, text } from "./workplace.testing.ts";

const hasKubectl = spawnSync("kubectl", ["version", "--client"]).status === 0;
if (!hasKubectl) console.warn("kubectl is not installed: the plugin for Argo CD is not tested");

beforeAll(bundle);

const [, plugin = ""] = /^```yaml file=plugin\.yaml\n(.*?)^```$/ms.exec(text("docs/guides/gitops.md")) ?? [];
const { spec } = parse(plugin) as {
  spec: { generate: { command: readonly string[]; args: readonly string[] }; discover: { fileName: string } };
};

const ALLOWED = POD.replaceAll(/image: \S+/g, "image: registry.example.com/a:1");

test.skipIf(!hasKubectl).each([
  ["an allowed object is rendered", ALLOWED, 0, /^kind: Pod$/m],
  ["a denied one is not, and the reason is said", POD, 1, /^$/],
])("%s", async (_, pod, code, rendered) => {
  const cwd = folder();
  commit(cwd, {
    "app/kustomization.yaml": "resources: [pod.yaml]\n",
    "app/pod.yaml": pod,
    "policies/policy.yaml": POLICY,
  });
  const [script = ""] = spec.generate.args;
  expect(script.match(/ \/(?:policies|tmp)\b/g)).toHaveLength(4);
  const [command = "", ...before] = spec.generate.command;
  const ran = await program(
    command,
    [...before, script.replaceAll(/ \/(policies|tmp)\b/g, (_, name) => ` ${cwd}${name === "tmp" ? "" : "/policies"}`)],
    { cwd: `${cwd}/app`, env: { PATH: pathWith(programs()) } },
  );
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code });
  expect(ran.stdout).toMatch(rendered);
  if (code !== 0) expect(ran.stderr).toContain("images must come from registry.example.com");
});
