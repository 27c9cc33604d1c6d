// Gathers the suites and policies under the paths of a call, with everything they name. What
// cannot be read ends the verb before anything is written.

import { pushAll } from "@celadon/base";
import { gvkOf, type KubeObject } from "@celadon/kube";
import type { LoadIssue, SuiteSource } from "@celadon/testing";
import {
  type Conversion,
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
} from "@celadon/testing/import";
import { badInput } from "../inputs/inputs.ts";
import type { Io } from "../program/io.ts";
import { findFiles } from "../sources/find/find.ts";
import type { SourceIssue } from "../sources/index.ts";
import { DiskDocuments, documentsOf } from "../suites/foreign-documents.ts";
import { reachOf } from "../suites/reach.ts";

/** The result and the place of one policy. */
export interface GatheredPolicy {
  readonly source: SuiteSource;
  readonly conversion: Conversion;
}

export interface Gathered {
  readonly suites: readonly Imported[];
  readonly policies: readonly GatheredPolicy[];
}

export async function gather(paths: readonly string[], allowOutside: boolean, io: Io): Promise<Gathered> {
  const documents = await readAll(paths, io);
  const suites: Imported[] = [];
  const issues: SourceIssue[] = [];
  for (const document of documents.filter((source) => foreignTool(source) !== undefined)) {
    const read = await importSuite(document, new DiskDocuments(await reachOf(document.origin.file, io, allowOutside)));
    if (read.imported !== undefined) suites.push(read.imported);
    pushAll(
      issues,
      read.issues.map((issue) => toSourceIssue(issue, document.origin.file)),
    );
  }
  if (issues.length > 0) throw badInput(issues, io);
  return { suites, policies: convertAll(documents.filter(isObject)) };
}

const isObject = ({ value }: SuiteSource): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  typeof (value as KubeObject).kind === "string";

async function readAll(paths: readonly string[], io: Io): Promise<readonly SuiteSource[]> {
  const { files, issues } = await findFiles(paths, "celadon convert", io, FOREIGN_DIRECTORIES);
  const wrong: SourceIssue[] = [...issues];
  const documents: SuiteSource[] = [];
  for (const { path, named } of files) {
    io.signal.throwIfAborted();
    const read = await documentsOf(path, io);
    pushAll(documents, read.documents);
    // Other files in a directory may be anything.
    if (named)
      pushAll(
        wrong,
        read.issues.map((issue) => toSourceIssue(issue, path)),
      );
  }
  if (wrong.length > 0) throw badInput(wrong, io);
  return documents;
}

function toSourceIssue({ message, file, line, column, hint }: LoadIssue, from: string): SourceIssue {
  return {
    code: line === undefined ? "missing" : "syntax",
    file: file ?? from,
    message,
    ...(line !== undefined && { line, column: column ?? 1 }),
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
