import { nearestName } from "@celadon/base";
import { describe, expect, test } from "vitest";
import type { Option } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import { parseFlags } from "./parse.ts";

const options: readonly Option[] = [
  { name: "output", short: "o", value: "FORMAT", repeatable: true, help: "" },
  { name: "filename", short: "f", value: "PATH", repeatable: true, help: "" },
  { name: "kube-version", value: "MINOR", help: "" },
  { name: "verbose", short: "v", help: "" },
  { name: "all", short: "a", help: "" },
  { name: "no-cache", help: "" },
  { name: "color", value: "WHEN", choices: ["auto", "always", "never"], strict: true, help: "" },
];

// biome-ignore format: one case per line
const accepted = [
  { argv: ["--kube-version", "1.30"],           want: { "kube-version": ["1.30"] } },
  { argv: ["--kube-version=1.30"],              want: { "kube-version": ["1.30"] } },
  { argv: ["--kube-version="],                  want: { "kube-version": [""] } },
  { argv: ["-o", "json", "-o", "sarif=a=b"],    want: { output: ["json", "sarif=a=b"] } },
  { argv: ["-ojson"],                           want: { output: ["json"] } },
  { argv: ["-o=json"],                          want: { output: ["json"] } },
  { argv: ["-va"],                              want: { verbose: [""], all: [""] } },
  { argv: ["-vojson"],                          want: { verbose: [""], output: ["json"] } },
  { argv: ["-f", "-"],                          want: { filename: ["-"] } },
  { argv: ["-f", "-1"],                         want: { filename: ["-1"] } },
  { argv: ["--no-cache"],                       want: { "no-cache": [""] } },
  { argv: ["a", "--", "--verbose", "-x"],       want: {}, positionals: ["a", "--verbose", "-x"] },
  { argv: ["a", "-v", "b"],                     want: { verbose: [""] }, positionals: ["a", "b"] },
  { argv: ["-"],                                want: {}, positionals: ["-"] },
  { argv: [""],                                 want: {}, positionals: [""] },
];
test.each(accepted)("$argv", ({ argv, want, positionals }) => {
  const args = parseFlags(options, argv);
  const found = options.filter(({ name }) => args.on(name)).map(({ name }) => [name, args.list(name)]);
  expect(Object.fromEntries(found)).toEqual(want);
  expect(args.positionals).toEqual(positionals ?? []);
});

// biome-ignore format: one case per line
const refused = [
  { argv: ["--outptu", "json"],            message: "unknown flag --outptu; did you mean --output?" },
  { argv: ["--kube"],                      message: "unknown flag --kube; did you mean --kube-version?" },
  { argv: ["--cache"],                     message: "unknown flag --cache" },
  { argv: ["--no-verbose"],                message: "unknown flag --no-verbose; did you mean --verbose?" },
  { argv: ["-z"],                          message: "unknown flag -z" },
  { argv: ["-vz"],                         message: "unknown flag -z" },
  { argv: ["--__proto__", "x"],            message: "unknown flag --__proto__" },
  { argv: ["-o"],                          message: "flag -o needs a value: -o FORMAT" },
  { argv: ["--output", "--verbose"],       message: "flag --output needs a value: --output FORMAT" },
  { argv: ["--output", "--", "a"],         message: "flag --output needs a value: --output FORMAT" },
  { argv: ["-o", "-f", "a"],               message: "flag -o needs a value: -o FORMAT" },
  { argv: ["--verbose=yes"],               message: 'flag --verbose takes no value: found "yes"' },
  { argv: ["--color", "alway"],            message: 'flag --color: unknown value "alway"; did you mean "always"?' },
];
test.each(refused)("$argv is refused", ({ argv, message }) => {
  const parse = (): unknown => parseFlags(options, argv);
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(new RegExp(`^${message.replaceAll(/[?.]/g, "\\$&")}$`));
});

describe("values", () => {
  const args = parseFlags(options, ["--kube-version", "1", "--kube-version", "12", "-f", "x"]);
  test("the last one counts", () => expect(args.text("kube-version")).toBe("12"));
  test("number", () => expect(args.number("kube-version", { min: 0, max: 12 })).toBe(12));
  test("absent number", () => expect(args.number("output", { min: 0, max: 1 })).toBeUndefined());
  test("beyond the range", () => {
    expect(() => args.number("kube-version", { min: 0, max: 9 })).toThrow('"12" is not a whole number from 0 to 9');
  });
  test("no number", () => expect(() => args.number("filename", { min: 0, max: 9 })).toThrow("not a whole number"));
});

// biome-ignore format: one case per line
const guesses = [
  { word: "chekc",   want: "check" },
  { word: "chek",    want: "check" },
  { word: "expl",    want: "explain" },
  { word: "Test",    want: "test" },
  { word: "upgrade", want: undefined },
  { word: "x",       want: undefined },
];
test.each(guesses)("nearest to $word", ({ word, want }) => {
  expect(nearestName(word, ["eval", "check", "test", "explain", "cost"])).toBe(want);
});
