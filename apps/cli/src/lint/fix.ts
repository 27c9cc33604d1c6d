// Safe fixes: misspelt names where one name is nearest. A fix is kept only if lint then finds less and nothing new, in any file; so a fix
// never hides one mistake behind another.

import type { Minor } from "@celadon/kube-cel";
import { type Diagnostic, type TextEdit, Workspace } from "@celadon/language";

export interface FixedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** The number of corrected names. */
  readonly fixes: number;
}

/** Fixes that are tried one by one where all together do more than correct. */
const MOST_TRIED = 50;

/** `files` are texts by name. */
export async function fixFiles(
  files: ReadonlyMap<string, string>,
  minors: readonly Minor[],
  pause: () => Promise<void>,
): Promise<readonly FixedFile[]> {
  const fixer = new Fixer(files, minors, pause);
  const fixed = new Map<string, FixedFile>();
  // After a resource or kind is corrected, its fields get suggestions too.
  for (let round = 0, found = true; found && round < MOST_ROUNDS; round++) {
    found = false;
    for (const [file, before] of files) {
      const { text: after, fixes } = await fixer.fix(file);
      if (fixes === 0) continue;
      found = true;
      fixed.set(file, { file, before, after, fixes: fixes + (fixed.get(file)?.fixes ?? 0) });
    }
  }
  return [...fixed.values()];
}

const MOST_ROUNDS = 4;

type Found = ReadonlyMap<string, readonly Diagnostic[]>;

class Fixer {
  readonly #workspace: Workspace;
  readonly #pause: () => Promise<void>;

  constructor(files: ReadonlyMap<string, string>, minors: readonly Minor[], pause: () => Promise<void>) {
    this.#workspace = new Workspace({ minors, yamlKeys: true });
    this.#pause = pause;
    for (const [file, text] of files) this.#workspace.set(file, text);
  }

  async fix(file: string): Promise<{ readonly text: string; readonly fixes: number }> {
    const found = await this.#lint();
    const text = this.#text(file);
    const edits = this.#workspace.fixAll(file, found.get(file) ?? []).flatMap((action) => action.edits.get(file) ?? []);
    if (edits.length === 0) return { text, fixes: 0 };
    if (await this.#try(file, edits, found)) return { text: this.#text(file), fixes: edits.length };
    let kept: readonly TextEdit[] = [];
    for (const edit of edits.slice(0, MOST_TRIED)) {
      this.#workspace.set(file, text);
      if (await this.#try(file, [...kept, edit], found)) kept = [...kept, edit];
    }
    this.#workspace.set(file, edited(text, kept));
    return { text: this.#text(file), fixes: kept.length };
  }

  /** Whether edits leave fewer problems and no new one; they stay in the workspace if so. */
  async #try(file: string, edits: readonly TextEdit[], before: Found): Promise<boolean> {
    const text = this.#text(file);
    this.#workspace.set(file, edited(text, edits));
    const known = counted(before);
    const after = counted(await this.#lint());
    const isNew = [...after].some(([key, count]) => count > (known.get(key) ?? 0));
    const isLess = total(after) < total(known);
    if (isLess && !isNew) return true;
    this.#workspace.set(file, text);
    return false;
  }

  #text(file: string): string {
    return this.#workspace.file(file)?.text ?? "";
  }

  /** With mistakes of YAML: an unreadable file has no other problems. */
  async #lint(): Promise<Found> {
    await this.#workspace.lintAll(this.#pause);
    const found = new Map<string, readonly Diagnostic[]>();
    for (const { uri } of this.#workspace.files()) found.set(uri, await this.#workspace.diagnostics(uri));
    return found;
  }
}

/** Places move with every edit. */
function counted(found: Found): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [file, diagnostics] of found) {
    for (const { code, message } of diagnostics) {
      const key = JSON.stringify([file, code, message]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

function edited(text: string, edits: readonly TextEdit[]): string {
  let result = text;
  for (const { range, text: to } of [...edits].sort((a, b) => b.range.start - a.range.start)) {
    result = result.slice(0, range.start) + to + result.slice(range.end);
  }
  return result;
}
