// The first objects of an empty store: the objects of bootstrap.ts, the service accounts of its namespaces, and what components expect, as
// the bytes that creating them one by one leaves behind. A first start then does not decode, admit and validate the same objects every
// time.

import { randomUUID } from "node:crypto";
import { CURRENT, type Minor } from "@celadon/kube/versions";
import type { Store, StoreOperation, TransactionResult } from "@celadon/storage";
import { timestamp } from "@celadon/write";
import { changedObjects } from "./changed-objects.ts";

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
  /** The minor that is emulated. */
  readonly minor: Minor;
}

/** False if some of the objects existed already or belong to another minor, so that each must be checked. */
export async function writeFirstObjects(store: Store, options: FirstObjectsOptions): Promise<boolean> {
  if ((await store.get(FIRST)).entry !== undefined) return false;
  const { accounts, components, isServed, now, minor } = options;
  const first = (await import("./generated/first-objects.ts")).FIRST_OBJECTS.split("\n");
  const lines = first.filter((line) => isServed(prefixOf(line)) && (accounts || !line.startsWith(ACCOUNTS)));
  if (components) lines.push(...(await import("./generated/component-objects.ts")).COMPONENT_OBJECTS.split("\n"));
  const isCurrent = minor === CURRENT;
  const changed = isCurrent ? new Set<string>() : changedObjects(minor);
  const present = lines.filter((line) => !changed.has(keyOf(line)));
  const time = timestamp(now);
  const writes: Promise<TransactionResult>[] = [];
  for (let at = 0; at < present.length; at += AT_ONCE) {
    writes.push(store.write(present.slice(at, at + AT_ONCE).map((line) => creationOf(line, time))));
  }
  const results = await Promise.all(writes);
  return isCurrent && results.every(({ written }) => written);
}

/** The group and the resource of a line's key: `/registry/apps/deployments/`. */
function prefixOf(line: string): string {
  return /^\/registry\/[^/]+\/[^/]+\//.exec(line)![0];
}

const keyOf = (line: string): string => line.slice(0, line.indexOf(" "));

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
