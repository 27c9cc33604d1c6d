// A CustomResourceDefinition, validated on create and on update, with errors in the API server's order. Upstream: apiextensions-apiserver
// pkg/apis/apiextensions/validation/validation.go.

import { type JsonObject, type JsonPath, pushAll, utf8Length } from "@celadon/base";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  inWordsOf,
  JsonShown,
  notSupported,
  oncePut,
  requiredValue,
  ShownText,
} from "@celadon/kube/errors";
import { validateObjectMeta, validateObjectMetaUpdate } from "@celadon/kube/metadata";
import { checkDns1035Label, checkDns1123Subdomain } from "@celadon/kube/names";
import { emulationOf, type Minor } from "@celadon/kube/versions";
import { goJson } from "../decode.ts";
import type { RuleCost } from "../rules/rule-scope.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { someSchema } from "../schema/json-schema.ts";
import { conversionProblem } from "../schema/structural.ts";
import { approvalErrors } from "./approval.ts";
import { conversionErrors } from "./conversion.ts";
import { type CustomResourceDefinition, type DefinitionVersion, type Problems, VERSION } from "./definition.ts";
import { missingNames, nameErrors } from "./names.ts";
import { type HoistedSpec, hoist } from "./read-definition.ts";
import { type DefinitionOptions, ON_CREATE, onUpdate } from "./relaxations.ts";
import { columnErrors, selectableFieldErrors, subresourceErrors } from "./subresources.ts";
import { schemaErrors } from "./validate-schema.ts";

/** Collects information during the validation of a CRD. */
export interface DefinitionObserver {
  /** Called for every rule that compiles, with its estimated cost. */
  readonly onCost?: (cost: RuleCost) => void;
}

/** Options for validating a definition. */
export interface ValidateDefinitionOptions extends DefinitionObserver {
  /** The version of the API server, with default flags; the current one if absent. */
  readonly kubeVersion?: Minor;
}

/** Errors of a CRD, as the API server reports them. */
export function validateDefinition(
  definition: CustomResourceDefinition,
  asked: ValidateDefinitionOptions = {},
): FieldError[] {
  const { spec } = definition;
  const wanted = `${spec.names.plural ?? ""}.${spec.group ?? ""}`;
  const checkName = (name: string): string[] => {
    const problems = checkDns1123Subdomain(name);
    return name === wanted ? problems : [...problems, 'must be spec.names.plural+"."+spec.group'];
  };
  return worded(asked, [
    ...validateObjectMeta(definition.metadata, false, checkName),
    ...specErrors(definition, ON_CREATE, asked),
    ...afterSpec(definition, undefined),
  ]);
}

/** Errors of a CRD that replaces another. */
export function validateDefinitionUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  asked: ValidateDefinitionOptions = {},
): FieldError[] {
  const options = onUpdate(definition, old);
  const path = fieldPath("spec");
  const { spec } = definition;
  const errors = [
    ...validateObjectMetaUpdate(definition.metadata, old.metadata),
    ...specErrors(definition, options, asked),
  ];
  if (options.immutableNames) {
    pushAll(errors, immutable(spec.scope, old.spec.scope, path.child("scope")));
    pushAll(errors, immutable(spec.names.kind, old.spec.names.kind, path.child("names", "kind")));
  }
  pushAll(errors, immutable(spec.group, old.spec.group, path.child("group")));
  pushAll(errors, immutable(spec.names.plural, old.spec.names.plural, path.child("names", "plural")));
  return worded(asked, [...errors, ...afterSpec(definition, old)]);
}

/** Errors in the words of the server. */
const worded = ({ kubeVersion }: ValidateDefinitionOptions, errors: readonly FieldError[]): FieldError[] => [
  ...inWordsOf(emulationOf(kubeVersion), errors),
];

function immutable(value: string | undefined, old: string | undefined, path: FieldPath): Problems {
  return value === old ? [] : [invalidValue(path, value ?? "", "field is immutable")];
}

function afterSpec(definition: CustomResourceDefinition, old: CustomResourceDefinition | undefined): Problems {
  return [
    ...nameErrors(definition.status?.acceptedNames ?? {}, fieldPath("status", "acceptedNames")),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition, old),
    ...preserveErrors(definition, old),
  ];
}

function storedVersionErrors({ spec, status }: CustomResourceDefinition): Problems {
  const path = fieldPath("status", "storedVersions");
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) {
    return [invalidValue(path, new JsonShown(null, "[]string"), "must have at least one stored version")];
  }
  const errors: Problems = [];
  const names = new Set((spec.versions ?? []).map(({ name }) => name ?? ""));
  for (const { name = "", storage } of spec.versions ?? []) {
    if (storage && !stored.includes(name))
      errors.push(invalidValue(path, stored, `must have the storage version ${name}`));
  }
  stored.forEach((name, i) => {
    if (names.has(name)) return;
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalidValue(path.index(i), name, detail));
  });
  return errors;
}

