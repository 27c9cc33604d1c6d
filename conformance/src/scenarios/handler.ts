// The behaviour of a kind in the in-memory cluster: defaults, validation, and effects of storing it. Definitions, policies and custom
// resources are handled by handlers; every other kind is stored as it is sent.

import type { Status } from "@celadon/kube/status";
import type { ScenarioCluster } from "./cluster.ts";
import type { JsonObject } from "./json.ts";
import type { Kind } from "./kinds.ts";

export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** One write on its way to the store. */
export interface Write {
  readonly cluster: ScenarioCluster;
  readonly kind: Kind;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: User;
  readonly dryRun: boolean;
  readonly fieldValidation: string;
  readonly object?: JsonObject;
  readonly oldObject?: JsonObject;
  /** CreateOptions, UpdateOptions or DeleteOptions as policies see them; absent for CONNECT. */
  readonly options?: JsonObject;
  /** Warnings the answer will carry. */
  readonly warnings: string[];
}

export interface Handler {
  /** Whether this handler serves the kind. */
  handles(kind: Kind): boolean;
  /** The object as it is after decoding: unknown fields dropped or refused, defaults set. May warn. */
  decode?(object: JsonObject, write: Write): JsonObject | Status;
  /** The fields that the server sets or resets on create and update, after mutating admission: generation, status. */
  prepare?(object: JsonObject, write: Write): JsonObject;
  /** The kind's own validation, before validating admission. */
  validate?(object: JsonObject, write: Write): Status | undefined | Promise<Status | undefined>;
  /** Both in one. */
  finish?(object: JsonObject, write: Write): JsonObject | Status | Promise<JsonObject | Status>;
  /** The object in another version of its resource. */
  convert?(object: JsonObject, to: Kind, cluster: ScenarioCluster): JsonObject;
  /** The object as it is stored and answered, once it is admitted. */
  kept?(object: JsonObject, kind: Kind): JsonObject;
  /** Called after the store has changed. */
  stored?(object: JsonObject, cluster: ScenarioCluster): void | Promise<void>;
  deleted?(object: JsonObject, cluster: ScenarioCluster): void;
  /** The object as it is read. Default: as it is stored. */
  read?(object: JsonObject, cluster: ScenarioCluster): JsonObject;
  /** The Scale of an object, and an object with the replicas of a Scale. Default: `spec.replicas` and `status.replicas`. */
  toScale?(object: JsonObject, kind: Kind): JsonObject;
  fromScale?(scale: JsonObject, object: JsonObject, kind: Kind): JsonObject;
}
