// Recognises suites of other tools: by their kind, and if a format has none, by its fields.

import type { SuiteSource } from "../suite/read/read-suite.ts";
import { get, isFields, textAt } from "./foreign.ts";
import type { DocumentLoader, ImportReading, Tool } from "./imported.ts";
import { importCeltest, isCeltest } from "./suites/celtest.ts";
import { importGator } from "./suites/gator.ts";
import { importKaptest } from "./suites/kaptest.ts";
import { importVapTest } from "./suites/kube-vap-test.ts";
import { importKubescape, isKubescapeTests } from "./suites/kubescape.ts";
import { importKyverno } from "./suites/kyverno.ts";

interface Format {
  readonly tool: Tool;
  /** Every file of the format has this text, or this name; others need not be read. */
  readonly mark: string;
  readonly file?: RegExp;
  /** `file` is the path it stands at. */
  is(value: unknown, file: string): boolean;
  read(source: SuiteSource, loader: DocumentLoader): Promise<ImportReading>;
}

const FORMATS: readonly Format[] = [
  {
    tool: "kyverno",
    mark: "cli.kyverno.io/",
    file: /(?:^|[\\/])kyverno-test\.ya?ml$/,
    is: (value, file) =>
      Array.isArray(get(value, "results")) &&
      ((textAt(value, "kind") === "Test" && (textAt(value, "apiVersion") ?? "").startsWith("cli.kyverno.io/")) ||
        (/(?:^|[\\/])kyverno-test\.ya?ml$/.test(file) && Array.isArray(get(value, "policies")))),
    read: importKyverno,
  },
  {
    tool: "gator",
    mark: "test.gatekeeper.sh/",
    is: (value) =>
      textAt(value, "kind") === "Suite" && (textAt(value, "apiVersion") ?? "").startsWith("test.gatekeeper.sh/"),
    read: importGator,
  },
  {
    tool: "kaptest",
    mark: "validatingAdmissionPolicies",
    is: (value) => isKaptest(value, "validatingAdmissionPolicies", "testSuites"),
    read: importKaptest,
  },
  {
    tool: "kaptest",
    mark: "TestSuites",
    is: (value) => isKaptest(value, "policies", "vapTestSuites") || isKaptest(value, "policies", "mapTestSuites"),
    read: importKaptest,
  },
  {
    tool: "kube-vap-test",
    mark: "ValidatingAdmissionPolicyTest",
    is: (value) =>
      textAt(value, "kind") === "ValidatingAdmissionPolicyTest" && Array.isArray(get(value, "spec", "testCases")),
    read: importVapTest,
  },
  {
    tool: "kubescape",
    mark: '"template"',
    is: (value, file) => /(?:^|[\\/])tests\.json$/.test(file) && isKubescapeTests(value),
    read: importKubescape,
  },
  { tool: "celtest", mark: "section", is: isCeltest, read: importCeltest },
];

/** It has neither kind nor version, but lists of these names; since v0.2 others than before. */
function isKaptest(value: unknown, ...lists: readonly string[]): boolean {
  return textAt(value, "kind") === undefined && lists.every((key) => Array.isArray(get(value, key)));
}

function formatOf({ value, origin }: SuiteSource): Format | undefined {
  return isFields(value) || Array.isArray(value) ? FORMATS.find((format) => format.is(value, origin.file)) : undefined;
}

/** The tool of a suite; undefined if it is not a suite. */
export function foreignTool(source: SuiteSource): Tool | undefined {
  return formatOf(source)?.tool;
}

/** Whether a file may contain a suite of another tool, without parsing it. `has` returns whether the file contains a text. */
export function mayBeForeign(path: string, has: (text: string) => boolean): boolean {
  return FORMATS.some(({ mark, file }) => file?.test(path) || has(mark));
}

/** Directories that begin with a point and hold suites all the same. */
export const FOREIGN_DIRECTORIES: readonly string[] = [".kyverno-test"];

/** Only of documents that `foreignTool` knows. */
export async function importSuite(source: SuiteSource, loader: DocumentLoader): Promise<ImportReading> {
  const format = formatOf(source);
  return format === undefined
    ? { issues: [{ message: "not a suite of a supported tool" }] }
    : format.read(source, loader);
}
