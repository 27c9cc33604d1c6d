import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

// biome-ignore format: one case per line
const cases = [
  { name: "an expression",            argv: ["1 + 2"],                     stdin: undefined,      code: 0, stdout: "3\ntype: int, cost: 1\n" },
  { name: "from standard input",      argv: ["-"],                         stdin: "1 +\n  2\n",   code: 0, stdout: "3\ntype: int, cost: 1\n" },
  { name: "with a file",              argv: ["-", "--object", "a.yaml"],   stdin: "object.a",     code: 0, stdout: "7\ntype: dyn, cost: 2\n" },
  { name: "the file on it",           argv: ["object.a", "--object", "-"], stdin: "a: 8",         code: 0, stdout: "8\ntype: dyn, cost: 2\n" },
  { name: "nothing to compile",       argv: ["-"],                         stdin: "",             code: 2, stdout: expect.stringContaining("compilation failed") },
];
test.each(cases)("$name", async ({ argv, stdin, code, stdout }) => {
  const setting = { files: { "a.yaml": "a: 7\n" }, ...(stdin !== undefined && { stdin }) };
  expect(await runLine(["eval", ...argv], setting)).toMatchObject({ code, stdout });
});
