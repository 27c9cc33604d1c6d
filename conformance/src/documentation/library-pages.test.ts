// docs/reference/libraries/ equals the libraries' tables.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as cel from "@celadon/cel";
import * as lib from "@celadon/cel/lib";
import * as kube from "@celadon/kube-cel";
import * as kubeLib from "@celadon/kube-cel/library";
import { expect, test } from "vitest";
import { ROOT } from "./pages.ts";

test("library pages agree with the tables", async () => {
  const script = new URL("../../../scripts/library-pages.mjs", import.meta.url).href;
  const { libraryPages } = (await import(/* @vite-ignore */ script)) as {
    libraryPages(...from: [typeof cel, typeof lib, typeof kube, typeof kubeLib]): ReadonlyMap<string, string>;
  };
  const folder = join(ROOT, "docs/reference/libraries");
  const committed = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const wanted = libraryPages(cel, lib, kube, kubeLib);
  expect([...committed.keys()].sort()).toEqual([...wanted.keys()].sort());
  for (const [name, text] of wanted) expect(committed.get(name), `${name}: run npm run docs`).toBe(text);
});
