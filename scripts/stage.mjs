// npm run stage [directory]: writes every package as it is published below a directory, `packed/` unless told, ready for
// `npm publish packed/cel`.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { publishedPackages, stagePackage } from "./stage-package.mjs";

const out = process.argv[2] ?? "packed";
for (const path of publishedPackages()) {
  const directory = join(out, basename(path));
  rmSync(directory, { recursive: true, force: true });
  for (const [file, bytes] of stagePackage(path)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), bytes);
  }
  console.log(directory);
}
