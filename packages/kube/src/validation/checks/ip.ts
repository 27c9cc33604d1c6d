// IP addresses and networks in fields: the rules for each kind of field, with the API server's words. Old readers took leading zeros and
// IPv4 addresses in IPv6 notation; strict fields refuse them, warnings name the standard form.

import { quoteGo } from "@celadon/base";
import type { Emulation } from "../../emulation.ts";
import type { FieldPath } from "../../field-path.ts";
import { fieldWarning, type Warning } from "../../warning.ts";
import type { ValidatedField } from "../field.ts";

export interface Ip {
  readonly family: 4 | 6;
  readonly bits: bigint;
  /** Written as IPv6 though it is an IPv4 address: `::ffff:1.2.3.4`. */
  readonly mapped: boolean;
  /** Numbers with leading zeros. */
  readonly sloppy: boolean;
}

export interface Cidr {
  readonly ip: Ip;
  readonly prefix: number;
  /** Bits of an address in the notation used: 32 or 128. */
  readonly width: number;
  readonly sloppy: boolean;
}

const MAPPED = 0xffffn;

export function parseIp(text: string): Ip | undefined {
  const read = text.includes(":") ? parseIp6(text) : parseIp4(text);
  if (read === undefined) return undefined;
  if (read.family === 4 || read.bits >> 32n !== MAPPED) return { ...read, mapped: false };
  return { family: 4, bits: read.bits & 0xffff_ffffn, mapped: true, sloppy: read.sloppy };
}

interface Digits {
  readonly family: 4 | 6;
  readonly bits: bigint;
  readonly sloppy: boolean;
}

function parseIp4(text: string): Digits | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let bits = 0n;
  let sloppy = false;
  for (const part of parts) {
    if (!/^[0-9]+$/.test(part) || Number(part) > 255) return undefined;
    if (part.length > 1 && part.startsWith("0")) sloppy = true;
    bits = (bits << 8n) | BigInt(Number(part));
  }
  return { family: 4, bits, sloppy };
}

function parseIp6(text: string): Digits | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const read = halves.map((half, i) => groupsOf(half, i === halves.length - 1));
  const [head, tail] = read;
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const given = head.groups.length + (tail?.groups.length ?? 0);
  if (halves.length === 1 ? given !== 8 : given > 7) return undefined;
  const groups = [...head.groups, ...new Array<number>(8 - given).fill(0), ...(tail?.groups ?? [])];
  const bits = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  return { family: 6, bits, sloppy: head.sloppy || (tail?.sloppy ?? false) };
}

function groupsOf(text: string, isLast: boolean): { groups: number[]; sloppy: boolean } | undefined {
  if (text === "") return { groups: [], sloppy: false };
  const groups: number[] = [];
  let sloppy = false;
  const parts = text.split(":");
  for (const [i, part] of parts.entries()) {
    if (part.includes(".")) {
      const ip4 = isLast && i === parts.length - 1 ? parseIp4(part) : undefined;
      if (ip4 === undefined) return undefined;
      sloppy = ip4.sloppy;
      groups.push(Number(ip4.bits >> 16n), Number(ip4.bits & 0xffffn));
    } else {
      const group = /^[0-9a-fA-F]+$/.test(part) ? Number.parseInt(part, 16) : Number.NaN;
      if (!(group <= 0xffff)) return undefined;
      if (part.length > 4) sloppy = true;
      groups.push(group);
    }
  }
  return { groups, sloppy };
}

/** The standard text: dotted for IPv4, RFC 5952 for IPv6. */
export function ipText(ip: { readonly family: 4 | 6; readonly bits: bigint }): string {
  if (ip.family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((ip.bits >> shift) & 0xffn)).join(".");
  const groups = Array.from({ length: 8 }, (_, i) => Number((ip.bits >> BigInt(112 - 16 * i)) & 0xffffn));
  const { start, length } = longestZeros(groups);
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(":");
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let i = 0; i < groups.length; i++) {
    let end = i;
    while (groups[end] === 0) end++;
    if (end - i > best.length) best = { start: i, length: end - i };
  }
  return best;
}

export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const digits = text.slice(slash + 1);
  const ip = parseIp(text.slice(0, slash));
  if (ip === undefined || !/^[0-9]+$/.test(digits)) return undefined;
  const width = ip.family === 6 || ip.mapped ? 128 : 32;
  const prefix = Number(digits);
  if (prefix > width) return undefined;
  return { ip, prefix, width, sloppy: ip.sloppy || (digits.length > 1 && digits.startsWith("0")) };
}

/** The network's first address. */
export function networkOf(cidr: Cidr): Ip {
  const bits = cidr.ip.family === 4 ? 32 : 128;
  const kept = Math.max(0, cidr.prefix - (cidr.width - bits));
  const shift = BigInt(bits - kept);
  return { ...cidr.ip, bits: (cidr.ip.bits >> shift) << shift };
}

export function cidrText(cidr: Cidr): string {
  const prefix = cidr.ip.mapped && cidr.prefix >= 96 ? cidr.prefix - 96 : cidr.prefix;
  return `${ipText(networkOf(cidr))}/${prefix}`;
}

