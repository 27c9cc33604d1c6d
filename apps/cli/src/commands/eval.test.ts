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

// biome-ignore format: one case per line
const users = [
  { name: "without an object",        argv: ["1", "--as", "ann"],                                            stderr: "note: --as is not used: without --object there is no request that the user could make\n" },
  { name: "with a request",           argv: ["1", "--as", "ann", "--as-group", "b", "--request", "a.yaml"],  stderr: "note: --as and --as-group are not used: --request already has a user\n" },
  { name: "with an object",           argv: ["1", "--as", "ann", "--object", "pod.yaml"],                    stderr: "" },
];
test.each(users)("a user $name", async ({ argv, stderr }) => {
  const files = { "a.yaml": "a: 7\n", "pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n" };
  expect(await runLine(["eval", ...argv], { files })).toMatchObject({ code: 0, stderr });
});

test("of a key given twice the last counts, with a warning", async () => {
  const files = { "o.yaml": "a: 1\nb: 2\na: 3\n" };
  const { code, stdout, stderr } = await runLine(["eval", "object.a", "--object", "o.yaml"], { files });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("3") });
  expect(stderr).toContain('o.yaml:3:1: warning: key "a" already set in map; the last one counts');
});
