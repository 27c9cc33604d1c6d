// A suite ready to run: plain data. Files have been read, references followed, defaults filled in, patches applied.

import type { Operation, UserInfo } from "@celadon/admission";
import type { AuthorizerOverride, DeclaredAnswers } from "@celadon/admission/memory";
import type { JsonPath } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { TextPosition } from "@celadon/kube/read";
import type { Minor } from "@celadon/kube-cel";
import type { Manifest, Origin } from "@celadon/simulator/manifests";
import type { Expectation, ProofText, Verdict } from "./read/document.ts";

/** A suite as it runs. */
export interface Suite {
  readonly name: string;
  readonly origin: Origin;
  /** The version of the API server that it runs against; the current one if absent. */
  readonly kubeVersion?: Minor;
  /** All versions that its file names, oldest first: it is to run once with each. */
  readonly kubeVersions?: readonly Minor[];
  /** The common part of all cases. */
  readonly resources: readonly Manifest[];
  readonly cases: readonly Case[];
}

/** A case as it runs: an object, a request, the expectation. */
export interface Case {
  /** `test` or `test/case`. */
  readonly name: string;
  /** Steps to the case in the suite's document. */
  readonly path: JsonPath;
  readonly place?: TextPosition;
  readonly object?: Manifest;
  readonly oldObject?: Manifest;
  readonly operation: Operation;
  readonly subresource?: string;
  readonly user?: UserInfo;
  readonly namespace?: string;
  /** The resource of a CONNECT request. */
  readonly resource?: string;
  readonly objectName?: string;
  readonly dryRun?: boolean;
  readonly options?: KubeObject;
  /** In addition to the suite's, replacing those of the same kind and name: params, RBAC, the namespace. */
  readonly resources: readonly Manifest[];
  readonly authorizer: readonly AuthorizerOverride[];
  /** By name of the webhook; webhooks without an answer are not called. */
  readonly webhookAnswers?: DeclaredAnswers;
  /** The policies that the case is about; undefined: everything there is. */
  readonly policies?: readonly string[];
  readonly bindings?: readonly string[];
  readonly serverDefaults: boolean;
  readonly serverValidation: boolean;
  /** The treatment of unknown fields in a request; `Strict` unless given, as with kubectl. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
  /** The statement that the case proves; it has no request then. */
  readonly proof?: ProofText;
  /** Undefined for a case without expectation: it cannot pass. */
  readonly expect?: Expectation;
  /** The place of `expect`, in the case or in the test around it; if it is absent, the place where it would be. */
  readonly expectPath: JsonPath;
}

/** Fetches the files that a suite names. The command reads from disk, a browser from memory. */
export interface Loader {
  /** The objects of a file, a directory or a glob, named in the file `from`. */
  load(path: string, from: string): Promise<Loaded>;
}

/** The manifests of a file, and its problems. */
export interface Loaded {
  readonly manifests: readonly Manifest[];
  readonly issues: readonly LoadIssue[];
}

/** With a line: about that file's content. Without: about the path. */
export interface LoadIssue {
  readonly message: string;
  readonly hint?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The line, to be shown. */
  readonly lineText?: string;
}

export function expectationOf(expect: Verdict | Expectation): Expectation {
  return typeof expect === "string" ? { verdict: expect } : expect;
}
