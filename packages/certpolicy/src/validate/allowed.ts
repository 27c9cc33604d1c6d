// Admission of `spec.allowed`: rules compile, required values can be given, object identifiers are valid.

import { type FieldError, type FieldPath, fieldPath, invalidValue, requiredValue } from "@celadon/kube/errors";
import { NAMED_OIDS } from "../csr/subject.ts";
import type { Allowed, AllowedByOid, AllowedList, AllowedString, ValidationRule } from "../resource.ts";
import type { RuleCache } from "../rules/cache.ts";
import { InvalidRule } from "../rules/rule.ts";

const SUBJECT_LISTS = [
  "organizations",
  "countries",
  "organizationalUnits",
  "localities",
  "provinces",
  "streetAddresses",
  "postalCodes",
] as const;

export function validateAllowed(allowed: Allowed | null | undefined, rules: RuleCache): FieldError[] {
  if (allowed === null || allowed === undefined) return [];
  const path = fieldPath("spec", "allowed");
  const subjectPath = path.child("subject");
  const subject = allowed.subject ?? {};
  const lists = (["dnsNames", "ipAddresses", "uris", "emailAddresses"] as const).flatMap((field) =>
    checkEntry(allowed[field], "values", path.child(field), rules),
  );
  const subjectLists = SUBJECT_LISTS.flatMap((field) =>
    checkEntry(subject[field], "values", subjectPath.child(field), rules),
  );
  return [
    ...lists,
    ...subjectLists,
    ...checkEntry(allowed.commonName, "value", path.child("commonName"), rules),
    ...checkEntry(subject.serialNumber, "value", subjectPath.child("serialNumber"), rules),
    ...checkByOid(allowed.otherNames ?? [], path.child("otherNames"), rules, () => undefined),
    ...checkByOid(subject.otherAttributes ?? [], subjectPath.child("otherAttributes"), rules, namedOid),
  ];
}

type Entry = Partial<AllowedString & AllowedList>;

function checkEntry(
  entry: Entry | null | undefined,
  field: "value" | "values",
  path: FieldPath,
  rules: RuleCache,
): FieldError[] {
  if (entry === null || entry === undefined) return [];
  const validations = entry.validations ?? [];
  const errors: FieldError[] = [];
  if (entry.required === true && (entry[field] ?? undefined) === undefined && validations.length === 0) {
    const detail = `at least one of '${field}' or 'validations' must be defined if field is 'required'`;
    errors.push(requiredValue(path.child(field), detail));
  }
  return [...errors, ...checkRules(validations, path.child("validations"), rules)];
}

function checkRules(validations: readonly ValidationRule[], path: FieldPath, rules: RuleCache): FieldError[] {
  return validations.flatMap(({ rule: text }, i) => {
    const rule = rules.get(text);
    if (!(rule instanceof InvalidRule)) return [];
    const at = path.index(i);
    const expression = { steps: at.child("rule").steps, text, offset: 0, issues: rule.issues };
    return [{ ...invalidValue(at, text, rule.message), expression }];
  });
}

function checkByOid(
  entries: readonly AllowedByOid[],
  path: FieldPath,
  rules: RuleCache,
  further: (oid: string) => string | undefined,
): FieldError[] {
  return entries.flatMap((entry, i) => {
    const problem = oidProblem(entry.oid) ?? further(entry.oid);
    const errors = checkEntry(entry, "values", path.index(i), rules);
    return problem === undefined ? errors : [invalidValue(path.index(i).child("oid"), entry.oid, problem), ...errors];
  });
}

const MAX_ARC = (1n << 63n) - 1n;

/** Arcs are 64-bit numbers written without superfluous signs and zeros; how many there are does not matter. */
function oidProblem(oid: string): string | undefined {
  const arcs = oid.split(".");
  const canonical = arcs.every(
    (arc) => /^(0|-?[1-9][0-9]*)$/.test(arc) && BigInt(arc) <= MAX_ARC && BigInt(arc) >= -MAX_ARC - 1n,
  );
  if (!canonical) return `must be a valid, canonical dotted ASN.1 object identifier (e.g. "1.3.6.1.4.1.311.20.2.3")`;
  return oid.includes("-") ? "OID arcs must be non-negative" : undefined;
}

function namedOid(oid: string): string | undefined {
  return NAMED_OIDS.has(oid)
    ? "this OID is covered by a dedicated allowed.commonName / allowed.subject.* field; configure it there instead of otherAttributes"
    : undefined;
}
