// The guide shows what the command does: its files, and what is printed of them.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const guide = readFileSync(new URL("../../../../docs/guides/coming-from-other-tools.md", import.meta.url), "utf8");
const blocks = [...guide.matchAll(/^```(\S+) ([^\n]+)\n(.*?)^```$/gms)].map(([, kind, info, text]) => ({
  kind,
  info: info!,
  text: text!,
}));
const files = Object.fromEntries(
  blocks.filter(({ info }) => info.startsWith("file=")).map(({ info, text }) => [info.slice(5), text]),
);

test("the example", async () => {
  const { code, stdout, stderr } = await runLine(["test"], { files });
  expect(code).toBe(1);
  expect(stdout).toBe(blocks.find(({ info }) => info === "celadon test")?.text);
  expect(stderr).toBe(blocks.find(({ info }) => info === "stderr")?.text);
});
