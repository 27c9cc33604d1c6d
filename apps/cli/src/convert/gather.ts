// Gathers the suites and policies under the paths of a call, with the files they name, and the problems of unreadable ones.

import { pushAll } from "@celadon/base";
import { gvkOf, type KubeObject } from "@celadon/kube";
import type { LoadIssue, SuiteSource } from "@celadon/testing";
import {
  constraintKind,
  convertPolicy,
  convertTemplate,
  FOREIGN_DIRECTORIES,
  foreignTool,
  type Imported,
  importSuite,
  isConstraint,
  isTemplate,
  type KnownKind,
  type PolicyConversion,
} from "@celadon/testing/import";
import { loadOptionsOf, printNotes, reportUnread } from "../inputs/inputs.ts";
import type { Args } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import { findFiles } from "../sources/find/find.ts";
import type { LoadOptions, SourceIssue, SourceNote } from "../sources/index.ts";
import { hasTemplateAction, recognisedFiles, TEMPLATE } from "../sources/recognised.ts";
import { SkippedFiles } from "../sources/skipped.ts";
import { DiskDocuments, documentsOf } from "../suites/foreign-documents.ts";
import { reachOf } from "../suites/reach.ts";

/** The result and the place of one policy. */
export interface GatheredPolicy {
  readonly source: SuiteSource;
  readonly conversion: PolicyConversion;
}

export interface Gathered {
  readonly suites: readonly Imported[];
  readonly policies: readonly GatheredPolicy[];
  /** The problems of unreadable files. */
  readonly issues: readonly SourceIssue[];
}

export async function gather(
  paths: readonly string[],
  args: Args<"allow-outside" | "color" | "quiet">,
  io: Io,
): Promise<Gathered> {
  const options = await loadOptionsOf("convert", args, io);
  const { documents, issues, notes } = await readAll(paths, options, io);
  printNotes(notes, args, io);
  const suites: Imported[] = [];
  for (const document of documents.filter((source) => foreignTool(source) !== undefined)) {
    const read = await importSuite(
      document,
      new DiskDocuments(await reachOf(document.origin.file, io, args.on("allow-outside"))),
    );
    if (read.imported !== undefined) suites.push(read.imported);
    pushAll(
      issues,
      read.issues.map((issue) => toSourceIssue(issue, document.origin.file)),
    );
  }
  reportUnread(issues, options.strict || documents.length === 0, args, io);
  return { suites, policies: convertAll(documents.filter(isObject)), issues };
}

const isObject = ({ value }: SuiteSource): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  typeof (value as KubeObject).kind === "string";

interface ReadAll {
  readonly documents: readonly SuiteSource[];
  readonly issues: SourceIssue[];
  readonly notes: readonly SourceNote[];
}

async function readAll(
  paths: readonly string[],
  { strict, exclusion }: Pick<LoadOptions, "strict" | "exclusion">,
  io: Io,
): Promise<ReadAll> {
  const found = await findFiles(paths, "celadon convert", io, FOREIGN_DIRECTORIES, exclusion);
  const issues: SourceIssue[] = [...found.issues];
  const documents: SuiteSource[] = [];
  const skipped = new SkippedFiles();
  const recognised = strict ? new Map() : await recognisedFiles(found.files, io);
  for (const [path, why] of recognised) skipped.add(path, why);
  for (const { path, named } of found.files.filter((file) => !recognised.has(file.path))) {
    io.signal.throwIfAborted();
    const read = await documentsOf(path, io);
    const isUnrendered = !named && !strict && read.issues.some(({ lineText }) => hasTemplateAction(lineText ?? ""));
    if (isUnrendered) skipped.add(path, TEMPLATE);
    pushAll(documents, read.documents);
    if (!isUnrendered)
      pushAll(
        issues,
        read.issues.map((issue) => toSourceIssue(issue, path)),
      );
  }
  return { documents, issues, notes: [...found.notes, ...skipped.notes()] };
}

function toSourceIssue({ message, file, line, column, hint, lineText }: LoadIssue, from: string): SourceIssue {
  return {
    code: line === undefined ? "missing" : "syntax",
    file: file ?? from,
    message,
    ...(line !== undefined && { line, column: column ?? 1 }),
    ...(lineText !== undefined && { lineText }),
    ...(hint !== undefined && { hint }),
  };
}

function convertAll(documents: readonly SuiteSource[]): readonly GatheredPolicy[] {
  const known = documents.flatMap(({ value }) => kindOfDefinition(value as KubeObject));
  const constraints = documents.map(({ value }) => value as KubeObject).filter(isConstraint);
  return documents.flatMap((source): GatheredPolicy[] => {
    const object = source.value as KubeObject;
    if (!isTemplate(object)) {
      const conversion = convertPolicy(object, known);
      return conversion === undefined ? [] : [{ source, conversion }];
    }
    const own = constraints.filter((constraint) => gvkOf(constraint).kind === constraintKind(object));
    return [{ source, conversion: convertTemplate(object, own, known) }];
  });
}

function kindOfDefinition(object: KubeObject): KnownKind[] {
  if (object.kind !== "CustomResourceDefinition") return [];
  const { group, names } = (object.spec ?? {}) as { group?: unknown; names?: { kind?: unknown; plural?: unknown } };
  const { kind, plural } = names ?? {};
  return typeof group === "string" && typeof kind === "string" && typeof plural === "string"
    ? [{ group, kind, resource: plural }]
    : [];
}