function preserveErrors({ spec }: CustomResourceDefinition, old: CustomResourceDefinition | undefined): Problems {
  if (old?.spec.preserveUnknownFields || !spec.preserveUnknownFields) return [];
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalidValue(fieldPath("spec", "preserveUnknownFields"), true, detail)];
}

function specErrors(
  definition: CustomResourceDefinition,
  given: DefinitionOptions,
  asked: ValidateDefinitionOptions,
): Problems {
  const spec = hoist(definition.spec);
  const path = fieldPath("spec");
  const preserves = spec.preserveUnknownFields === true;
  const schemas = allSchemas(spec);
  const options = { ...given, structural: given.structural || !preserves || schemas.some(needsStructure) };
  const errors: Problems = [
    ...groupErrors(spec.group ?? "", path.child("group")),
    ...scopeErrors(spec.scope ?? "", path.child("scope")),
    ...missingSchemas(spec, options, path.child("versions")),
  ];
  if (preserves && schemas.some((schema) => someSchema(schema, (jsonSchema) => jsonSchema.default !== undefined))) {
    const detail = "must be false in order to use defaults in the schema";
    errors.push(invalidValue(path.child("preserveUnknownFields"), true, detail));
  }
  const hasStatus = (version: DefinitionVersion): boolean =>
    (version.subresources ?? spec.subresources)?.status !== undefined;
  spec.versions.forEach((version, i) => {
    const here = path.child("versions").index(i);
    const problems = checkDns1035Label(version.name ?? "");
    if (problems.length > 0) errors.push(invalidValue(here.child("name"), version.name ?? "", problems.join(",")));
    pushAll(errors, versionErrors(version, here, hasStatus(version), options, asked));
  });
  pushAll(errors, versionSetErrors(spec, definition.spec.versions != null, path.child("versions")));
  const [first] = spec.versions;
  const problems = first?.name ? checkDns1035Label(first.name) : [];
  if (problems.length > 0) errors.push(invalidValue(path.child("version"), first!.name!, problems.join(",")));
  pushAll(errors, missingNames(spec.names, path.child("names")), nameErrors(spec.names, path.child("names")));
  // Validated as if it stood once above the versions; in the object as written it stands in each of them.
  const firstPlace: JsonPath = ["spec", "versions", 0];
  const shared = spec.validation?.openAPIV3Schema;
  if (shared) {
    const anyCost = options.unchangedVersions.has(spec.versions[0]?.name ?? "");
    const context = { hasStatus: spec.versions.some(hasStatus), options, anyCost, asked };
    pushAll(errors, schemaErrors(shared, path.child("validation").standingAt([...firstPlace, "schema"]), context));
  }
  const sharedAt = (name: string): FieldPath => path.child(name).standingAt([...firstPlace, name]);
  pushAll(errors, subresourceErrors(spec.subresources, sharedAt("subresources")));
  pushAll(errors, columnErrors(spec.additionalPrinterColumns ?? [], sharedAt("additionalPrinterColumns")));
  if (spec.selectableFields?.length) {
    const here = sharedAt("selectableFields");
    const holder = path.standingAt(firstPlace);
    if (!spec.validation) errors.push(invalidValue(here, "", "may only be set when validations.schema is included"));
    else
      pushAll(errors, selectableErrors(spec.selectableFields, shared, here, holder, isTooManyAllowed(spec, options)));
  }
  return [...errors, ...conversionProblems(spec, options, path.child("conversion"))];
}

function isTooManyAllowed(spec: HoistedSpec, { tooManySelectable }: DefinitionOptions): boolean {
  return spec.versions.every(({ name = "" }) => tooManySelectable.has(name));
}

function conversionProblems(spec: HoistedSpec, options: DefinitionOptions, path: FieldPath): Problems {
  const { conversion } = spec;
  if (conversion === undefined) return [];
  const errors: Problems = [];
  if (conversion.strategy !== "None" && spec.preserveUnknownFields) {
    const detail = "must be None if spec.preserveUnknownFields is true";
    errors.push(invalidValue(path.child("strategy"), conversion.strategy ?? "", detail));
  }
  return [...errors, ...conversionErrors(conversion, options.recognizedReviewVersion, path)];
}

function groupErrors(group: string, path: FieldPath): Problems {
  if (group === "") return [requiredValue(path)];
  const problems = checkDns1123Subdomain(group);
  if (problems.length > 0) return [invalidValue(path, group, problems.join(","))];
  return group.includes(".") ? [] : [invalidValue(path, group, "should be a domain with at least one dot")];
}

