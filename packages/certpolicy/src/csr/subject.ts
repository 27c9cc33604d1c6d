// A distinguished name: every attribute in order, both those that a policy names by field and those that it names by OID.

import { Invalid } from "@celadon/kube/errors";
import { isUniversal, mismatch, type Part, readOid, readParts, TAG } from "./der.ts";
import { attributeText } from "./text.ts";

/** One attribute of a Subject. */
export interface SubjectAttribute {
  /** Position of the set (RDN) it stands in. */
  readonly rdn: number;
  readonly oid: string;
  /** Null for a value that is no text. */
  readonly value: string | null;
}

/** Object identifiers of the attributes of a subject. */
export const OID = {
  commonName: "2.5.4.3",
  serialNumber: "2.5.4.5",
  country: "2.5.4.6",
  locality: "2.5.4.7",
  province: "2.5.4.8",
  streetAddress: "2.5.4.9",
  organization: "2.5.4.10",
  organizationalUnit: "2.5.4.11",
  postalCode: "2.5.4.17",
} as const;

/** OIDs that have their own field in a policy. */
export const NAMED_OIDS: ReadonlySet<string> = new Set(Object.values(OID));

/** All attributes in order of appearance; inside one set that is the set's own order. */
export function readName(name: Part | undefined): readonly SubjectAttribute[] | Invalid {
  return isUniversal(name, TAG.sequence, true) ? readRdns(name.content) : mismatch("subject", "SEQUENCE", name);
}

/** The same from the content of a name. */
export function readRdns(content: Uint8Array): readonly SubjectAttribute[] | Invalid {
  const sets = readParts(content);
  if (sets instanceof Invalid) return sets;
  const attributes: SubjectAttribute[] = [];
  for (const [rdn, set] of sets.entries()) {
    if (!isUniversal(set, TAG.set, true)) return new Invalid("asn1: structure error: sequence tag mismatch");
    const pairs = readParts(set.content);
    if (pairs instanceof Invalid) return pairs;
    for (const pair of pairs) {
      const attribute = readAttribute(rdn, pair);
      if (attribute instanceof Invalid) return attribute;
      attributes.push(attribute);
    }
  }
  return attributes;
}

function readAttribute(rdn: number, pair: Part): SubjectAttribute | Invalid {
  if (!isUniversal(pair, TAG.sequence, true)) return mismatch("a subject attribute", "SEQUENCE", pair);
  const parts = readParts(pair.content, 2);
  if (parts instanceof Invalid) return parts;
  const [type, value] = parts;
  if (!isUniversal(type, TAG.oid)) return mismatch("a subject attribute's type", "OBJECT IDENTIFIER", type);
  const oid = readOid(type.content);
  if (oid instanceof Invalid) return oid;
  if (value === undefined) return mismatch(`value of subject attribute ${oid}`, "text", value);
  const text = attributeText(value);
  return text instanceof Invalid ? text : { rdn, oid, value: text };
}

/** The strings of one kind of attribute; other values are ignored. */
export function textsOf(attributes: readonly SubjectAttribute[], oid: string): readonly string[] {
  return attributes.flatMap((attribute) =>
    attribute.oid === oid && attribute.value !== null ? [attribute.value] : [],
  );
}
