// Hostile text in every place that output shows: names, messages, files, users, flags. In every format and on every stream, nothing moves a
// cursor, turns text around, forges a line or commands a CI runner.

import { posix } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { verbs } from "../commands/index.ts";
import { optionsOf } from "../inputs/options.ts";
import { runLine, type TestSetting } from "../io.testing.ts";
import { FORMATS, type Format } from "../output/formats.ts";
import type { Command } from "../program/command.ts";
import { EXIT } from "../program/exit.ts";
import { file, files } from "./hostile-files.testing.ts";
import { LINES, ODD_LINES } from "./hostile-lines.testing.ts";
import { EVIL_WORD, problemsOf } from "./hostile-text.testing.ts";

test("every command is tried", () => {
  expect(Object.keys(LINES).sort()).toEqual(verbs.map(({ name }) => name).sort());
});

const commands = new Map<string, Command>();
beforeAll(async () => {
  for (const { name, load } of verbs) commands.set(name, (await load()).command);
});

const reportOf = (format: string): string => `report.${format}`;

/** One format on standard output, all others in files: a line is worked on once, and its answer written in all of them. */
function inEveryFormat(argv: readonly string[], shown: Format): readonly string[] {
  return [...argv, ...FORMATS.flatMap((format) => ["-o", format === shown ? format : `${format}=${reportOf(format)}`])];
}

async function problemsIn(line: readonly string[], setting: TestSetting, shown?: Format): Promise<unknown> {
  const { stdout, stderr, code, io } = await runLine(line, { files, ...setting });
  const reports = FORMATS.flatMap((format) => {
    const data = io.contents.get(posix.join(io.cwd, reportOf(format)));
    return data === undefined ? [] : [problemsOf(new TextDecoder().decode(data), format)];
  });
  // Without an answer, none is written.
  if (reports.length > 0) expect(reports.length).toBe(FORMATS.length - 1);
  const found = { out: problemsOf(stdout, shown), err: problemsOf(stderr), reports: reports.flat() };
  return code === EXIT.internal || Object.values(found).some((problems) => problems.length > 0)
    ? { line, code, ...found, stderr }
    : undefined;
}

const ON_TERMINAL: TestSetting = { terminal: 80, env: { NO_COLOR: "1" } };

test.each(ODD_LINES)("%j", async (...argv) => expect(await problemsIn(argv, ON_TERMINAL)).toBeUndefined());

test.each(Object.entries(LINES))("%s, in every format", async (name, lines) => {
  for (const [index, argv] of lines.entries()) {
    expect(await problemsIn(argv, ON_TERMINAL)).toBeUndefined();
    if (commands.get(name)!.plain === true) continue;
    const shown = FORMATS[index % FORMATS.length]!;
    expect(await problemsIn(inEveryFormat(argv, shown), {}, shown)).toBeUndefined();
  }
});

test.each(Object.entries(LINES))("%s, its flags", async (name, [argv]) => {
  for (const { name: flag, value } of optionsOf(commands.get(name)!)) {
    if (value === undefined) continue;
    for (const given of [[`--${flag}`, EVIL_WORD], [`--${flag}=${file}`]])
      expect(await problemsIn([...argv!, ...given], ON_TERMINAL)).toBeUndefined();
  }
});

test.each(["suite.yaml", "passing.yaml"])("files of reports: %s", async (suite) => {
  const formats = ["html", "lcov", "json"];
  const outputs = formats.flatMap((format) => ["--coverage-out", `${format}=${reportOf(format)}`]);
  const { io } = await runLine(["test", suite, "--coverage", ...outputs], { files });
  for (const format of formats) {
    const text = new TextDecoder().decode(io.contents.get(posix.join(io.cwd, reportOf(format)))!);
    expect(text).toContain("denying");
    expect({ format, problems: problemsOf(text) }).toEqual({ format, problems: [] });
  }
});
