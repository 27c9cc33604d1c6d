// Conditions that an updated definition need not fulfil because the old one did not, and the comparison of both.

import { deepEqual } from "@celadon/base";
import { fieldPath } from "@celadon/kube/errors";
import { type JsonSchema, rulesOf, someSchema } from "../schema/json-schema.ts";
import { OPENAPI_TYPES } from "../schema/keywords.ts";
import { hasNonAtomicSet, nullabilityErrors } from "../schema/list-types.ts";
import { conversionProblem, structuralErrors } from "../schema/structural.ts";
import { hasRecognizedReviewVersion } from "./conversion.ts";
import { hasUnprunedDefaults } from "./default-values.ts";
import type { CustomResourceDefinition } from "./definition.ts";
import { type HoistedSpec, hoist, schemasOf } from "./read-definition.ts";
import { MAX_SELECTABLE_FIELDS } from "./subresources.ts";

export interface DefinitionOptions {
  readonly recognizedReviewVersion: boolean;
  readonly immutableNames: boolean;
  readonly schemaPresent: boolean;
  readonly validTypes: boolean;
  readonly structural: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSets: boolean;
  readonly keysPresent: boolean;
  /** Expressions that were there before, which may use what new ones may not. */
  readonly knownRules: ReadonlySet<string>;
  readonly knownMessages: ReadonlySet<string>;
  /** Versions whose single rules have no cost limit, because nothing in their schema changed. */
  readonly unchangedVersions: ReadonlySet<string>;
  /** Versions that may keep too many selectable fields. */
  readonly tooManySelectable: ReadonlySet<string>;
}

export const ON_CREATE: DefinitionOptions = {
  recognizedReviewVersion: true,
  immutableNames: false,
  schemaPresent: true,
  validTypes: true,
  structural: true,
  prunedDefaults: true,
  atomicSets: true,
  keysPresent: true,
  knownRules: new Set(),
  knownMessages: new Set(),
  unchangedVersions: new Set(),
  tooManySelectable: new Set(),
};

export function onUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition): DefinitionOptions {
  const schemas = schemasOf(old.spec);
  const none = (test: (schema: JsonSchema) => boolean): boolean => !schemas.some(test);
  const known = knownExpressions(schemas);
  const versions = definition.spec.versions ?? [];
  return {
    recognizedReviewVersion: hasRecognizedReviewVersion(old.spec.conversion?.webhook?.conversionReviewVersions ?? []),
    immutableNames: isEstablished(old),
    schemaPresent: (old.spec.versions ?? []).every(({ schema }) => schema?.openAPIV3Schema !== undefined),
    validTypes: none((schema) => someSchema(schema, ({ type }) => type !== undefined && !OPENAPI_TYPES.includes(type))),
    structural: none(isNonStructural),
    prunedDefaults: none(hasUnprunedDefaults),
    atomicSets: none(hasNonAtomicSet),
    keysPresent: none((schema) =>
      someSchema(schema, (jsonSchema) => nullabilityErrors(jsonSchema, fieldPath("")).length > 0),
    ),
    knownRules: known.rules,
    knownMessages: known.messages,
    unchangedVersions: unchangedVersions(hoist(definition.spec), hoist(old.spec)),
    tooManySelectable: new Set(
      versions.flatMap(({ name = "", selectableFields = [] }) => {
        const before = old.spec.versions?.find((version) => version.name === name)?.selectableFields ?? [];
        return before.length > MAX_SELECTABLE_FIELDS && deepEqual(before, selectableFields) ? [name] : [];
      }),
    ),
  };
}

/** A schema that all versions shared is also the old schema of a new version. */
function unchangedVersions(spec: HoistedSpec, old: HoistedSpec): ReadonlySet<string> {
  const names = spec.versions.map(({ name = "" }) => name);
  return new Set(
    names.filter((name) => {
      const [now, before] = [schemaFor(spec, name), schemaFor(old, name)];
      return now !== undefined && before !== undefined && deepEqual(now, before);
    }),
  );
}

/** The schema of a version, `{}` without one; undefined when the version does not exist. */
function schemaFor({ versions, validation = {} }: HoistedSpec, name: string): object | undefined {
  if (versions.every(({ schema }) => schema === undefined)) return validation;
  const version = versions.find((candidate) => candidate.name === name);
  return version && (version.schema ?? {});
}

function isEstablished(definition: CustomResourceDefinition): boolean {
  const conditions = definition.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === "Established" && status === "True");
}

function isNonStructural(schema: JsonSchema): boolean {
  return conversionProblem(schema) !== undefined || structuralErrors(schema, fieldPath("")).length > 0;
}

function knownExpressions(schemas: readonly JsonSchema[]): {
  readonly rules: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
} {
  const rules = new Set<string>();
  const messages = new Set<string>();
  for (const schema of schemas) {
    someSchema(schema, (jsonSchema) => {
      for (const { rule, messageExpression } of rulesOf(jsonSchema)) {
        rules.add(rule ?? "");
        if (messageExpression) messages.add(messageExpression);
      }
      return false;
    });
  }
  return { rules, messages };
}
