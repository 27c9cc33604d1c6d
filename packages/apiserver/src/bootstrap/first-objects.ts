// The first objects of an empty store: the objects of bootstrap.ts, the service accounts of its namespaces, and what components expect, as
// the bytes that creating them one by one leaves behind. A first start then does not decode, admit and validate the same objects every
// time.

import { randomUUID } from "node:crypto";
import type { Store, StoreOperation, TransactionResult } from "@celadon/storage";
import { timestamp } from "@celadon/write";

/** Transactions have at most as many operations. */
const AT_ONCE = 128;
/** One of the keys: where it exists, so may others. */
const FIRST = "/registry/core/namespaces/default";
const ACCOUNTS = "/registry/core/serviceaccounts/";

export interface FirstObjectsOptions {
  /** Also a service account for every namespace: controllers/service-account-controller.ts. */
  readonly accounts: boolean;
  /** Also what components expect: controllers/component-objects.ts. */
  readonly components: boolean;
  /** Whether objects are served that are stored below a prefix. */
  readonly isServed: (prefix: string) => boolean;
  readonly now: number;
}

/** False if some of the objects existed already, so that each must be checked. */
export async function writeFirstObjects(store: Store, options: FirstObjectsOptions): Promise<boolean> {
  if ((await store.get(FIRST)).entry !== undefined) return false;
  const { accounts, components, isServed, now } = options;
  const first = (await import("./generated/first-objects.ts")).FIRST_OBJECTS.split("\n");
  const lines = first.filter((line) => isServed(prefixOf(line)) && (accounts || !line.startsWith(ACCOUNTS)));
  if (components) lines.push(...(await import("./generated/component-objects.ts")).COMPONENT_OBJECTS.split("\n"));
  const time = timestamp(now);
  const writes: Promise<TransactionResult>[] = [];
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    writes.push(store.write(lines.slice(at, at + AT_ONCE).map((line) => creationOf(line, time))));
  }
  return (await Promise.all(writes)).every(({ written }) => written);
}

/** The group and the resource of a line's key: `/registry/apps/deployments/`. */
function prefixOf(line: string): string {
  return /^\/registry\/[^/]+\/[^/]+\//.exec(line)![0];
}

/** A line is a key, a space, and an object that lacks its uid and times. */
function creationOf(line: string, time: string): StoreOperation {
  const space = line.indexOf(" ");
  const json = line
    .slice(space + 1)
    .replace(UID, randomUUID())
    .replaceAll(TIME, time);
  return { op: "put", key: line.slice(0, space), value: Buffer.from(json), ifRevision: 0 };
}

const UID = "<uid>";
const TIME = "<time>";