const SCOPES = ["Cluster", "Namespaced"] as const;

function scopeErrors(scope: string, path: FieldPath): Problems {
  if (scope === "") return [requiredValue(path)];
  return (SCOPES as readonly string[]).includes(scope) ? [] : [notSupported(path, scope, SCOPES)];
}

function missingSchemas(spec: HoistedSpec, options: DefinitionOptions, path: FieldPath): Problems {
  if (spec.validation?.openAPIV3Schema) return [];
  const isMissing = ({ schema, served }: DefinitionVersion): boolean =>
    schema?.openAPIV3Schema === undefined &&
    (options.schemaPresent || (served === true && !spec.preserveUnknownFields));
  const required = (at: FieldPath): FieldError =>
    options.schemaPresent
      ? oncePut(requiredValue(at), "schemas are required")
      : requiredValue(at, "because otherwise all fields are pruned");
  return spec.versions.flatMap((version, i) =>
    isMissing(version) ? [required(path.index(i).child("schema", "openAPIV3Schema"))] : [],
  );
}

function allSchemas(spec: HoistedSpec): JsonSchema[] {
  const holders = [spec.validation, ...spec.versions.map(({ schema }) => schema)];
  return holders.flatMap((holder) => holder?.openAPIV3Schema ?? []);
}

const EXTENSIONS = [
  "default",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-validations",
] as const satisfies readonly (keyof JsonSchema)[];

function needsStructure(schema: JsonSchema): boolean {
  return someSchema(schema, (jsonSchema) => EXTENSIONS.some((keyword) => jsonSchema[keyword] !== undefined));
}

function versionErrors(
  version: DefinitionVersion,
  path: FieldPath,
  hasStatus: boolean,
  options: DefinitionOptions,
  asked: ValidateDefinitionOptions,
): Problems {
  const { deprecationWarning, schema, subresources, additionalPrinterColumns = [], selectableFields = [] } = version;
  const errors: Problems = deprecationProblems(version).map((problem) =>
    invalidValue(path.child("deprecationWarning"), deprecationWarning ?? null, problem),
  );
  const own = schema?.openAPIV3Schema;
  if (own) {
    const anyCost = options.unchangedVersions.has(version.name ?? "");
    pushAll(errors, schemaErrors(own, path.child("schema"), { hasStatus, options, anyCost, asked }));
  }
  pushAll(errors, subresourceErrors(subresources, path.child("subresources")));
  pushAll(errors, columnErrors(additionalPrinterColumns, path.child("additionalPrinterColumns")));
  if (selectableFields.length > 0) {
    const here = path.child("selectableFields");
    if (!own) {
      const detail = "may only be set when `version.schema.openAPIV3Schema` is not included";
      errors.push(invalidValue(here, "", detail));
    } else
      errors.push(
        ...selectableErrors(selectableFields, own, here, path, options.tooManySelectable.has(version.name ?? "")),
      );
  }
  return errors;
}

function selectableErrors(
  fields: NonNullable<DefinitionVersion["selectableFields"]>,
  schema: JsonSchema | undefined,
  path: FieldPath,
  holder: FieldPath,
  tooManyAllowed: boolean,
): Problems {
  if (schema === undefined) return [];
  const problem = conversionProblem(schema);
  const errors = problem === undefined ? [] : [invalidValue(holder.child("schema", "openAPIV3Schema"), "", problem)];
  return [...errors, ...selectableFieldErrors(fields, schema, path, tooManyAllowed)];
}

function deprecationProblems({ deprecated, deprecationWarning }: DefinitionVersion): string[] {
  if (deprecationWarning === undefined) return [];
  if (!deprecated) return ["can only be set for deprecated versions"];
  const problems: string[] = [];
  if (utf8Length(deprecationWarning) > 256) problems.push("must be <= 256 characters long");
  if (deprecationWarning === "") problems.push("must not be an empty string");
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(deprecationWarning);
  if (odd !== null) {
    const printable = "must only contain printable UTF-8 characters; non-printable character found at index";
    problems.push(`${printable} ${utf8Length(deprecationWarning.slice(0, odd.index))}`);
  }
  return problems;
}

function versionSetErrors({ versions }: HoistedSpec, areGiven: boolean, path: FieldPath): Problems {
  const errors: Problems = [];
  const shown = (): ShownText =>
    new ShownText(
      !areGiven ? "null" : `[${versions.map((version) => goJson(version as JsonObject, VERSION)).join(",")}]`,
    );
  const names = versions.map(({ name }) => name ?? "");
  if (new Set(names).size < names.length) errors.push(invalidValue(path, shown(), "must contain unique version names"));
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(invalidValue(path, shown(), "must have exactly one version marked as storage version"));
  }
  return errors;
}
