// The addresses at which a program listens and is reached by the API server.

import type { Args } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";

export function listenAddress(flag: string, text: string): { readonly host: string; readonly port: number } {
  const found = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text);
  const port = Number(found?.[3]);
  if (found === null || port > 65_535)
    throw new UsageError(`--${flag} "${text}" is not ADDRESS:PORT`, "such as 0.0.0.0:9443 or [::]:9443");
  return { host: found[1] ?? (found[2] || "127.0.0.1"), port };
}

/** A program that cannot listen was started with wrong flags: a usage error. */
export function listenError(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const isOurs = code === "EADDRINUSE" || code === "EACCES" || code === "EADDRNOTAVAIL";
  return isOurs ? new UsageError(`cannot listen: ${message}`) : error;
}

export type ReachedBy = { readonly service: string; readonly port: number } | { readonly url: string };

/** `flags` name the flag of an address and the flag of a service, which has a fallback. */
export function reachedBy<Name extends string>(
  args: Args<Name>,
  flags: { readonly url: Name; readonly service: Name; readonly fallback: string },
): ReachedBy {
  const url = args.text(flags.url);
  if (url !== undefined) {
    if (!/^https:\/\/[^/]+$/.test(url)) throw new UsageError(`--${flags.url} "${url}" is not https://HOST:PORT`);
    return { url };
  }
  const given = args.text(flags.service) ?? flags.fallback;
  const [service = "", port = "443"] = given.split(":");
  if (!/^\d{1,5}$/.test(port)) throw new UsageError(`--${flags.service} "${given}" is not NAME:PORT`);
  return { service, port: Number(port) };
}
