// Where the corpus lies: third-party data beside the repository, not in it. Tests that need it are skipped without it.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const directory = fileURLToPath(new URL("../../../../shared/corpus/certificate-policy/", import.meta.url));

export function corpusFile(name: string): string {
  const path = `${directory}${name}`;
  if (!existsSync(path)) console.warn(`skipped: ${path} is not there`);
  return path;
}
