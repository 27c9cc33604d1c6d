import { expect, test } from "vitest";
import { verbs } from "./commands/index.ts";
import { optionsOf } from "./inputs/options.ts";
import { runLine, testIo } from "./io.testing.ts";
import type { Command } from "./program/command.ts";
import { UsageError } from "./program/exit.ts";
import { run } from "./run.ts";

test.each(verbs.map(({ name }) => name))("%s agrees with the table of verbs", async (name) => {
  const verb = verbs.find((candidate) => candidate.name === name)!;
  const { command } = await verb.load();
  expect(command).toMatchObject({ name, summary: verb.summary });
  const options = optionsOf(command);
  expect(new Set(options.map((option) => option.name)).size).toBe(options.length);
  const letters = options.flatMap((option) => option.short ?? []);
  expect(new Set(letters).size).toBe(letters.length);
  for (const { line } of command.examples) expect(line).toContain("celadon ");
});

test.each(verbs.map(({ name }) => name))("help of %s fits 80 columns", async (name) => {
  const { code, stdout, stderr } = await runLine([...name.split(" "), "--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`celadon ${name}`);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(await runLine(["help", ...name.split(" ")])).toMatchObject({ code: 0, stdout });
});

test.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%j shows the verbs", async (argv) => {
  const { code, stdout } = await runLine(argv);
  expect(code).toBe(0);
  for (const { name, summary } of verbs) expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, "m"));
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

// biome-ignore format: one case per line
const refused = [
  { argv: ["versoin"],                          says: 'unknown command "versoin"; did you mean "version"?' },
  { argv: ["frobnicate"],                       says: 'unknown command "frobnicate"\n' },
  { argv: ["help", "versoin"],                  says: 'unknown command "versoin"; did you mean "version"?' },
  { argv: ["--color", "never", "version"],      says: 'the command must come before its flags: found "--color"' },
  { argv: ["version", "--outptu"],              says: "unknown flag --outptu; did you mean --output?" },
  { argv: ["version", "-o", "jsno"],            says: 'unknown output format "jsno"; did you mean json?' },
  { argv: ["version", "-o", "json", "-oyaml"],  says: "only one format can go to standard output: found json and yaml" },
  { argv: ["version", "-o", "json="],           says: 'no file after "json="' },
  { argv: ["help", "-o", "json"],               says: "unknown flag -o" },
  { argv: ["test", "-f", "a.yaml"],             says: "unknown flag -f\n  help: give files and directories without a flag" },
  { argv: ["eval", "-f", "a.yaml"],             says: "unknown flag -f\n  help: see" },
  { argv: ["eval", "-", "--object", "-"],       says: "standard input cannot be used for both the expression and --object" },
  { argv: ["constructor"],                      says: 'unknown command "constructor"\n' },
];
test.each(refused)("$argv", async ({ argv, says }) => {
  const { code, stdout, stderr } = await runLine(argv);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`celadon: ${says}`);
});

const failing = (thrown: unknown): Parameters<typeof run>[2] => {
  const fail = (): never => {
    throw thrown;
  };
  const command: Command = {
    name: "fail",
    summary: "",
    usage: "",
    about: "",
    options: [],
    examples: [],
    run: async () => fail(),
  };
  return [{ name: "fail", summary: "", load: async () => ({ command }) }];
};

// biome-ignore format: one case per line
const ends = [
  { thrown: new UsageError("no such file"),               code: 2, stderr: "celadon: no such file\n  help: see `celadon fail --help`\n" },
  { thrown: new UsageError("broken", "mend it\nor not"), code: 2, stderr: "celadon: broken\n  help: mend it\n  or not\n  help: see `celadon fail --help`\n" },
  { thrown: new Error("two\n  lines"),                   code: 3, stderr: "celadon: internal error: two lines\n  help: please report this with the command you ran; CELADON_DEBUG=1 adds a stack trace\n" },
  { thrown: "a text",                                     code: 3, stderr: "celadon: internal error: a text\n  help: please report this with the command you ran; CELADON_DEBUG=1 adds a stack trace\n" },
];
test.each(ends)("thrown: $thrown", async ({ thrown, code, stderr }) => {
  const io = testIo();
  expect(await run(["fail"], io, failing(thrown))).toBe(code);
  expect({ out: io.stdout, err: io.stderr }).toEqual({ out: "", err: stderr });
});

test("CELADON_DEBUG shows where it was thrown", async () => {
  const io = testIo({ env: { CELADON_DEBUG: "1" } });
  expect(await run(["fail"], io, failing(new Error("oops\nFORGED\u001b[2J")))).toBe(3);
  expect(io.stderr).toMatch(
    /^celadon: internal error: oops FORGED\\u001b\[2J\n {2}help: please report this with the command you ran\n {4}at .*run\.test\.ts/,
  );
});

test("exceptions of an aborted command are not reported", async () => {
  const io = testIo({ signal: AbortSignal.abort() });
  await expect(run(["fail"], io, failing(new Error("aborted")))).rejects.toThrow("aborted");
  expect(io.stderr).toBe("");
});

test("a file that cannot be written is the user's to know", async () => {
  const { code, stdout, stderr } = await runLine(["version", "-o", "json=out"], { files: { "out/x": "" } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain('cannot write "out": is a directory');
});

test("a report in a file leaves the text on standard output", async () => {
  const { code, stdout, io } = await runLine(["version", "-o", "json=report/v.json"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^celadon /);
  expect(JSON.parse(new TextDecoder().decode(io.contents.get("/virtual/report/v.json")))).toMatchObject({
    kind: "Version",
  });
});
