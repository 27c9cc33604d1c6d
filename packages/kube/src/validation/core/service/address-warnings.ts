// Warnings about addresses of services up to 1.32, in the words of Go's netip, which reads less than the fields of services take.

import { quoteGo } from "@celadon/base";
import type { FieldPath } from "../../../field-path.ts";
import { fieldWarning, type Warning } from "../../../warning.ts";
import { ipText, parseCidr, parseIp } from "../../checks/ip.ts";

const LATER = "will be invalid in a future Kubernetes release";
const LOOPS = "which may cause controller apply-loops";

export function addressWarnings(text: string, at: FieldPath): Warning[] {
  const problem = addressProblem(text);
  if (problem !== undefined) return [fieldWarning(at, `IP address was accepted, but ${LATER}: ${problem}`)];
  return notCanonical("address", text, standardText(text), at);
}

export function prefixWarnings(text: string, at: FieldPath): Warning[] {
  const [address = "", bits] = text.split("/");
  const problem = bits === undefined ? "no '/'" : (addressProblem(address) ?? bitsProblem(bits));
  if (problem !== undefined) {
    return [fieldWarning(at, `IP prefix was accepted, but ${LATER}: netip.ParsePrefix(${quoteGo(text)}): ${problem}`)];
  }
  return parseCidr(text) === undefined ? [] : notCanonical("prefix", text, `${standardText(address)}/${bits}`, at);
}

function notCanonical(what: string, text: string, standard: string, at: FieldPath): Warning[] {
  if (!text.includes(":") || text === standard) return [];
  const detail = `IPv6 ${what} ${quoteGo(text)} is not in RFC 5952 canonical format (${quoteGo(standard)}), ${LOOPS}`;
  return [fieldWarning(at, detail)];
}

function standardText(text: string): string {
  const ip = parseIp(text);
  if (ip === undefined) return text;
  return ip.mapped ? `::ffff:${ipText(ip)}` : ipText(ip);
}

function bitsProblem(bits: string): string | undefined {
  return /^0$|^[1-9][0-9]*$/.test(bits) ? undefined : `bad bits after slash: ${quoteGo(bits)}`;
}

function addressProblem(text: string): string | undefined {
  const problem = text.includes(":") ? ip6Problem(text) : ip4Problem(text);
  return problem === undefined ? undefined : `ParseAddr(${quoteGo(text)}): ${problem}`;
}

function ip6Problem(text: string): string | undefined {
  const ip = parseIp(text);
  if (ip === undefined) return "unable to parse IP";
  if (!ip.sloppy) return undefined;
  const long = text.split(":").find((group) => group.length > 4 && !group.includes("."));
  return long === undefined
    ? "IPv4 field has octet with leading zero"
    : `each group must have 4 or less digits (at ${quoteGo(text.slice(text.indexOf(long)))})`;
}

function ip4Problem(text: string): string | undefined {
  if (!text.includes(".")) return "unable to parse IP";
  const parts = text.split(".");
  for (const [i, part] of parts.entries()) {
    if (part === "") return "IPv4 field must have at least one digit";
    const other = part.search(/[^0-9]/);
    if (other >= 0) {
      const rest = [part.slice(other), ...parts.slice(i + 1)].join(".");
      return `unexpected character (at ${quoteGo(rest)})`;
    }
    if (part.length > 1 && part.startsWith("0")) return "IPv4 field has octet with leading zero";
    if (Number(part) > 255) return "IPv4 field has value >255";
    if (i > 3) return "IPv4 address too long";
  }
  return parts.length < 4 ? "IPv4 address too short" : undefined;
}
