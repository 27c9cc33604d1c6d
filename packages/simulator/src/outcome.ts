// What a request would get, from every system that concerns it. All failures are kept; the one the API server returns is marked.

import type { AdmissionRequest, Report } from "@celadon/admission";
import type { Selection } from "@celadon/admission/webhook";
import type { JsonPath } from "@celadon/base";
import type { Review } from "@celadon/certpolicy";
import type { FieldError, KubeObject, Status } from "@celadon/kube";

/** In the order the API server asks them. */
export type System = "schema" | "rules" | "policy" | "webhook" | "certificate";

/**
 * `deny`: the request is refused. `warn` and `audit`: a binding says so. `ignored`: an error that failurePolicy lets pass.
 * `warning`: the server lets it pass and says something (an unknown field, a deprecated version).
 */
export type FailureLevel = "deny" | "warn" | "audit" | "ignored" | "warning";

export interface Problem {
  readonly system: System;
  readonly level: FailureLevel;
  /** What was wrong, in the words a client would read, without the lead-in that names policy and object. */
  readonly message: string;
  /** Where in the object, if that is known. */
  readonly path?: JsonPath;
  /** The name of the field is wrong, not its value. */
  readonly key?: true;
  /** The value there, which the API server's text does not always show. */
  readonly value?: unknown;
  readonly oldValue?: unknown;
  /** The resource that spoke: a policy, a definition, a webhook configuration, a certificate policy. */
  readonly by?: Speaker;
  readonly reason?: string;
  /** The failure the API server returns. */
  readonly returned: boolean;
  /** The error behind it, with what is wrong in the object's expressions and which rule found it. */
  readonly fieldError?: FieldError;
  /** What is the same for many objects, and enough to be said of the first. */
  readonly once?: string;
}

export interface Speaker {
  readonly kind: string;
  readonly name: string;
  readonly binding?: string;
  readonly params?: string;
  /** Steps to the expression in the resource: `["spec", "validations", 0, "expression"]`. */
  readonly path?: JsonPath;
  readonly expression?: string;
  /** The expression failed instead of being false. */
  readonly error?: boolean;
}

/** The steps of a write, in the API server's order. */
export type StepName = "decoding" | "mutating webhooks" | "validation" | "validating policies" | "validating webhooks";

export interface Outcome {
  readonly request: AdmissionRequest;
  readonly allowed: boolean;
  /** What the API server answers when the request is refused. */
  readonly status?: Status;
  /** The step that refused it. */
  readonly endedBy?: StepName;
  /** The object as it would be stored: filled in by the server, unknown fields of custom resources dropped. Null for DELETE. */
  readonly object: KubeObject | null;
  readonly problems: readonly Problem[];
  /** Texts of the Warning header: what a client would really get, so nothing of policies a refused request does not come to. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** What every policy said, also where the request ended before them: people want to see everything that is wrong. */
  readonly policies: Report;
  /** Which webhooks would be called, and what refused the others. */
  readonly webhooks: readonly Selection[];
  /** Of a CertificateRequest. */
  readonly certificate?: Review;
  /** What had to be assumed because the inputs do not say: a namespace without labels, the resource of an unknown kind. */
  readonly assumptions: readonly string[];
}
