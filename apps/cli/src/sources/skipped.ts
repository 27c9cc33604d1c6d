// Files that are skipped, by reason: equal reasons are one note, however many files they are for.

import type { SourceNote } from "./issue.ts";
import type { Skipped } from "./recognised.ts";

export class SkippedFiles {
  readonly #byReason = new Map<string, { readonly why: Skipped; readonly files: string[] }>();

  /** The number of files, each once per reason. */
  get count(): number {
    return [...this.#byReason.values()].reduce((sum, { files }) => sum + files.length, 0);
  }

  add(file: string, why: Skipped): void {
    const key = `${why.message}\n${why.hint ?? ""}`;
    const known = this.#byReason.get(key);
    if (known === undefined) this.#byReason.set(key, { why, files: [file] });
    // A file with many documents comes again and again, always next to itself.
    else if (known.files.at(-1) !== file) known.files.push(file);
  }

  notes(): readonly SourceNote[] {
    return [...this.#byReason.values()].map(({ why, files }) => {
      const more = files.length === 1 ? "" : ` (and ${files.length - 1} more like it)`;
      return { file: files[0]!, message: `${why.message}${more}`, ...(why.hint && { hint: why.hint }) };
    });
  }
}
