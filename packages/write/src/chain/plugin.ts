// One plugin of the admission chain. It refuses by throwing a StatusError; it answers at once where it can, because most requests meet
// most plugins with nothing to do.

import type { AdmissionRequest, Maybe, Signal, UserInfo } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";

/** The additions of a plugin to the answer besides its decision. */
export interface AdmissionNotes {
  warn(text: string): void;
  annotate(key: string, value: string): void;
  /** For annotations that show the object itself. */
  annotatePatch(key: string, value: string): void;
}

/** The facts about a request that plugins need besides the admission request. */
export interface AdmissionContext {
  readonly notes: AdmissionNotes;
  readonly user: UserInfo;
  /** Ends waiting for webhooks and long evaluations. */
  readonly signal: Signal | undefined;
  /** Seconds the request has left. */
  remainingSeconds(): number;
}

/** One plugin of the admission chain. */
export interface AdmissionPlugin {
  readonly name: string;
  /** The object after this plugin; undefined when it did not change. */
  mutate?(request: AdmissionRequest, context: AdmissionContext): Maybe<KubeObject | undefined>;
  validate?(request: AdmissionRequest, context: AdmissionContext): Maybe<void>;
}
