import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const example = readFileSync(new URL("../../../../examples/devices/devices.yaml", import.meta.url), "utf8");

const files = {
  "a.yaml": example,
  "typo.yaml": example.replace(".model ==", ".modle =="),
  "none.yaml": example.replace('== "a100"', '== "h100"'),
  "class.yaml": example.replace("deviceClassName: large-gpu", "deviceClassName: gpu"),
  "beta.yaml": example
    .replaceAll("resource.k8s.io/v1", "resource.k8s.io/v1beta1")
    .replace(
      "        exactly:\n          deviceClassName: large-gpu\n          selectors:",
      "        deviceClassName: large-gpu\n        selectors:",
    ),
  "template.yaml": example
    .replace("kind: ResourceClaim\n", "kind: ResourceClaimTemplate\n")
    .replace("spec:\n  devices:\n    requests:", "spec:\n  spec:\n   devices:\n    requests:"),
  "other.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
};

// biome-ignore format: one case per line
const cases = [
  { name: "a match",             argv: "a.yaml",        code: 0, says: "ResourceClaim/shop/training  request gpu of class large-gpu  1 of 2 devices match\n  ✓ gpu.example.com/node-1/gpu-0" },
  { name: "the excluding one",   argv: "a.yaml",        code: 0, says: 'DeviceClass/large-gpu selectors[1]: device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("20Gi")) → false' },
  { name: "an error",            argv: "typo.yaml",     code: 1, says: "error: no such key: modle. consider using CEL optional chaining" },
  { name: "no device",           argv: "none.yaml",     code: 1, says: "0 of 2 devices match" },
  { name: "no class",            argv: "class.yaml",    code: 1, says: 'request gpu of class gpu  no DeviceClass "gpu" in the inputs' },
  { name: "an older version",    argv: "beta.yaml",     code: 0, says: "1 of 2 devices match\n  ✓ gpu.example.com/node-1/gpu-0" },
  { name: "a template",          argv: "template.yaml", code: 0, says: "ResourceClaimTemplate/shop/training  request gpu of class large-gpu  1 of 2 devices match" },
  { name: "nothing to look at",  argv: "other.yaml",    code: 2, says: "no device classes or resource claims in the inputs" },
];

test.each(cases)("$name", async ({ argv, code, says }) => {
  const { stdout, stderr, code: found } = await runLine(["devices", ...argv.split(" ")], { files });
  expect(`${stdout}${stderr}`).toContain(says);
  expect(found).toBe(code);
});
