// The directory of real-world policies, definitions and certificates: third-party data with the answers of a real API server, beside the
// project and not in it. CELADON_CORPUS names another directory. Tests that read it are skipped without it.

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const BESIDE = fileURLToPath(new URL("../../../../shared/corpus", import.meta.url));

export const CORPUS: string = process.env.CELADON_CORPUS === undefined ? BESIDE : resolve(process.env.CELADON_CORPUS);
export const hasCorpus: boolean = existsSync(join(CORPUS, "policies"));

if (!hasCorpus) console.warn(`no corpus at ${CORPUS} (CELADON_CORPUS names another place): its tests are skipped`);

/** Cases of a part of the corpus by their paths from it, `source/name`, in order; none without a corpus. */
export function corpusCaseNames(part: "policies" | "crds"): string[] {
  if (!hasCorpus) return [];
  const root = join(CORPUS, part);
  const names = readdirSync(root).flatMap((source) =>
    readdirSync(join(root, source)).map((name) => `${source}/${name}`),
  );
  return names.sort();
}

/**
 * Every n-th case, for slow tests of rules that others check on all cases. All of them where CELADON_WHOLE is set, as it is every night.
 */
export function everyNth<T>(cases: readonly T[], n: number): T[] {
  return process.env.CELADON_WHOLE === undefined ? cases.filter((_, i) => i % n === 0) : [...cases];
}
