// The store `celadon up` keeps its objects in: memory, a directory, or an etcd cluster.

import { isStoreError, type Store } from "@celadon/storage";
import type { Args } from "../command.ts";
import { UsageError } from "../exit.ts";

export interface OpenedStore {
  readonly store: Store;
  /** False when other servers may write to it. */
  readonly exclusive: boolean;
  /** For people: where the objects are. */
  readonly place: string;
}

export async function openStore(args: Args, directory: string): Promise<OpenedStore> {
  const servers = args.list("etcd-servers").flatMap((text) => text.split(","));
  if (args.on("memory") && servers.length > 0) {
    throw new UsageError("--memory and --etcd-servers cannot be used together", "choose one place for the objects");
  }
  if (args.on("memory")) {
    const { openMemory } = await import("@celadon/storage/memory");
    return { store: await openMemory(), exclusive: true, place: "memory, gone when the server ends" };
  }
  if (servers.length > 0) {
    const { openEtcd } = await import("@celadon/storage/etcd");
    const prefix = args.text("etcd-prefix") ?? "/celadon";
    const store = await opened(() => openEtcd({ endpoints: servers, prefix }), "the etcd cluster cannot be used");
    return { store, exclusive: false, place: `etcd at ${servers.join(", ")}, below ${prefix}` };
  }
  const { openLmdb } = await import("@celadon/storage/lmdb");
  const path = `${directory}/store`;
  const store = await opened(() => openLmdb(path), `the data in ${path} cannot be used`);
  return { store, exclusive: true, place: path };
}

async function opened(open: () => Promise<Store>, what: string): Promise<Store> {
  try {
    return await open();
  } catch (error) {
    if (!isStoreError(error)) throw error;
    const hint =
      error.code === "in_use" ? "another server runs on it: give this one a --data-dir of its own" : undefined;
    throw new UsageError(`${what}: ${error.message}`, hint);
  }
}
