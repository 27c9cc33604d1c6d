// Fields of definitions and of certificate policies.

import { isRecord, type JsonPath, pushAll } from "@celadon/base";
import { type KubeObject, type ValueAt, valuesAt } from "@celadon/kube";
import {
  dropped,
  eachDropped,
  type FieldMutant,
  type FieldMutator,
  flipped,
  oneDropped,
  shifted,
} from "./field-mutators.ts";

const LOW = ["minimum", "minLength", "minItems", "minProperties"];
const HIGH = ["maximum", "maxLength", "maxItems", "maxProperties"];

/** Looked for in every schema of a definition. */
// biome-ignore format: one mutator per entry
export const SCHEMA_MUTATORS: readonly FieldMutator[] = [
  { name: "rule-dropped",     about: "a rule removed",                              at: ["x-kubernetes-validations.*"], of: dropped },
  { name: "old-self-changed", about: "optionalOldSelf: true ↔ false",                at: ["x-kubernetes-validations.*.optionalOldSelf"], of: flipped },
  { name: "bound-shifted",    about: "minimum, maxLength, maxItems… one up and down", at: [...LOW, ...HIGH], of: shifted },
  { name: "pattern-dropped",  about: "a pattern removed",                           at: ["pattern"], of: dropped },
  { name: "enum-narrowed",    about: "a value removed from an enum",                  at: ["enum"], of: oneDropped },
  { name: "required-dropped", about: "a required field made optional",  at: ["required"], of: eachDropped },
];

/** The places at which schemas contain schemas. Mutators of junctors only validate, and the others cover them. */
const INNER = [["properties", "*"], ["items"], ["additionalProperties"]];

/** Only of versions that are served. */
export function schemaMutants(
  object: KubeObject,
  of: (schema: KubeObject) => readonly FieldMutant[],
): readonly FieldMutant[] {
  const found: FieldMutant[] = [];
  const open: ValueAt[] = valuesAt(object, ["spec", "versions", "*"])
    .flatMap(({ path, value }) =>
      isRecord(value) && value.served === true
        ? valuesAt(value, ["schema", "openAPIV3Schema"]).map((valueAt) => ({
            path: [...path, ...valueAt.path],
            value: valueAt.value,
          }))
        : [],
    )
    .toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value } = next;
    if (!isRecord(value)) continue;
    const within = (inner: JsonPath): JsonPath => [...path, ...inner];
    pushAll(
      found,
      of(value).map((mutant) => ({ ...mutant, path: within(mutant.path) })),
    );
    const below = INNER.flatMap((pattern) => valuesAt(value, pattern));
    pushAll(open, below.map((valueAt) => ({ path: within(valueAt.path), value: valueAt.value })).toReversed());
  }
  return found;
}

const STRINGS = ["commonName", "subject.serialNumber"];
const SUBJECT = [
  "organizations",
  "countries",
  "organizationalUnits",
  "localities",
  "provinces",
  "streetAddresses",
  "postalCodes",
  "otherAttributes.*",
];
const LISTS = [
  "dnsNames",
  "ipAddresses",
  "uris",
  "emailAddresses",
  "otherNames.*",
  ...SUBJECT.map((name) => `subject.${name}`),
];
const allowed = (names: readonly string[], field: string): string[] =>
  names.map((name) => `spec.allowed.${name}.${field}`);

// biome-ignore format: one mutator per entry
export const CERTIFICATE_MUTATORS: readonly FieldMutator[] = [
  { name: "rule-dropped",       about: "a rule removed",                                 at: allowed([...STRINGS, ...LISTS], "validations.*"), of: dropped },
  { name: "allowed-narrowed",   about: "an allowed value or usage removed",              at: [...allowed(LISTS, "values"), "spec.allowed.usages"], of: eachDropped },
  { name: "allowed-narrowed",   about: "an allowed value or usage removed",              at: allowed(STRINGS, "value"), of: dropped },
  { name: "required-dropped",   about: "required: true ↔ false",                          at: allowed([...STRINGS, ...LISTS], "required"), of: flipped },
  { name: "ca-changed",         about: "isCA: true ↔ false",                              at: ["spec.allowed.isCA"], of: flipped },
  { name: "constraint-dropped", about: "a constraint removed",                           at: ["spec.constraints.minDuration", "spec.constraints.maxDuration", "spec.constraints.privateKey.algorithm"], of: dropped },
  { name: "bound-shifted",      about: "sizes of keys one up and down",                   at: ["spec.constraints.privateKey.minSize", "spec.constraints.privateKey.maxSize"], of: shifted },
  { name: "selector-dropped",   about: "a part of the selector removed",                 at: ["spec.selector.issuerRef", "spec.selector.namespace.matchNames", "spec.selector.namespace.matchLabels"], of: eachDropped },
];
