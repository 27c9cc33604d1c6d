// Formats of strings: which texts have one. Names are compared without dashes; those not listed are ignored.
// Upstream: kube-openapi pkg/validation/strfmt, apiextensions-apiserver pkg/apiserver/validation/formats.go.

import { utf8Length } from "@celadon/base";
import { isError } from "@celadon/cel";
import { ParseFailure, parseIpAddress } from "@celadon/cel/net";
import { compileRegex, type Regex } from "@celadon/cel/regex";
import { isBase64, isDate, isDateTime, isUuid, isUuid3, isUuid4, isUuid5 } from "@celadon/kube/names";
import { type Emulation, emulationOf } from "@celadon/kube/versions";
import { FORMAT_READERS } from "@celadon/kube-cel/schema";
import { parseRequestUri, UrlFailure } from "@celadon/kube-cel/url";
import { isEmail } from "./email.ts";

export type StringFormat = (text: string) => boolean;

const HEX_COLOR = /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const BYTE = "(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])";
const RGB_COLOR = new RegExp(
  `^rgb\\([\\t\\n\\f\\r ]*${[BYTE, BYTE, BYTE].join("[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*")}[\\t\\n\\f\\r ]*\\)$`,
);
const SSN = /^\d{3}[- ]?\d{2}[- ]?\d{4}$/;
const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const SHORT_NAME = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const LONG_NAME = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const MAC =
  /^(?:[0-9a-fA-F]{2}([:-])(?:[0-9a-fA-F]{2}\1)*[0-9a-fA-F]{2}|[0-9a-fA-F]{4}\.(?:[0-9a-fA-F]{4}\.)+[0-9a-fA-F]{4})$/;
const HOSTNAME = String.raw`^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$`;

// biome-ignore format: one format per line
const FORMATS: ReadonlyMap<string, StringFormat> = new Map(
  Object.entries<StringFormat>({
    bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
    uri:          (text) => !(parseRequestUri(text) instanceof UrlFailure),
    email:        isEmail,
    hostname:     isHostname,
    ipv4:         (text) => text.includes(".") && isIp(text, true),
    ipv6:         (text) => text.includes(":") && isIp(text, false),
    cidr:         isCidr,
    mac:          isMac,
    uuid:         isUuid,
    uuid3:        isUuid3,
    uuid4:        isUuid4,
    uuid5:        isUuid5,
    isbn:         (text) => isIsbn10(text) || isIsbn13(text),
    isbn10:       isIsbn10,
    isbn13:       isIsbn13,
    creditcard:   isCreditCard,
    ssn:          (text) => text.length === 11 && SSN.test(text),
    hexcolor:     (text) => HEX_COLOR.test(text),
    rgbcolor:     (text) => RGB_COLOR.test(text),
    byte:         isBase64,
    password:     () => true,
    date:         isDate,
    duration:     isDuration,
    datetime:     isDateTime,
    k8sshortname: (text) => text.length <= 63 && SHORT_NAME.test(text),
    k8slongname:  (text) => text.length <= 253 && LONG_NAME.test(text),
  }),
);

/** The minors that brought formats, by the number after `1.`. */
const FORMATS_SINCE: Readonly<Record<string, number>> = { k8sshortname: 35, k8slongname: 35 };

const normalize = (format: string): string => format.replaceAll("-", "");

/** The check of a format for strings; undefined for an unknown name. */
export function stringFormat(format: string): StringFormat | undefined {
  return FORMATS.get(normalize(format));
}

/** Whether a format applies to values of a type. */
export function knownFormat(type: string | undefined, format: string, by: Emulation = emulationOf()): boolean {
  switch (type) {
    case undefined:
    case "":
    case "string":
      return FORMATS.has(normalize(format)) && by.since(FORMATS_SINCE[normalize(format)] ?? 0);
    case "integer":
      return format === "int32" || format === "int64";
    case "number":
      return format === "float" || format === "double";
    default:
      return false;
  }
}

let hostname: Regex | undefined;

function isHostname(text: string): boolean {
  if (hostname === undefined) {
    const compiled = compileRegex(HOSTNAME);
    if (isError(compiled)) throw new Error(`hostname pattern: ${compiled.message}`);
    hostname = compiled;
  }
  return hostname.test(text) && utf8Length(text) <= 255 && text.split(".").every((label) => utf8Length(label) <= 63);
}

const LEADING_ZEROS = /(^|[.:])0+([0-9a-fA-F]*)/g;

/** Go's net.ParseIP, or its forgiving sister that takes leading zeros for decimal. */
function isIp(text: string, sloppy: boolean): boolean {
  const read = sloppy ? text.replace(LEADING_ZEROS, (_, before, rest) => before + (rest || "0")) : text;
  const ip = parseIpAddress(read);
  return !(ip instanceof ParseFailure) && ip.zone === "";
}

function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  if (slash === -1) return false;
  const address = text.slice(0, slash);
  const bits = text.slice(slash + 1);
  if (!/^[0-9]+$/.test(bits) || !isIp(address, true)) return false;
  return Number(bits) <= (address.includes(":") ? 128 : 32);
}

/** 6, 8 or 20 bytes in groups of two or four digits. */
function isMac(text: string): boolean {
  const digits = text.replace(/[:.-]/g, "").length;
  return MAC.test(text) && (digits === 12 || digits === 16 || digits === 40);
}

function isDuration(text: string): boolean {
  return !isError(FORMAT_READERS.get("duration")!(text));
}

const digitsOf = (text: string): string => text.replace(/[\t\n\f\r -]+/g, "");

function isIsbn10(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (digits[i] === "X" ? 10 : Number(digits[i]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!CARD.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit < 5 ? 2 * digit : 2 * digit - 9;
  }
  return sum % 10 === 0;
}
