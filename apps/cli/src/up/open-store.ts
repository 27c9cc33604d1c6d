// The store `celadon up` keeps its objects in: memory, a directory, or an etcd cluster.

import { isStoreError, type Store, type StoreErrorCode } from "@celadon/storage";
import type { Args, NamesOf } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { storeIn } from "../store/place.ts";
import { type ETCD_SECURITY, etcdSecurity } from "./etcd-security.ts";

export interface OpenedStore {
  readonly opening: Promise<Store>;
  /** False when other servers may write to it. */
  readonly exclusive: boolean;
  /** For people: where the objects are. */
  readonly place: string;
}

export function openStore(
  args: Args<NamesOf<typeof ETCD_SECURITY> | "envtest" | "etcd-prefix" | "etcd-servers" | "memory">,
  io: Io,
  directory: string,
): OpenedStore {
  // The etcd of envtest's assets holds nothing.
  const servers = args.on("envtest") ? [] : args.list("etcd-servers").flatMap((text) => text.split(","));
  if (args.on("memory") && servers.length > 0) {
    throw new UsageError("--memory and --etcd-servers cannot be used together", "choose one of them");
  }
  if (args.on("memory") || args.on("envtest")) {
    return { opening: inMemory(), exclusive: true, place: "memory; they are lost when the server stops" };
  }
  if (servers.length > 0) {
    const prefix = args.text("etcd-prefix") ?? "/celadon";
    const opening = inEtcd(servers, prefix, args, io);
    return { opening, exclusive: false, place: `etcd at ${servers.join(", ")}, below ${prefix}` };
  }
  const path = storeIn(directory);
  return { opening: inDirectory(path), exclusive: true, place: path };
}

async function inMemory(): Promise<Store> {
  const { openMemory } = await import("@celadon/storage/memory");
  return openMemory();
}

async function inEtcd(
  endpoints: readonly string[],
  prefix: string,
  args: Args<NamesOf<typeof ETCD_SECURITY>>,
  io: Io,
): Promise<Store> {
  const { openEtcd } = await import("@celadon/storage/etcd");
  const options = { endpoints, prefix, ...(await etcdSecurity(args, io)) };
  return opened(() => openEtcd(options), "the etcd cluster cannot be used");
}

async function inDirectory(path: string): Promise<Store> {
  const { openLmdb } = await import("@celadon/storage/lmdb");
  return opened(() => openLmdb(path), `the data in ${path} cannot be used`);
}

const HINTS: Partial<Record<StoreErrorCode, string>> = {
  in_use: "another server is using it; choose another --data-dir",
  corrupt: "`celadon store check` lists the damage, `celadon store restore` restores a backup",
  foreign: "choose a --data-dir that `celadon up` created, or a new one",
};

async function opened(open: () => Promise<Store>, what: string): Promise<Store> {
  try {
    return await open();
  } catch (error) {
    if (!isStoreError(error)) throw error;
    throw new UsageError(`${what}: ${error.message}`, HINTS[error.code]);
  }
}
