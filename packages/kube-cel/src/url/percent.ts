// Percent-encoding as Go's net/url has it: which characters stand for themselves depends on the part of the URL.
// All strings here are byte strings (byte-text.ts).

import { quoteBytes } from "./byte-text.ts";

export type Part = "path" | "host" | "zone" | "userinfo" | "query" | "fragment";

/** Why a text is no URL, in Go's words. */
export class UrlFailure {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Beside letters, digits and `-._~`, which stand for themselves everywhere. */
const PLAIN: Readonly<Record<Part, string>> = {
  path: "$&+,/:;=@",
  host: "!\"$&'()*+,:;<=>[]",
  zone: "!\"$&'()*+,:;<=>[]",
  userinfo: "$&+,;=",
  query: "",
  fragment: "!$&()*+,/:;=?@",
};

const UNRESERVED = /[A-Za-z0-9\-._~]/;
const HEX_PAIR = /^%[0-9A-Fa-f]{2}$/;

export function isPlain(char: string, part: Part): boolean {
  return UNRESERVED.test(char) || PLAIN[part].includes(char);
}

export function percentDecode(bytes: string, part: Part): string | UrlFailure {
  const inHost = part === "host" || part === "zone";
  let out = "";
  for (let i = 0; i < bytes.length; i++) {
    const char = bytes.charAt(i);
    if (char === "%") {
      const escaped = bytes.slice(i, i + 3);
      if (!HEX_PAIR.test(escaped)) return invalidEscape(escaped);
      const byte = Number.parseInt(escaped.slice(1), 16);
      if (inHost && !mayEscape(escaped, byte, part)) return invalidEscape(escaped);
      out += String.fromCharCode(byte);
      i += 2;
    } else if (inHost && char < "\x80" && !isPlain(char, part)) {
      return new UrlFailure(`invalid character ${quoteBytes(char)} in host name`);
    } else {
      out += char === "+" && part === "query" ? " " : char;
    }
  }
  return out;
}

/** In host names only what is not ASCII may be escaped; in zones what a host name could hold, and blanks. */
function mayEscape(escaped: string, byte: number, part: Part): boolean {
  if (escaped === "%25") return true;
  if (part === "host") return byte >= 0x80;
  return byte === 0x20 || (byte < 0x80 && isPlain(String.fromCharCode(byte), "host"));
}

const invalidEscape = (escaped: string): UrlFailure => new UrlFailure(`invalid URL escape ${quoteBytes(escaped)}`);

export function percentEncode(bytes: string, part: Part): string {
  let out = "";
  for (let i = 0; i < bytes.length; i++) {
    const char = bytes.charAt(i);
    if (char < "\x80" && isPlain(char, part)) out += char;
    else out += `%${bytes.charCodeAt(i).toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

/** Whether a path or fragment was written in an acceptable way, so that it is shown as it was written. */
export function isValidEncoding(bytes: string, part: Part): boolean {
  for (let i = 0; i < bytes.length; i++) {
    const char = bytes.charAt(i);
    if ("!$&'()*+,;=:@[]%".includes(char)) continue;
    if (char >= "\x80" || !isPlain(char, part)) return false;
  }
  return true;
}
