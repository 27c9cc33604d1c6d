// Classes of addresses, as in Go's net/netip: private ranges count as global unicast, and a mapped IPv4 address is
// classified as the IPv4 address in it, except by isUnspecified.

import { IpAddress } from "./ip-address.ts";

/** Whether an address is `0.0.0.0` or `::`. */
export function isUnspecified(ip: IpAddress): boolean {
  return ip.zone === "" && ip.bytes.every((byte) => byte === 0);
}

/** Whether an address is the host's own. */
export function isLoopback(ip: IpAddress): boolean {
  const { bytes } = unmap(ip);
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes[15] === 1 && bytes.subarray(0, 15).every((byte) => byte === 0);
}

export function isMulticast(ip: IpAddress): boolean {
  const { bytes } = unmap(ip);
  return bytes.length === 4 ? ((bytes[0] as number) & 0xf0) === 0xe0 : bytes[0] === 0xff;
}

/** 224.0.0.0/24, or ff?2::/16. */
export function isLinkLocalMulticast(ip: IpAddress): boolean {
  const { bytes } = unmap(ip);
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 0xff && ((bytes[1] as number) & 0x0f) === 0x02;
}

/** 169.254.0.0/16, or fe80::/10. */
export function isLinkLocalUnicast(ip: IpAddress): boolean {
  const { bytes } = unmap(ip);
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && ((bytes[1] as number) & 0xc0) === 0x80;
}

/** Whether a host in a network may have this address. */
export function isGlobalUnicast(ip: IpAddress): boolean {
  const address = unmap(ip);
  if (address.bytes.length === 4 && address.bytes.every((byte) => byte === 255)) return false;
  return !isUnspecified(address) && !isLoopback(address) && !isMulticast(address) && !isLinkLocalUnicast(address);
}

function unmap(ip: IpAddress): IpAddress {
  return ip.isMapped ? new IpAddress(ip.bytes.subarray(12)) : ip;
}
