// Writes the generated pages: docs/reference/libraries/ from the libraries' tables, docs/reference/command.md from the commands' (both as
// built), the packages of ARCHITECTURE.md from their manifests, and docs/reference/built-in-kinds.md and
// docs/reference/versions.md by the tests that replay and count recordings.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as cel from "@celadon/cel";
import * as lib from "@celadon/cel/lib";
import * as kube from "@celadon/kube-cel";
import * as kubeLib from "@celadon/kube-cel/library";
import { readCatalogue } from "../apps/cli/dist/catalogue/catalogue.js";
import { cataloguePage } from "../apps/cli/dist/catalogue/page.js";
import { verbs } from "../apps/cli/dist/commands/index.js";
import { referencePage } from "../apps/cli/dist/help/reference.js";
import { architecturePage } from "./architecture.mjs";
import { libraryPages } from "./library-pages.mjs";

const folder = new URL("../docs/reference/libraries/", import.meta.url);
const pages = libraryPages(cel, lib, kube, kubeLib);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of pages) writeFileSync(new URL(name, folder), text);
console.log(`written: ${pages.size} pages in docs/reference/libraries`);

const commands = await Promise.all(verbs.map(async (verb) => (await verb.load()).command));
writeFileSync(new URL("../docs/reference/command.md", import.meta.url), referencePage(commands));
console.log("written: docs/reference/command.md");

const figures = JSON.parse(readFileSync(new URL("../apps/cli/testdata/catalogue.json", import.meta.url), "utf8"));
const catalogue = readCatalogue(fileURLToPath(new URL("../apps/cli/catalogue", import.meta.url)));
const versions = `1.30 to ${kube.CURRENT}`;
writeFileSync(new URL("../docs/reference/catalogue.md", import.meta.url), cataloguePage(catalogue, figures, versions));
console.log("written: docs/reference/catalogue.md");

writeFileSync(new URL("../ARCHITECTURE.md", import.meta.url), architecturePage());
console.log("written: ARCHITECTURE.md");

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const counted = ["packages/kube/src/validation/replay.test.ts", "conformance/src/versions/page.test.ts"];
execFileSync(process.execPath, [vitest, "run", ...counted, "--update"], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  stdio: ["ignore", "ignore", "inherit"],
});
console.log("written: docs/reference/built-in-kinds.md");
console.log("written: docs/reference/versions.md");
