// Suites of other tools from texts: a file for each path.

import { posix } from "node:path";
import { readDocuments } from "@celadon/kube/read";
import type { SuiteSource } from "../suite/read/read-suite.ts";
import { summary, type Texts } from "../suite/suite.testing.ts";
import { foreignTool, importSuite } from "./detect.ts";
import type { DocumentLoader, Imported } from "./imported.ts";
import { runImported } from "./run-imported.ts";

export function documents(text: string, file: string): SuiteSource[] {
  const read = readDocuments(text, { file });
  if (read.issues.length > 0) throw new Error(`${file}: ${read.issues[0]!.message}`);
  const lines = text.split("\n");
  return read.documents.map(({ value, positionOf, positionIn }) => ({
    value,
    origin: { file, positionOf, positionIn, lineText: (line) => lines[line - 1] },
  }));
}

export function documentLoader(files: Texts): DocumentLoader {
  return {
    load: async (path, from) => {
      const file = posix.join(posix.dirname(from), path);
      const text = files[file];
      if (text === undefined) return { documents: [], issues: [{ message: `${file}: no such file` }] };
      return { documents: documents(text, file), issues: [] };
    },
  };
}

/** The suite of the first file. */
export async function importText(files: Texts): Promise<Imported> {
  const [[file, text]] = Object.entries(files) as [[string, string]];
  const source = documents(text, file).find((document) => foreignTool(document) !== undefined);
  if (source === undefined) throw new Error(`${file} is no suite of a known tool`);
  const { imported, issues } = await importSuite(source, documentLoader(files));
  if (imported === undefined) throw new Error(issues.map(({ message }) => message).join("\n"));
  return imported;
}

/** Per case its name and result, with what differed. */
export async function runFiles(files: Texts): Promise<string[]> {
  return summary(await runImported(await importText(files)));
}
