// Writes docs/reference/libraries/ from the libraries' own tables, as the build has them.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import * as cel from "@celadon/cel";
import * as lib from "@celadon/cel/lib";
import * as kube from "@celadon/kube-cel";
import * as kubeLib from "@celadon/kube-cel/library";
import { libraryPages } from "./library-pages.mjs";

const folder = new URL("../docs/reference/libraries/", import.meta.url);
const pages = libraryPages(cel, lib, kube, kubeLib);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of pages) writeFileSync(new URL(name, folder), text);
console.log(`written: ${pages.size} pages in docs/reference/libraries`);
