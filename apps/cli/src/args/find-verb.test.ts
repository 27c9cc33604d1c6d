import { expect, test } from "vitest";
import type { CommandEntry } from "../program/command.ts";
import { findVerb } from "./find-verb.ts";

const verb = (name: string): CommandEntry => ({
  name,
  summary: name,
  load: () => Promise.reject(new Error("not loaded")),
});
const verbs = ["check", "crd upgrade", "crd show", "help"].map(verb);

// biome-ignore format: one case per line
const found = [
  { argv: [],                               name: "help",        rest: [] },
  { argv: ["--help"],                       name: "help",        rest: [] },
  { argv: ["-h", "check"],                  name: "help",        rest: ["check"] },
  { argv: ["check", "-f", "a"],             name: "check",       rest: ["-f", "a"] },
  { argv: ["check", "upgrade"],             name: "check",       rest: ["upgrade"] },
  { argv: ["crd", "upgrade", "a", "b"],     name: "crd upgrade", rest: ["a", "b"] },
  { argv: ["crd"],                          name: "help",        rest: ["crd"] },
  { argv: ["crd", "--help"],                name: "help",        rest: ["crd"] },
];
test.each(found)("$argv", ({ argv, name, rest }) => {
  const answer = findVerb(argv, verbs);
  expect({ name: answer.verb.name, rest: answer.rest }).toEqual({ name, rest });
});

// biome-ignore format: one case per line
const unknown = [
  { argv: ["crd", "upgarde"],     says: 'unknown command "crd upgarde"; did you mean "upgrade"?' },
  { argv: ["crd", "x"],           says: 'unknown command "crd x"' },
  { argv: ["cdr"],                says: 'unknown command "cdr"; did you mean "crd"?' },
  { argv: ["upgrade"],            says: 'unknown command "upgrade"' },
  { argv: [""],                   says: 'unknown command ""' },
  { argv: ["toString"],           says: 'unknown command "toString"' },
];
test.each(unknown)("$argv is unknown", ({ argv, says }) => expect(() => findVerb(argv, verbs)).toThrow(says));
