// The names that an entry point exports, and where each is declared. Sources are read as text: exports stand at the start of a line.

import { existsSync } from "node:fs";
import { posix } from "node:path";
import { ROOT, read } from "./tree.ts";

/** A declaration: its file from the root of the repository, and its name there. */
export interface Declaration {
  readonly file: string;
  readonly name: string;
}

const DECLARATION = "(?:async )?(?:abstract )?(?:function\\*?|const|class|interface|type|enum)";

/** Names that a module exports, its own and re-exported ones. Names from other packages are left out. */
export function exportsOf(file: string): Map<string, Declaration> {
  const text = read(file);
  const found = new Map<string, Declaration>();
  for (const [, name = ""] of text.matchAll(new RegExp(`^export ${DECLARATION} (\\w+)`, "gm"))) {
    found.set(name, { file, name });
  }
  for (const [, names = "", from] of text.matchAll(/^export (?:type )?\{([^}]*)\}(?: from "([^"]+)")?/gm)) {
    for (const [name, as] of namesIn(names)) {
      const source = from ?? importedFrom(text, name);
      const declared = source === undefined ? { file, name } : passedOn(file, source, name);
      if (declared !== undefined) found.set(as, declared);
    }
  }
  for (const [, from = ""] of text.matchAll(/^export \* from "([^"]+)"/gm)) {
    const target = targetOf(file, from);
    if (target !== undefined) for (const [name, declared] of exportsOf(target)) found.set(name, declared);
  }
  return found;
}

/** Whether a comment stands above a declaration. */
export function isDocumented({ file, name }: Declaration): boolean {
  const text = read(file);
  const at = text.search(new RegExp(`^(?:export )?${DECLARATION} ${name}\\b`, "m"));
  if (at === -1) return true; // made by a pattern: documented where it is made
  const above = text.slice(0, at).trimEnd();
  return above.replace(/(?:\n\/\/ biome-ignore[^\n]*)+$/, "").endsWith("*/");
}

/** Undefined for a name that comes from another package. */
function passedOn(file: string, from: string, name: string): Declaration | undefined {
  const target = targetOf(file, from);
  return target === undefined ? undefined : exportsOf(target).get(name);
}

/** Undefined for a file outside this tree. */
function targetOf(file: string, from: string): string | undefined {
  const target = posix.join(posix.dirname(file), from);
  return from.startsWith(".") && existsSync(ROOT + target) ? target : undefined;
}

function namesIn(list: string): [name: string, as: string][] {
  const names = list.split(",").map((text) => text.trim().replace(/^type /, ""));
  return names
    .filter((name) => name !== "")
    .map((text) => {
      const [name = "", as = name] = text.split(" as ");
      return [name, as];
    });
}

function importedFrom(text: string, name: string): string | undefined {
  for (const [, names = "", from] of text.matchAll(/^import (?:type )?\{([^}]*)\} from "([^"]+)"/gm)) {
    if (namesIn(names).some(([, as]) => as === name)) return from;
  }
  return undefined;
}
