// The format of celadon.yaml, field by field. docs/reference/configuration.md describes it; editors show the descriptions here through
// the JSON schema, and the language service and the command check files against the same table.

import type { Manifest } from "@celadon/simulator/manifests";
import { API_VERSION } from "../suite/format.ts";
import type { SuiteIssue } from "../suite/issue.ts";
import { checkShape } from "../suite/read/check-shape.ts";
import { type JsonSchema, jsonSchemaOf } from "../suite/read/json-schema.ts";
import { BOOL, choice, type Field, field, fields, listOf, required, type Shape, TEXT } from "../suite/read/shape.ts";

/** The kind of configuration files. */
export const CONFIGURATION_KIND = "Configuration";
/** The name of the file that is found upwards from the working directory. */
export const CONFIGURATION_FILE = "celadon.yaml";

/** The allowed contents of celadon.yaml. */
export interface ConfigurationText {
  readonly paths?: readonly string[];
  readonly exclude?: readonly string[];
  readonly gitignore?: boolean;
  readonly strictFiles?: boolean;
  readonly kubeVersion?: string;
  readonly disable?: readonly string[];
  readonly unknownKinds?: "error" | "warn" | "ignore";
  readonly baseline?: string;
  readonly overrides?: readonly ConfigurationOverride[];
}

/** Settings for some paths; of several overrides for a file, the last one that has a setting decides. */
export interface ConfigurationOverride {
  readonly paths: readonly string[];
  readonly disable?: readonly string[];
  readonly unknownKinds?: "error" | "warn" | "ignore";
}

const BY_DIRECTORY: Readonly<Record<"disable" | "unknownKinds", Field>> = {
  disable: field(listOf(TEXT), "Codes of `celadon lint --list` that are not reported."),
  unknownKinds: field(
    choice("error", "warn", "ignore"),
    "The treatment of objects of kinds without a CustomResourceDefinition by `check`.",
  ),
};

export const CONFIGURATION: Shape = fields({
  apiVersion: required(choice(API_VERSION), "The version of this format."),
  kind: required(choice(CONFIGURATION_KIND), "The configuration of Celadon."),
  paths: field(listOf(TEXT), "Files, directories and globs to read when a command names none; relative to this file."),
  exclude: field(listOf(TEXT), "Files of directories to leave out: patterns as in .gitignore, relative to this file."),
  gitignore: field(BOOL, "Leave out what .gitignore names, too."),
  strictFiles: field(BOOL, "End without results if a file cannot be read, and skip nothing in directories."),
  kubeVersion: field(
    TEXT,
    'Kubernetes version to emulate, such as "1.36". `lint`, `cost` and `test` take several, such as "1.33..1.36"; other commands use the newest of them.',
  ),
  ...BY_DIRECTORY,
  baseline: field(TEXT, "The baseline of `lint` and `check`, relative to this file: findings in it are suppressed."),
  overrides: field(
    listOf(
      fields({
        paths: required(
          listOf(TEXT, true),
          "Patterns of the files that this is for, as in .gitignore, relative to this file.",
        ),
        ...BY_DIRECTORY,
      }),
    ),
    "Settings for some directories or files; of several for a file the last one counts. Disabled codes add up.",
  ),
});

/** For editors. */
export function configurationSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "https://celadon.dev/schemas/celadon.schema.json",
    title: "Celadon configuration",
    ...jsonSchemaOf(CONFIGURATION),
  };
}

/** Whether an object is a configuration of Celadon. */
export function isConfiguration({ object }: Manifest): boolean {
  return object.kind === CONFIGURATION_KIND && String(object.apiVersion).startsWith("celadon.dev/");
}

/** The mistakes in a configuration, with their places. */
export function configurationIssues({ object, origin }: Manifest): readonly SuiteIssue[] {
  return origin === undefined ? [] : checkShape(object, CONFIGURATION, origin);
}
