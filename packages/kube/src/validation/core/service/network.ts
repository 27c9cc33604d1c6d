// Addresses and ports for services. A host with its own state gives each request a view of it, and keeps the allocations when the request
// succeeds; without a host there is an imaginary cluster where everything is free.

import { Invalid } from "../../../invalid.ts";
import { type Ip, ipText, networkOf, parseCidr, parseIp } from "../../checks/ip.ts";

/** IPv4 or IPv6. */
export type IpFamily = "IPv4" | "IPv6";

/** The addresses that services may have. */
export interface ServiceNetwork {
  /** Families with a range of addresses, the default one first. */
  readonly families: readonly IpFamily[];
  /** Takes the address, or a free one where none is named; or says why not. */
  takeAddress(family: IpFamily, wanted?: string): string | Invalid;
  takePort(wanted?: number): number | Invalid;
}

const DEFAULT_RANGES = ["10.0.0.0/16"];
const FIRST_PORT = 30_000;
const LAST_PORT = 32_767;
/** Stands for a free port where none is taken. */
const DRY_RUN_PORT = 32_769;

export function familyOf(ip: string): IpFamily | undefined {
  const family = parseIp(ip)?.family;
  return family === undefined ? undefined : family === 6 ? "IPv6" : "IPv4";
}

/**
 * A cluster without services, for one request. A dry run takes any port that the request did not take before, as the
 * API server does.
 */
export function imaginaryNetwork(ranges: readonly string[] = DEFAULT_RANGES, dryRun = false): ServiceNetwork {
  const rangeOf = new Map(ranges.map((range) => [familyOf(range.split("/")[0]!)!, range]));
  const taken = new Set<string | number>();
  return {
    families: [...rangeOf.keys()],
    takeAddress(family, wanted) {
      const range = rangeOf.get(family)!;
      const ip = wanted ?? freeAddress(range, taken);
      if (!contains(range, ip)) {
        return new Invalid(`the provided IP (${wanted}) is not in the valid range. The range of valid IPs is ${range}`);
      }
      if (taken.has(ip)) return new Invalid("provided IP is already allocated");
      taken.add(ip);
      return ip;
    },
    takePort(wanted) {
      let port = wanted ?? (dryRun ? DRY_RUN_PORT : FIRST_PORT);
      while (wanted === undefined && taken.has(port)) port++;
      if (!dryRun && (port < FIRST_PORT || port > LAST_PORT)) {
        const valid = `The range of valid ports is ${FIRST_PORT}-${LAST_PORT}`;
        return new Invalid(`provided port is not in the valid range. ${valid}`);
      }
      if (taken.has(port)) return new Invalid("provided port is already allocated");
      taken.add(port);
      return port;
    },
  };
}

/**
 * A cluster of which nothing is known but that it could take what manifests name: any address, either family. Everything else is as
 * in the imaginary cluster.
 */
export function unknownNetwork(dryRun = false): ServiceNetwork {
  const imaginary = imaginaryNetwork([...DEFAULT_RANGES, "fd00::/112"], dryRun);
  return { ...imaginary, takeAddress: (family, wanted) => wanted ?? imaginary.takeAddress(family) };
}

function contains(range: string, text: string): boolean {
  const cidr = parseCidr(range)!;
  const ip = parseIp(text);
  if (ip === undefined || ip.family !== cidr.ip.family) return false;
  return networkOf({ ...cidr, ip }).bits === networkOf(cidr).bits;
}

// The first address of a range is the range itself, the next is the cluster's own service.
function freeAddress(range: string, taken: ReadonlySet<string | number>): string {
  const first = networkOf(parseCidr(range)!);
  const at = (offset: bigint): string => ipText({ ...first, bits: first.bits + offset } satisfies Ip);
  let offset = 10n;
  while (taken.has(at(offset))) offset++;
  return at(offset);
}
