// Text in ASN.1: the string types a Subject attribute may have, read as the reference reads them. A type that holds no text
// there is null; bytes that their own type forbids make the whole request unreadable.

import { decodeUtf8 } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { type Part, readBitString, readInteger, readOid, TAG, UNIVERSAL } from "./der.ts";
import { latin1 } from "./pem.ts";

/** The text of an attribute's value; null for a value that is no text. */
export function attributeText(value: Part): string | null | Invalid {
  if (value.tagClass !== UNIVERSAL || value.constructed) return null;
  const { content } = value;
  switch (value.tag) {
    case TAG.utf8String:
      return utf8(content);
    case TAG.printableString:
      return restricted(content, "PrintableString", /^[A-Za-z0-9'()+,\-./ :=?*&]*$/);
    case TAG.numericString:
      return restricted(content, "NumericString", /^[0-9 ]*$/);
    case TAG.ia5String:
      return isAscii(content) ? latin1(content) : invalidCharacter("IA5String");
    case TAG.t61String:
      return latin1(content);
    case TAG.bmpString:
      return bmpText(content);
    default:
      return nonText(value);
  }
}

export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

function utf8(content: Uint8Array): string | Invalid {
  return decodeUtf8(content) ?? new Invalid("asn1: invalid UTF-8 string");
}

function restricted(content: Uint8Array, type: string, pattern: RegExp): string | Invalid {
  const text = latin1(content);
  return pattern.test(text) ? text : invalidCharacter(type);
}

const invalidCharacter = (type: string): Invalid =>
  new Invalid(`asn1: syntax error: ${type} contains invalid character`);

/** UCS-2 without surrogate pairs; one terminating NUL is dropped. */
function bmpText(content: Uint8Array): string | Invalid {
  if (content.length % 2 !== 0) return new Invalid("invalid BMPString");
  const units: number[] = [];
  for (let i = 0; i < content.length; i += 2) units.push((content[i]! << 8) | content[i + 1]!);
  if (units.at(-1) === 0) units.pop();
  return units.some(isReserved)
    ? new Invalid("invalid BMPString")
    : units.map((unit) => String.fromCharCode(unit)).join("");
}

function isReserved(unit: number): boolean {
  return unit >= 0xfffe || (unit >= 0xfdd0 && unit <= 0xfdef) || (unit >= 0xd800 && unit <= 0xdfff);
}

const UTC_TIME = /^\d{6}([01]\d|2[0-3])[0-5]\d([0-5]\d)?(Z|[+-]\d{4})$/;
const GENERALIZED_TIME = /^\d{8}([01]\d|2[0-3])[0-5]\d[0-5]\d(\.\d{1,9})?(Z|[+-]\d{4})$/;

/** Types without text are checked, too: one that is malformed is not skipped. */
function nonText({ tag, content }: Part): null | Invalid {
  switch (tag) {
    case TAG.integer: {
      const value = readInteger(content);
      if (value instanceof Invalid) return value;
      return content.length > 8 ? new Invalid("asn1: structure error: integer too large") : null;
    }
    case TAG.bitString: {
      const bits = readBitString(content);
      return bits instanceof Invalid ? bits : null;
    }
    case TAG.oid: {
      const oid = readOid(content);
      return oid instanceof Invalid ? oid : null;
    }
    case TAG.utcTime:
      return UTC_TIME.test(latin1(content)) ? null : new Invalid("asn1: structure error: malformed UTCTime");
    case TAG.generalizedTime:
      return GENERALIZED_TIME.test(latin1(content))
        ? null
        : new Invalid("asn1: structure error: malformed GeneralizedTime");
    default:
      return null;
  }
}
