// The words that complete a command line, as kubectl and shells that use Cobra's scripts want them: one per line with its meaning, and a
// last line that says what else may stand there.

import type { Option } from "../program/command.ts";
import { namesOf, type Shape, type VerbShape } from "./shape.ts";

/** Cobra's directives. */
const FILES = 0;
const NO_SPACE = 2;
const NO_FILES = 4;

export interface Completion {
  /** A word, with a meaning behind a tab. */
  readonly words: readonly string[];
  readonly directive: number;
}

/** Names that only a cluster knows. Empty when it does not answer. */
export interface ClusterNames {
  namespaces(): Promise<readonly string[]>;
  /** Types of resources: `pods`. */
  types(): Promise<readonly string[]>;
  /** The objects of a type. */
  objects(type: string): Promise<readonly string[]>;
}

/** `line` ends with the word that is being written, which may be empty. */
export async function completionOf(
  line: readonly string[],
  shape: Shape,
  cluster: (line: readonly string[]) => ClusterNames,
): Promise<Completion> {
  const current = line.at(-1) ?? "";
  const before = line.slice(0, -1);
  const [first, second] = before;
  if (first === undefined) return listed(shape.words, current);
  const group = shape.groups.get(first);
  if (group !== undefined && second === undefined) return listed(group, current);
  const name = group === undefined ? first : `${first} ${second}`;
  const verb = shape.verbs.find((item) => item.name === name);
  if (verb === undefined) return { words: [], directive: NO_FILES };
  const previous = before.at(-1) ?? "";
  const valued = verb.options.find((option) => option.value !== undefined && namesOf(option).includes(previous));
  if (valued !== undefined) return flagValue(valued, current, () => cluster(before).namespaces());
  if (current.startsWith("-")) return listed(verb.options.flatMap(flagsOf), current);
  return verb.positionals === "files" ? { words: [], directive: FILES } : argument(verb, current, before, cluster);
}

async function argument(
  { name, positionals }: VerbShape,
  current: string,
  before: readonly string[],
  cluster: (line: readonly string[]) => ClusterNames,
): Promise<Completion> {
  const words = (positionals as readonly string[]).map((word) => [word, ""] as const);
  if (name !== "why") return listed(words, current);
  const slash = current.indexOf("/");
  if (slash === -1) {
    const asked = before.length === 1 ? listed(words, current).words : [];
    const types = (await cluster(before).types()).filter((type) => type.startsWith(current));
    return { words: [...asked, ...types.map((type) => `${type}/`)], directive: NO_FILES | NO_SPACE };
  }
  const type = current.slice(0, slash);
  const names = (await cluster(before).objects(type)).map((object) => [`${type}/${object}`, ""] as const);
  return listed(names, current);
}

async function flagValue(
  option: Option,
  current: string,
  namespaces: () => Promise<readonly string[]>,
): Promise<Completion> {
  if (option.choices === "files") return { words: [], directive: FILES };
  const words = option.choices ?? (option.name === "namespace" ? await namespaces() : []);
  return listed(
    words.map((word) => [word, ""] as const),
    current,
  );
}

const flagsOf = (option: Option): (readonly [string, string])[] =>
  namesOf(option).map((name) => [name, option.help] as const);

function listed(words: readonly (readonly [word: string, meaning: string])[], current: string): Completion {
  const found = words.filter(([word]) => word.startsWith(current));
  return {
    words: found.map(([word, meaning]) => (meaning === "" ? word : `${word}\t${meaning}`)),
    directive: NO_FILES,
  };
}

export function completionText({ words, directive }: Completion): string {
  return [...words, `:${directive}`, ""].join("\n");
}
