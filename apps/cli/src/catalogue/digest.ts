// The digest of the files on which a figure was measured: a changed policy or suite needs a new figure.

import { createHash } from "node:crypto";
import type { CatalogueEntry } from "./catalogue.ts";

export function digestOf({ files }: CatalogueEntry): string {
  const hash = createHash("sha256");
  for (const [name, text] of files) hash.update(`${name}\n${text}\n`);
  return hash.digest("hex").slice(0, 16);
}
