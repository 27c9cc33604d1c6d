// The store `celadon up` keeps its objects in: memory, a directory, or an etcd cluster.

import { isStoreError, type Store, type StoreErrorCode } from "@celadon/storage";
import type { Args, NamesOf } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { storeIn } from "../store/place.ts";
import { type ETCD_SECURITY, etcdSecurity } from "./etcd-security.ts";

export interface OpenedStore {
  readonly store: Store;
  /** False when other servers may write to it. */
  readonly exclusive: boolean;
  /** For people: where the objects are. */
  readonly place: string;
}

export async function openStore(
  args: Args<NamesOf<typeof ETCD_SECURITY> | "etcd-prefix" | "etcd-servers" | "memory">,
  io: Io,
  directory: string,
): Promise<OpenedStore> {
  const servers = args.list("etcd-servers").flatMap((text) => text.split(","));
  if (args.on("memory") && servers.length > 0) {
    throw new UsageError("--memory and --etcd-servers cannot be used together", "choose one of them");
  }
  if (args.on("memory")) {
    const { openMemory } = await import("@celadon/storage/memory");
    return { store: await openMemory(), exclusive: true, place: "memory; they are lost when the server stops" };
  }
  if (servers.length > 0) {
    const { openEtcd } = await import("@celadon/storage/etcd");
    const prefix = args.text("etcd-prefix") ?? "/celadon";
    const options = { endpoints: servers, prefix, ...(await etcdSecurity(args, io)) };
    const store = await opened(() => openEtcd(options), "the etcd cluster cannot be used");
    return { store, exclusive: false, place: `etcd at ${servers.join(", ")}, below ${prefix}` };
  }
  const { openLmdb } = await import("@celadon/storage/lmdb");
  const path = storeIn(directory);
  const store = await opened(() => openLmdb(path), `the data in ${path} cannot be used`);
  return { store, exclusive: true, place: path };
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
