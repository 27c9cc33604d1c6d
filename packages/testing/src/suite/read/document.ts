// A suite as it is written, once its shape has been checked: the types of what format.ts describes.

import type { Operation, UserInfo } from "@celadon/admission";
import type { WorkloadKind } from "@celadon/admission/autogen";
import type { AuthorizerOverride, DeclaredAnswers } from "@celadon/admission/memory";
import type { KubeObject } from "@celadon/kube";
import type { System } from "@celadon/simulator";
import type { VERDICTS } from "../format.ts";

/** The result of a case, in one word. */
export type Verdict = (typeof VERDICTS)[number];

/** A path, or an object in place. */
export type Source = string | KubeObject;

/** A text that is expected: the whole, a part, or a pattern. */
export type ExpectedText = string | { readonly contains?: string; readonly matches?: string };

export interface NamespaceText {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface Situation {
  readonly object?: Source;
  readonly oldObject?: Source;
  readonly operation?: Operation;
  readonly subresource?: string;
  readonly resource?: string;
  readonly objectName?: string;
  readonly user?: string | UserInfo;
  readonly namespace?: string | NamespaceText;
  readonly params?: readonly Source[];
  readonly resources?: readonly Source[];
  readonly rbac?: readonly Source[];
  readonly authorizer?: readonly AuthorizerOverride[];
  readonly webhookAnswers?: DeclaredAnswers;
  readonly policy?: string | readonly string[];
  readonly binding?: string | readonly string[];
  readonly serverDefaults?: boolean;
  readonly serverValidation?: boolean;
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
  readonly dryRun?: boolean;
  readonly options?: Readonly<Record<string, unknown>>;
}

export type Patch = Readonly<Record<string, unknown>> | readonly unknown[];

/** A statement about every request that the policies allow. */
export interface ProofText {
  readonly that: string;
  readonly assuming?: string;
}

export interface CaseText extends Situation {
  readonly name: string;
  readonly prove?: ProofText;
  readonly patch?: Patch;
  readonly expect?: Verdict | Expectation;
}

export interface TestText extends CaseText {
  readonly cases?: readonly CaseText[];
}

export interface SuiteText {
  readonly metadata?: { readonly name?: string };
  readonly kubeVersion?: string;
  readonly autogen?: boolean | readonly WorkloadKind[];
  readonly resources?: readonly Source[];
  readonly objects?: readonly Source[];
  readonly defaults?: Situation;
  readonly tests: readonly TestText[];
}

/** A failure that a case expects. */
export interface ExpectedFailure {
  readonly system?: System;
  readonly policy?: string;
  readonly binding?: string;
  readonly params?: string;
  readonly validation?: number;
  readonly level?: "deny" | "warn" | "audit" | "ignored";
  readonly message?: ExpectedText;
  readonly reason?: string;
  readonly path?: string;
  readonly error?: boolean;
}

export interface ExpectedMutation {
  readonly policy?: string;
  readonly binding?: string;
  readonly params?: string;
  readonly mutation?: number;
  readonly patch?: readonly unknown[];
}

export interface CostCeiling {
  readonly max?: number;
  readonly policies?: Readonly<Record<string, number>>;
}

/** The expectation of a case. */
export interface Expectation {
  readonly verdict?: Verdict;
  readonly allowed?: boolean;
  readonly matched?: boolean;
  readonly message?: ExpectedText;
  readonly anyFailure?: boolean;
  readonly statusMessage?: ExpectedText;
  readonly reason?: string;
  readonly code?: number;
  readonly failures?: number | readonly ExpectedFailure[];
  readonly warnings?: number | readonly ExpectedText[];
  readonly auditAnnotations?: Readonly<Record<string, ExpectedText | null>>;
  readonly cost?: number | CostCeiling;
  readonly webhooks?: { readonly called?: readonly string[]; readonly notCalled?: readonly string[] };
  readonly object?: Readonly<Record<string, unknown>>;
  readonly mutations?: number | readonly ExpectedMutation[];
}