/** A field from before strictness: any address that can be read, but for leading zeros and mapped ones. */
export function legacyIp(
  value: string | undefined,
  at: ValidatedField,
  old: readonly string[] = [],
  isLenient: boolean = !at.by.enables("StrictIPCIDRValidation"),
): Ip | undefined {
  const text = value ?? "";
  if (old.includes(text)) return parseIp(text);
  const ip = parseIp(text);
  if (ip === undefined) at.invalid(text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
  else if (isLenient) return ip;
  else if (ip.sloppy) at.invalid(text, "must not have leading 0s");
  else if (ip.mapped) at.invalid(text, "must not be an IPv4-mapped IPv6 address");
  return ip;
}

/** A newer field: only the standard text. */
export function strictIp(value: string | undefined, at: ValidatedField): void {
  const text = value ?? "";
  let ip: Ip | undefined;
  if (!at.holds(() => void (ip = legacyIp(text, at, [], false))) || ip === undefined) return;
  if (text !== ipText(ip)) at.invalid(text, `must be in canonical form (${quoteGo(ipText(ip))})`);
}

export function legacyCidr(
  value: string | undefined,
  at: ValidatedField,
  old: readonly string[] = [],
  isLenient: boolean = !at.by.enables("StrictIPCIDRValidation"),
): Cidr | undefined {
  const text = value ?? "";
  const cidr = parseCidr(text);
  if (old.includes(text)) return cidr;
  if (cidr === undefined) {
    at.invalid(text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
  } else if (isLenient) return cidr;
  else if (cidr.sloppy) at.invalid(text, "must not have leading 0s in IP or prefix length");
  else if (cidr.ip.mapped) at.invalid(text, "must not have an IPv4-mapped IPv6 address");
  else if (networkOf(cidr).bits !== cidr.ip.bits) {
    at.invalid(text, "must not have bits set beyond the prefix length");
  }
  return cidr;
}

export function strictCidr(value: string | undefined, at: ValidatedField): void {
  const text = value ?? "";
  let cidr: Cidr | undefined;
  if (!at.holds(() => void (cidr = legacyCidr(text, at, [], false))) || cidr === undefined) return;
  if (text !== cidrText(cidr)) at.invalid(text, `must be in canonical form (${quoteGo(cidrText(cidr))})`);
}

/** An address with the length of its network's prefix: `10.9.8.7/24`. */
export function interfaceAddress(value: string, at: ValidatedField): void {
  const cidr = parseCidr(value);
  if (cidr === undefined) {
    at.invalid(value, "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)");
    return;
  }
  const prefix = cidr.ip.family === 4 && cidr.prefix > 32 ? cidr.prefix - 96 : cidr.prefix;
  const standard = `${ipText(cidr.ip)}/${prefix}`;
  if (value !== standard) at.invalid(value, `must be in canonical form (${quoteGo(standard)})`);
}

function verdictOf(by: Emulation): string {
  return by.enables("StrictIPCIDRValidation")
    ? "is invalid"
    : "will be considered invalid in a future Kubernetes release";
}

/** Since then addresses of all kinds are warned about; before, those of services only, in other words. */
const WORDED_SINCE = 33;

/** Warnings about an address that is valid but not in its standard form. */
export function ipWarnings(value: string | undefined, at: FieldPath, by: Emulation): Warning[] {
  if (by.before(WORDED_SINCE)) return [];
  const text = value ?? "";
  const ip = parseIp(text);
  if (ip === undefined) return [];
  const standard = quoteGo(ipText(ip));
  if (ip.sloppy || ip.mapped) {
    return [fieldWarning(at, `non-standard IP address ${quoteGo(text)} ${verdictOf(by)}: use ${standard}`)];
  }
  if (ip.family === 4 || text === ipText(ip)) return [];
  return [fieldWarning(at, `IPv6 address ${quoteGo(text)} should be in RFC 5952 canonical format (${standard})`)];
}

export function cidrWarnings(value: string | undefined, at: FieldPath, by: Emulation): Warning[] {
  if (by.before(WORDED_SINCE)) return [];
  const text = value ?? "";
  const cidr = parseCidr(text);
  if (cidr === undefined) return [];
  const warnings: Warning[] = [];
  const network = quoteGo(cidrText(cidr));
  if (networkOf(cidr).bits !== cidr.ip.bits) {
    const single = quoteGo(`${ipText(cidr.ip)}/${cidr.width}`);
    warnings.push(
      fieldWarning(at, `CIDR value ${quoteGo(text)} is ambiguous in this context (should be ${network} or ${single}?)`),
    );
  }
  if (cidr.sloppy || cidr.ip.mapped) {
    warnings.push(fieldWarning(at, `non-standard CIDR value ${quoteGo(text)} ${verdictOf(by)}: use ${network}`));
  }
  if (warnings.length === 0 && cidr.ip.family === 6 && text !== cidrText(cidr)) {
    warnings.push(
      fieldWarning(at, `IPv6 CIDR value ${quoteGo(text)} should be in RFC 5952 canonical format (${network})`),
    );
  }
  return warnings;
}
