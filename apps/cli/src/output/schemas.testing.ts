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
  readonly spec: {
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: { readonly properties: object } } }[];
  };
}

/** The APIs of reports: those of openreports.io have a source as well. */
const REPORT_APIS = {
  "wgpolicyk8s.io": { version: "v1alpha2", kinds: ["PolicyReport", "ClusterPolicyReport"], fields: {} },
  "openreports.io": { version: "v1alpha1", kinds: ["Report", "ClusterReport"], fields: { source: { type: "string" } } },
} as const;

export function policyReportProblems(text: string, group: keyof typeof REPORT_APIS = "wgpolicyk8s.io"): unknown[] {
  const { version, kinds, fields } = REPORT_APIS[group];
  const definitions = readDocuments(readFileSync(schemaFile("policyreports.yaml"), "utf8")).documents.map(
    ({ value }) => value as Definition,
  );
  const [written] = definitions[0]!.spec.versions;
  Object.assign(written!.schema.openAPIV3Schema.properties, fields);
  const types = new Map(
    definitions.map((definition, index) => {
      const kind = kinds[index]!;
      const singular = kind.toLowerCase();
      const named = {
        ...definition,
        metadata: { name: `${singular}s.${group}` },
        spec: {
          ...definition.spec,
          group,
          names: { kind, plural: `${singular}s`, singular },
          versions: [{ ...written, name: version }],
        },
      };
      const admitted = admitDefinition(named as never, undefined);
      if (!admitted.allowed) throw new Error(admitted.status.message);
      return [kind, new CustomResourceType(admitted.object).version(version)!] as const;
    }),
  );
  const { documents, issues } = readDocuments(text);
  const answers = documents.map(({ value }) =>
    admitCreate(types.get((value as { kind: "Report" }).kind)!, value as never),
  );
  return [...issues, ...answers.flatMap((answer) => [...answer.warnings, ...(answer.allowed ? [] : [answer.status])])];
}
