// `celadon autogen`: derived policies, parts that are left out, and that the result passes lint and decides.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { celadon, expectGoldenRun, folder, ROOT } from "./run.testing.ts";

const policy = (): string => readFileSync(join(ROOT, "examples/trusted-images/policy.yaml"), "utf8");

// biome-ignore format: one golden per line
const goldens: { name: string; argv: string[] }[] = [
  { name: "examples",  argv: ["-f", "examples/trusted-images"] },
  { name: "kinds",     argv: ["-f", "examples/trusted-images", "--kinds", "CronJob"] },
  { name: "bad-kind",  argv: ["-f", "examples/trusted-images", "--kinds", "Deploymnet"] },
  { name: "left-out",  argv: ["-f", "examples/diff/new"] },
];
test.each(goldens)("$name", async ({ name, argv }) => {
  expectGoldenRun(`autogen/${name}.txt`, await celadon(["autogen", ...argv]));
});

test("derived policies are valid, and deny what the policy for pods would", async () => {
  const derived = await celadon(["autogen", "-f", "examples/trusted-images"]);
  const web = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: payments }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: "elsewhere.example/web" }] } }
`;
  const cwd = folder({ "policy.yaml": policy(), "derived.yaml": derived.stdout, "web.yaml": web });
  const lint = await celadon(["lint", "-f", "policy.yaml", "-f", "derived.yaml"], { cwd });
  expect([lint.code, lint.stdout]).toEqual([0, "6 resources, no problems\n"]);
  const files = ["-f", "policy.yaml", "-f", "web.yaml"];
  const written = await celadon(["check", ...files, "-f", "derived.yaml"], { cwd });
  const flag = await celadon(["check", ...files, "--autogen"], { cwd });
  const alone = await celadon(["check", ...files], { cwd });
  expect([alone.code, written.code, flag.code]).toEqual([0, 1, 1]);
});
