// By which names a listening server is reached. One that listens on every address is reached by all of the machine's.

import { isIPv4 } from "node:net";
import { hostname, networkInterfaces } from "node:os";

/** Whether a host name means this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

const isEvery = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** The names and addresses a certificate must have beside those of loopback. */
export function certificateNames(host: string): readonly string[] {
  return isEvery(host) ? [hostname(), ...machineAddresses()] : [host];
}

/** The address that a client on this machine uses. */
export function clientHost(host: string): string {
  if (!isEvery(host)) return host;
  return host === "::" ? "::1" : "127.0.0.1";
}

/** The address that other machines use, as far as this one knows. */
export function advertisedHost(host: string): string {
  if (!isEvery(host)) return host;
  return machineAddresses().find(isIPv4) ?? clientHost(host);
}

function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"))
    .map(({ address }) => address);
}
