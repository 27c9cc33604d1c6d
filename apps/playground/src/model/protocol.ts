// Messages between page and worker. Every change of the work has a version, which its answers carry; a question that
// waits for its answer has a number.

import type { MaskedWork, Work, WorkRequest, WorkText } from "@celadon/language/playground";
import type {
  ClauseAnswer,
  Cost,
  Cure,
  Explanation,
  FlipAnswer,
  Offer,
  Sorted,
  Spot,
  SuiteAnswer,
  TextFinding,
  WorkAnswer,
} from "./answer.ts";

/** A replaced stretch of a text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** From the page. */
export type Order =
  /** The buffer for answers before they are sent: see slate.ts. */
  | { readonly is: "slate"; readonly buffer: SharedArrayBuffer }
  | { readonly is: "work"; readonly version: number; readonly work: Work }
  | {
      readonly is: "change";
      readonly version: number;
      readonly text: WorkText;
      /** Changes of the former text, in order, not overlapping. */
      readonly changes: readonly TextChange[];
    }
  | { readonly is: "request"; readonly version: number; readonly request: WorkRequest; readonly kubeVersion?: string }
  /** The object that the answer is about; undefined for the first that is denied. */
  | { readonly is: "select"; readonly version: number; readonly object?: number }
  /** A question about the texts of a version. */
  | ({ readonly is: "ask"; readonly number: number; readonly version: number } & Question);

/** The page's questions about the present texts. */
export type Question =
  | { readonly what: "complete"; readonly text: WorkText; readonly offset: number }
  | { readonly what: "hover"; readonly text: WorkText; readonly offset: number }
  | { readonly what: "fixes"; readonly text: WorkText; readonly from: number; readonly to: number }
  | { readonly what: "format"; readonly text: WorkText }
  | { readonly what: "mask"; readonly work: Work }
  /** Imported texts, beside the present work. */
  | {
      readonly what: "sort";
      readonly sources: readonly { readonly name: string; readonly text: string }[];
      readonly work: Work;
    }
  | { readonly what: "test" }
  | { readonly what: "clauses" }
  /** About a clause by its id. */
  | { readonly what: "flip"; readonly clause: string }
  | { readonly what: "flipTests"; readonly clause: string };

/** The answer to each question. */
export interface Replies {
  readonly complete: { readonly from: number; readonly to: number; readonly offers: readonly Offer[] } | undefined;
  readonly hover: { readonly spot: Spot; readonly markdown: string } | undefined;
  readonly fixes: readonly { readonly title: string; readonly changes: readonly TextChange[] }[];
  readonly format: readonly TextChange[];
  readonly mask: MaskedWork;
  readonly sort: Sorted;
  /** The test suite with a case for the current request. */
  readonly test: string;
  readonly clauses: readonly ClauseAnswer[];
  readonly flip: FlipAnswer;
  /** The test suite with cases for the object as it is and as it would be. */
  readonly flipTests: string;
}

/** From the worker. */
export type WorkerMessage =
  | { readonly is: "ready" }
  | { readonly is: "answer"; readonly version: number; readonly answer: WorkAnswer }
  | { readonly is: "explanation"; readonly version: number; readonly explanation: Explanation }
  | { readonly is: "costs"; readonly version: number; readonly costs: readonly Cost[] }
  | { readonly is: "findings"; readonly version: number; readonly findings: readonly TextFinding[] }
  | { readonly is: "suite"; readonly version: number; readonly suite: SuiteAnswer }
  | { readonly is: "cure"; readonly version: number; readonly cure: Cure }
  /** All results for the version have been sent. */
  | { readonly is: "done"; readonly version: number }
  | { readonly is: "reply"; readonly number: number; readonly reply: Replies[keyof Replies] }
  | { readonly is: "failed"; readonly version: number; readonly message: string }
  /** A part of the worker could not be loaded. */
  | { readonly is: "unloaded" };
