// The Subject of a request: attributes with their own field in the policy, and all others by object identifier.

import { type FieldError, type FieldPath, invalidValue } from "@celadon/kube/errors";
import { NAMED_OIDS, OID, type SubjectAttribute, textsOf } from "../csr/subject.ts";
import type { AllowedString, AllowedSubject } from "../resource.ts";
import { checkList, checkText, type RuleContext } from "./attribute.ts";
import { checkByOid } from "./by-oid.ts";

const LISTS = [
  ["organizations", OID.organization],
  ["countries", OID.country],
  ["organizationalUnits", OID.organizationalUnit],
  ["localities", OID.locality],
  ["provinces", OID.province],
  ["streetAddresses", OID.streetAddress],
  ["postalCodes", OID.postalCode],
] as const;

const LIST_FIELDS: ReadonlyMap<string, string> = new Map(LISTS.map(([field, oid]) => [oid, field]));

export function checkSubject(
  context: RuleContext,
  subject: readonly SubjectAttribute[],
  allowed: AllowedSubject,
  path: FieldPath,
): FieldError[] {
  return [
    ...LISTS.flatMap(([field, oid]) => checkList(context, textsOf(subject, oid), allowed[field], path.child(field))),
    ...checkTexts(context, subject, OID.serialNumber, allowed.serialNumber, path.child("serialNumber")),
    ...checkOthers(context, subject, allowed, path),
  ];
}

const NON_TEXT = "<non-string value>";
const ADVICE =
  "uses an unsupported ASN.1 type or string encoding; re-issue the certificate with a UTF8String or PrintableString subject";

/** An attribute with one allowed text: every occurrence is checked, several with their position. */
export function checkTexts(
  context: RuleContext,
  subject: readonly SubjectAttribute[],
  oid: string,
  entry: AllowedString | null | undefined,
  path: FieldPath,
): FieldError[] {
  const attributes = subject.filter((attribute) => attribute.oid === oid);
  if (attributes.some(({ value }) => value === null)) {
    return [invalidValue(path, NON_TEXT, `subject attribute ${oid} ${ADVICE}`)];
  }
  const texts = textsOf(subject, oid);
  if (texts.length < 2) return checkText(context, texts[0] ?? "", entry, path);
  return texts.flatMap((text, i) => checkText(context, text, entry, path.index(i)));
}

/** Values that are no text come first, including those of named attributes: their lists leave them out. */
function checkOthers(
  context: RuleContext,
  subject: readonly SubjectAttribute[],
  allowed: AllowedSubject,
  path: FieldPath,
): FieldError[] {
  const others = path.child("otherAttributes");
  const errors: FieldError[] = [];
  for (const { oid, value } of subject) {
    if (value !== null || oid === OID.commonName || oid === OID.serialNumber) continue;
    const field = LIST_FIELDS.get(oid);
    errors.push(
      invalidValue(field === undefined ? others.key(oid) : path.child(field), NON_TEXT, `subject attribute ${ADVICE}`),
    );
  }
  const unnamed = subject.filter(({ oid }) => !NAMED_OIDS.has(oid));
  const present = unnamed.flatMap(({ oid, value }) => (value === null ? [] : [{ oid, value }]));
  // A value that is no text counts as present.
  const seen = new Set(unnamed.map(({ oid }) => oid));
  return [...errors, ...checkByOid(context, present, allowed.otherAttributes ?? [], others, seen)];
}
