// Addresses that traffic may be sent to.

import { type Ip, parseIp } from "../checks/ip.ts";
import type { ValidatedField } from "../field.ts";

/** No address that means this host, this link or nothing at all. */
export function endpointIp(text: string | undefined, at: ValidatedField): void {
  const value = text ?? "";
  const ip = parseIp(value);
  if (ip === undefined) {
    at.invalid(value, "must be a valid IP address");
    return;
  }
  if (ip.bits === 0n) at.invalid(value, `may not be unspecified (${value})`);
  if (isLoopback(ip)) at.invalid(value, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
  if (isLinkLocal(ip)) at.invalid(value, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  if (isLinkLocalMulticast(ip)) {
    at.invalid(value, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
}

function isLoopback(ip: Ip): boolean {
  return ip.family === 4 ? ip.bits >> 24n === 127n : ip.bits === 1n;
}

function isLinkLocal(ip: Ip): boolean {
  return ip.family === 4 ? ip.bits >> 16n === 0xa9fen : ip.bits >> 118n === 0xfe80n >> 6n;
}

function isLinkLocalMulticast(ip: Ip): boolean {
  return ip.family === 4 ? ip.bits >> 8n === 0xe00000n : ip.bits >> 112n === 0xff02n;
}
