import { expect, test } from "vitest";
import { verbs } from "./commands/index.ts";
import { runLine } from "./io.testing.ts";
import { optionsOf } from "./options.ts";

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
  { argv: ["versoin"],                          says: 'unknown verb "versoin"; did you mean "version"?' },
  { argv: ["frobnicate"],                       says: 'unknown verb "frobnicate"\n' },
  { argv: ["help", "versoin"],                  says: 'no verb "versoin"; did you mean "version"?' },
  { argv: ["--color", "never", "version"],      says: 'the verb comes before its flags: found "--color"' },
  { argv: ["version", "--outptu"],              says: "unknown flag --outptu; did you mean --output?" },
  { argv: ["version", "-o", "jsno"],            says: 'unknown output format "jsno"; did you mean json?' },
  { argv: ["version", "-o", "json", "-oyaml"],  says: "only one format can go to standard output: found json and yaml" },
  { argv: ["version", "-o", "json="],           says: 'no file after "json="' },
  { argv: ["help", "-o", "json"],               says: "unknown flag -o" },
  { argv: ["constructor"],                      says: 'unknown verb "constructor"\n' },
];
test.each(refused)("$argv", async ({ argv, says }) => {
  const { code, stdout, stderr } = await runLine(argv);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`celadon: ${says}`);
});

test("a file that cannot be written is the user's to know", async () => {
  const { code, stdout, stderr } = await runLine(["version", "-o", "json=out"], { files: { "out/x": "" } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain('cannot write "out": EISDIR');
});

test("a report in a file leaves the text on standard output", async () => {
  const { code, stdout, io } = await runLine(["version", "-o", "json=report/v.json"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^celadon /);
  expect(JSON.parse(new TextDecoder().decode(io.contents.get("/work/report/v.json")))).toMatchObject({
    kind: "Version",
  });
});
