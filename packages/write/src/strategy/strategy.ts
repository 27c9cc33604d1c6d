// The behaviour of a kind when its objects are written: fields that the server sets or resets, errors, warnings. Objects are in the version
// of the request and belong to the request until they are stored: a strategy may change them.

import type { Maybe, UserInfo } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type { FieldError, Warning } from "@celadon/kube/errors";
import type { Status } from "@celadon/kube/status";
import type { ServiceNetwork } from "@celadon/kube/validation";
import type { Draft } from "../draft.ts";
import type { WrittenResource } from "../resource.ts";

export interface WriteContext {
  readonly resource: WrittenResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** The time as the API writes it. */
  readonly now: string;
  /** The labels of the namespace that has the object. */
  namespaceLabels(): Readonly<Record<string, string>>;
  /** Addresses and ports for services. */
  services(dryRun: boolean): ServiceNetwork;
  warn(warning: Warning): void;
}

/** The result of validation. */
export interface Validated {
  readonly errors: readonly FieldError[];
  /** The answer, where the kind words it itself; otherwise it follows from the errors. */
  readonly status?: Status;
  /** Errors that are only warned about, because the value did not change. */
  readonly ratcheted?: readonly FieldError[];
  /** The errors include those of metadata, in the order in which they are reported. */
  readonly isWhole?: boolean;
}

/** The strategy of a kind, for the resource or one of its subresources. */
export interface Strategy {
  /** PUT of an object that does not exist creates it. */
  readonly createOnUpdate: boolean;
  /** PUT without a resource version replaces any current version. */
  readonly unconditionalUpdate: boolean;
  prepareCreate(object: Draft, context: WriteContext): Maybe<Draft>;
  validateCreate(object: Draft, context: WriteContext): Maybe<Validated>;
  prepareUpdate(object: Draft, old: KubeObject, context: WriteContext): Maybe<Draft>;
  validateUpdate(object: Draft, old: KubeObject, context: WriteContext): Maybe<Validated>;
  /** After validation: warnings for the client. */
  warnings(object: Draft, old: KubeObject | undefined, context: WriteContext): readonly Warning[];
}

/** The deletion of a kind's objects. */
export interface Deletion {
  /** The default for dependents. */
  readonly dependents: "background" | "orphan" | "unsupported";
  /** The answer is the object that was deleted, not a Status. */
  readonly returnsObject: boolean;
  /** Seconds the object stays, marked, until another component removes it; undefined if it is deleted at once. */
  gracePeriod?(object: KubeObject, asked: number | undefined): number | undefined;
  /** Why it may not be deleted. */
  refusal?(object: KubeObject): Status | undefined;
  /** Whether something beside metadata.finalizers keeps it, once it is marked. */
  isHeld?(object: KubeObject): boolean;
  /** Changes the object when it is marked. */
  mark?(draft: Draft, now: string): void;
  /** Whether marking an object for deletion leaves its generation alone. */
  readonly keepsGeneration?: boolean;
}
