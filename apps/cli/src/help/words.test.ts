// Help of every command, by the rules of the glossary in CONTRIBUTING.md.

import { CURRENT } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { verbs } from "../commands/index.ts";
import { KUBE_VERSION, optionsOf } from "../inputs/options.ts";
import { optionHelp } from "./help-for.ts";

const commands = await Promise.all(verbs.map(async (verb) => (await verb.load()).command));

test("help names the version that is emulated by default", () => {
  expect(KUBE_VERSION.fallback).toBe(CURRENT);
});

test.each(commands)("$name: every choice of a flag is listed", (command) => {
  const unlisted = optionsOf(command).filter(
    (option) => Array.isArray(option.choices) && !option.choices.every((choice) => optionHelp(option).includes(choice)),
  );
  expect(unlisted.map(({ name }) => name)).toEqual([]);
});

test.each(commands)("$name: flags and examples are phrases, the description is sentences", (command) => {
  const { summary, about, options, examples } = command;
  const phrases = [summary, ...options.map(({ help }) => help), ...examples.map(({ what }) => what)];
  expect(phrases.filter((text) => text.trim() === "" || /[.:]$/.test(text) || text !== text.trim())).toEqual([]);
  for (const paragraph of about.split("\n\n")) expect(paragraph).toMatch(/^[A-Z`].*[.`]$/s);
  for (const { line } of examples) expect(line).toMatch(/(?:^|\| |&& |<\()celadon /);
});

test.each(commands)("$name: the exit codes name flags that it has", (command) => {
  const named = [...(command.failure ?? "").matchAll(/--([\w-]+)/g)].map(([, name]) => name);
  const options = optionsOf(command).map(({ name }) => name);
  expect(named.filter((name) => !options.includes(name!))).toEqual([]);
});

test.each(commands)("$name: the words that users know", ({ summary, about, options, examples }) => {
  const text = [summary, about, ...options.map(({ help }) => help), ...examples.map(({ what }) => what)].join("\n");
  // `verb` is RBAC's, `minor` and `refuse` are the code's.
  expect(text.replaceAll(/\bRBAC \(verb use\)/g, "")).not.toMatch(
    /\bverbs?\b|\bminors?\b|\brefuse[sd]?\b|\btold\b|\btells?\b|\bjudge|\bwho asks\b|\bis not there\b/i,
  );
});
