// Counterexamples as cases of an existing suite. Its comments and layout stay; a case whose name the suite has is not added again.

import { type Document, isMap, isSeq, parseDocument, YAMLSeq } from "yaml";
import { readTextFile } from "../inputs/value-file.ts";
import { remark } from "../output/say.ts";
import { writeFile } from "../output/write.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

export async function addToSuite(path: string, cases: readonly object[], io: Io): Promise<void> {
  const document: Document = parseDocument(await readTextFile(path, io));
  const { contents } = document;
  if (document.errors.length > 0 || !isMap(contents) || document.get("kind") !== "TestSuite")
    throw new UsageError(
      `--add-to: ${path} is not a test suite`,
      "a file of kind TestSuite; `celadon init` writes one",
    );
  const known = document.get("tests");
  const tests = isSeq(known) ? known : new YAMLSeq();
  if (tests !== known) document.set("tests", tests);
  const names = new Set(tests.items.map((item) => (isMap(item) ? item.get("name") : undefined)));
  const added = cases.filter((item) => !names.has((item as { readonly name: string }).name));
  for (const item of added) tests.add(document.createNode(item));
  if (added.length > 0) await writeFile(path, document.toString({ lineWidth: 0 }), io);
  remark(io, `${path}: ${added.length} ${added.length === 1 ? "case" : "cases"} added`);
}
