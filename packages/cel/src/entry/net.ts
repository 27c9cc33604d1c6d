// @celadon/cel/net: IP addresses and CIDR ranges, read as Go's net/netip reads them.

export {
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
} from "../lib/net/address-classes.ts";
export { CidrPrefix, parseCidrPrefix } from "../lib/net/cidr-prefix.ts";
export { IpAddress, ParseFailure, parseIpAddress } from "../lib/net/ip-address.ts";
