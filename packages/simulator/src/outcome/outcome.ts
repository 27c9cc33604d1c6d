// The answer to a request by every system that concerns it. All failures are kept; the one the API server returns is marked.

import type { AdmissionReport, AdmissionRequest } from "@celadon/admission";
import type { MutatedRequest } from "@celadon/admission/chain";
import type { WebhookSelection } from "@celadon/admission/webhook";
import type { JsonPath } from "@celadon/base";
import type { CertificateReview } from "@celadon/certpolicy";
import type { KubeObject } from "@celadon/kube";
import type { FieldError } from "@celadon/kube/errors";
import type { Status } from "@celadon/kube/status";

/**
 * In the API server's order. `validation` is the API server itself: decoding, built-in kinds, names. `schema` and `rules` are those of a
 * CRD.
 */
export type System = "validation" | "schema" | "mutation" | "rules" | "policy" | "webhook" | "certificate";

/**
 * `deny`: the request is denied. `warn` and `audit`: the actions of a binding. `ignored`: an error that failurePolicy ignores.
 * `notice`: the request is accepted, with a warning (an unknown field, a deprecated version).
 */
export type ProblemLevel = "deny" | "warn" | "audit" | "ignored" | "notice";

/** A problem that a system found with a request. */
export interface Problem {
  readonly system: System;
  readonly level: ProblemLevel;
  /** The message in the words that a client would read, without the lead-in that names policy and object. */
  readonly message: string;
  /** The place in the object, if it is known. */
  readonly path?: JsonPath;
  /** The name of the field is wrong, not its value. */
  readonly key?: true;
  /** The value there, which the API server's text does not always show. */
  readonly value?: unknown;
  readonly oldValue?: unknown;
  /** The Go type the value should have, where it has another: `string`, `int32`. */
  readonly wanted?: string;
  /** The resource that reports it: a policy, a CRD, a webhook configuration, a certificate policy. */
  readonly by?: ProblemSource;
  readonly reason?: string;
  /** The failure the API server returns. */
  readonly returned: boolean;
  /** The error behind it, with the issues of the object's expressions and the rule that found it. */
  readonly fieldError?: FieldError;
  /** The first error of a certificate policy; its path leads to the attribute in the policy. */
  readonly policyError?: FieldError;
  /** A server never says this: something is missing in the inputs. */
  readonly isOwn?: true;
  /** Problems of mutations that an API server does not report. */
  readonly finding?: MutationFindingCode;
  /** The warning that is sent because of it, where that says more than the message. */
  readonly warning?: string;
  /** Advice, where the inputs lack something. */
  readonly help?: string;
  /** A key of problems that are the same for many objects: reported for the first only. */
  readonly once?: string;
}

/**
 * `not_idempotent`: a mutation changes the object again when it runs again. `order_dependent`: two write one field.
 * `denied_after_mutation`: the object is denied because of a value that a mutation wrote.
 */
export type MutationFindingCode = "not_idempotent" | "order_dependent" | "denied_after_mutation";

/** The resource, and its part, from which a problem comes. */
export interface ProblemSource {
  readonly kind: string;
  readonly name: string;
  readonly binding?: string;
  readonly params?: string;
  /** Steps to the expression in the resource: `["spec", "validations", 0, "expression"]`. */
  readonly path?: JsonPath;
  readonly expression?: string;
  /** Steps to the error in the binding, if the binding has it and not the resource. */
  readonly bindingPath?: JsonPath;
  /** The expression failed instead of being false. */
  readonly error?: boolean;
}

/** The steps of a write, in the API server's order. */
export type OutcomeStep =
  | "decoding"
  | "mutating policies"
  | "mutating webhooks"
  | "validation"
  | "validating policies"
  | "validating webhooks";

/** The answer of a cluster to a request, with all findings. */
export interface Outcome {
  readonly request: AdmissionRequest;
  readonly allowed: boolean;
  /** The API server's answer to a denied request. */
  readonly status?: Status;
  /** The step that refused it. */
  readonly endedBy?: OutcomeStep;
  /** The object as it would be stored: filled in by the server, unknown fields of custom resources dropped. Null for DELETE. */
  readonly object: KubeObject | null;
  /** The object as mutating policies met it: read, and filled in. Null for DELETE. */
  readonly received: KubeObject | null;
  /** The object after mutating policies and webhooks, pass after pass. */
  readonly mutated: MutatedRequest;
  readonly problems: readonly Problem[];
  /** Texts of the Warning header: those that a client would get, without policies that a refused request does not reach. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The results of every policy, even if the request ended before them: users want to see all problems. */
  readonly policies: AdmissionReport;
  /** The webhooks that would be called, and the reasons that exclude the others. */
  readonly webhooks: readonly WebhookSelection[];
  /** The review of a CertificateRequest. */
  readonly certificate?: CertificateReview;
  /** The assumptions about things that the inputs do not state: a namespace without labels, the resource of an unknown kind. */
  readonly assumptions: readonly string[];
}
