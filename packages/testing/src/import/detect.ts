// Which documents are suites of other tools: by what they say they are, and where a format says nothing, by its fields.

import type { SuiteSource } from "../suite/read-suite.ts";
import { get, isFields, textAt } from "./foreign.ts";
import type { DocumentLoader, ImportReading, Tool } from "./imported.ts";
import { importKyverno } from "./suites/kyverno.ts";

interface Format {
  readonly tool: Tool;
  /** A text that is in every file of the format: others need not be read. */
  readonly marks: readonly string[];
  /** `file` is the path it stands at. */
  is(value: unknown, file: string): boolean;
  read(source: SuiteSource, loader: DocumentLoader): Promise<ImportReading>;
}

const FORMATS: readonly Format[] = [
  {
    tool: "kyverno",
    marks: ["results"],
    is: (value, file) =>
      Array.isArray(get(value, "results")) &&
      ((textAt(value, "kind") === "Test" && (textAt(value, "apiVersion") ?? "").startsWith("cli.kyverno.io/")) ||
        (/(?:^|[\\/])kyverno-test\.ya?ml$/.test(file) && Array.isArray(get(value, "policies")))),
    read: importKyverno,
  },
];

function formatOf({ value, origin }: SuiteSource): Format | undefined {
  return isFields(value) || Array.isArray(value) ? FORMATS.find((one) => one.is(value, origin.file)) : undefined;
}

/** The tool whose suite it is; undefined when it is none. */
export function foreignTool(source: SuiteSource): Tool | undefined {
  return formatOf(source)?.tool;
}

/** Texts of which every suite of another tool has one. */
export const FOREIGN_MARKS: readonly string[] = FORMATS.flatMap(({ marks }) => marks);

/** Directories that begin with a point and hold suites all the same. */
export const FOREIGN_DIRECTORIES: readonly string[] = [".kyverno-test"];

/** Only of documents that `foreignTool` knows. */
export async function importSuite(source: SuiteSource, loader: DocumentLoader): Promise<ImportReading> {
  const format = formatOf(source);
  return format === undefined ? { issues: [{ message: "no suite of a known tool" }] } : format.read(source, loader);
}
