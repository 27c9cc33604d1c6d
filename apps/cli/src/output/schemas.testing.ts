// Checks reports against the schemas of their readers.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { admitCreate, admitDefinition, CustomResourceType } from "@celadon/crd";
import { readDocuments } from "@celadon/kube/read";
import Ajv from "ajv";

const require = createRequire(import.meta.url);
const schemaFile = (name: string): URL => new URL(`../../testdata/schema/${name}`, import.meta.url);

export const hasXmllint: boolean = spawnSync("xmllint", ["--version"]).status === 0;

export function junitProblems(text: string): string[] {
  const xsd = fileURLToPath(schemaFile("junit.xsd"));
  const { status, stderr } = spawnSync("xmllint", ["--noout", "--schema", xsd, "-"], { input: text, encoding: "utf8" });
  return status === 0 ? [] : [stderr];
}

export function sarifProblems(text: string): unknown[] {
  const ajv = new Ajv({ schemaId: "id", meta: false, allErrors: true });
  ajv.addMetaSchema(JSON.parse(readFileSync(require.resolve("ajv/lib/refs/json-schema-draft-04.json"), "utf8")));
  const validate = ajv.compile(require("@microsoft/sarif-matcher-utils/lib/schemas/sarif-2.1.0-rtm.5.json"));
  validate(JSON.parse(text));
  return validate.errors ?? [];
}

interface Definition {
  readonly spec: { readonly names: { readonly kind: string }; versions: unknown };
}

export function policyReportProblems(text: string): unknown[] {
  const definitions = readDocuments(readFileSync(schemaFile("policyreports.yaml"), "utf8")).documents.map(
    ({ value }) => value as Definition,
  );
  definitions[1]!.spec.versions = definitions[0]!.spec.versions;
  const types = new Map(
    definitions.map((definition) => {
      const admitted = admitDefinition(definition as never, undefined);
      if (!admitted.allowed) throw new Error(admitted.status.message);
      return [definition.spec.names.kind, new CustomResourceType(admitted.object).version("v1alpha2")!];
    }),
  );
  const { documents, issues } = readDocuments(text);
  const answers = documents.map(({ value }) =>
    admitCreate(types.get((value as { kind: string }).kind)!, value as never),
  );
  return [...issues, ...answers.flatMap((answer) => [...answer.warnings, ...(answer.allowed ? [] : [answer.status])])];
}
