// The pages that `celadon mcp` shows to assistants, brought along in the command's package: guides, reference and skills.

import { cpSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./sources.mjs";

const docs = join(root, "docs");
const pages = join(root, "apps/cli/dist/docs");

export function copyPages() {
  rmSync(pages, { recursive: true, force: true });
  for (const part of ["guides", "reference", "skills"]) {
    cpSync(join(docs, part), join(pages, part), {
      recursive: true,
      filter: (file) => statSync(file).isDirectory() || file.endsWith(".md"),
    });
  }
}
