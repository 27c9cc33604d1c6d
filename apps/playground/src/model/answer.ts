// The worker's answers: plain data that the page shows as it is. Places are offsets in the texts of the editors.

import type { Work, WorkMode, WorkText } from "@celadon/language/playground";

/** A stretch of one of the texts. */
export interface Spot {
  readonly text: WorkText;
  readonly from: number;
  readonly to: number;
}

/** `bad`: it denies or failed. `warn`: it lets pass and says something. `none`: nothing was decided. */
export type Tone = "good" | "bad" | "warn" | "none";

/** The answer to the request, as the API server would give it. */
export interface ShownVerdict {
  readonly tone: Tone;
  /** `Denied`, `Allowed`, `Approved`, `true`. */
  readonly title: string;
  /** `422 Invalid`, or the type of a value. */
  readonly detail?: string;
  /** In the words of the API server. */
  readonly message?: string;
  /** The reason in one sentence, where the message is longer. */
  readonly reason?: string;
  /** A text does not parse, as while it is typed: an earlier verdict stays. */
  readonly unparsed?: true;
  /** The places that decided; with an explanation to come, in that. */
  readonly spots: readonly Spot[];
  /** A change that would mend it. */
  readonly remedy?: Remedy;
}

/** A change of one of the texts, offered as a button. */
export interface Remedy {
  readonly title: string;
  readonly text: WorkText;
  readonly changes: readonly { readonly from: number; readonly to: number; readonly insert: string }[];
}

/** The verdict on one of several objects. */
export interface ObjectVerdict {
  /** `Pod web` */
  readonly name: string;
  readonly tone: Tone;
  readonly title: string;
}

/** A line of an explanation. */
export interface ExplainedLine {
  /** From 1; a line belongs to the nearest one above it with a smaller level. */
  readonly level: number;
  readonly tone: Tone;
  readonly text: string;
  /** Shown after an arrow. */
  readonly value?: string;
  /** In small print: cost, place, skipped evaluation. */
  readonly note?: string;
  readonly role: "group" | "expression" | "part" | "deciding" | "aside" | "message";
  readonly spots: readonly Spot[];
  /** Whether the lines below it are hidden at first. */
  readonly closed?: boolean;
}

/** The reasons for the verdict. */
export interface Explanation {
  readonly lines: readonly ExplainedLine[];
  /** The places that decided. */
  readonly spots: readonly Spot[];
}

/** The cost of an expression. */
export interface Cost {
  /** `validations[0].expression` */
  readonly what: string;
  readonly resource: string;
  /** `12 of 10,000,000` */
  readonly text: string;
  /** Percent of the limit; undefined where nothing is known. */
  readonly share?: number;
  readonly isTotal: boolean;
  readonly tone: Tone;
  /** `1.26 – 1.36` */
  readonly accepted: string;
  /** Why minors do not take it: `1.26 – 1.29: undeclared reference to 'ip'`. */
  readonly refused: readonly string[];
  readonly help?: string;
  readonly spots: readonly Spot[];
}

/** Something wrong, or worth knowing, about a text. */
export interface TextFinding {
  readonly tone: Tone;
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  /** The title of a change that mends it. */
  readonly fix?: string;
  readonly spot: Spot;
}

/** The changes by a mutation. */
export interface Mutation {
  readonly tone: Tone;
  readonly by: string;
  readonly result: string;
  readonly changes: readonly string[];
}

/** An object before and after, as YAML. */
export interface Change {
  readonly mutations: readonly Mutation[];
  readonly before: string;
  readonly after: string;
}

/** A certificate request, decoded. */
export interface DecodedRequest {
  readonly problem?: string;
  readonly rows: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** A webhook, and whether it is called. */
export interface WebhookCall {
  readonly tone: Tone;
  readonly name: string;
  readonly text: string;
}

/** The result of a request. */
export interface WorkAnswer {
  readonly mode: WorkMode;
  readonly verdict: ShownVerdict;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  readonly annotations: readonly (readonly [string, string])[];
  /** Absent where an explanation follows: a verdict does not wait for it. */
  readonly lines?: readonly ExplainedLine[];
  readonly change?: Change;
  readonly certificate?: DecodedRequest;
  readonly webhooks: readonly WebhookCall[];
  /** The objects of the object text, where there are several, and which of them the rest is about. */
  readonly objects: readonly ObjectVerdict[];
  readonly selected: number;
  /** The request: `CREATE Pod default/web`. */
  readonly asked: string;
  /** Milliseconds in the worker. */
  readonly took: number;
}

/** A case of the test suite. */
export interface TestCase {
  readonly name: string;
  readonly result: "pass" | "fail" | "error" | "skip";
  readonly details: readonly string[];
  readonly spot?: Spot;
}

/** A stretch of the policy that tests cover, or do not. */
export interface Coverage {
  readonly spot: Spot;
  readonly covered: "all" | "some" | "none";
  /** `validations[1]` */
  readonly what: string;
  /** The points that no test has shown. */
  readonly missing: readonly string[];
}

/** The result of the test suite. */
export interface SuiteAnswer {
  readonly problems: readonly { readonly message: string; readonly spot?: Spot }[];
  readonly cases: readonly TestCase[];
  readonly coverage: readonly Coverage[];
  /** Percent; undefined where there is nothing to cover. */
  readonly percent?: number;
}

/** A clause, and its results for the objects of the object text: the truth strip. */
export interface ClauseAnswer {
  /** The id for further requests; valid for the current texts. */
  readonly id: string;
  /** `validations[0].expression` */
  readonly what: string;
  readonly resource: string;
  readonly spots: readonly Spot[];
  readonly results: readonly { readonly object: string; readonly truth: "true" | "false" | "error" | "not reached" }[];
  /** Whether it was evaluated for the object of the request, so that a change of that may turn it. */
  readonly turns: boolean;
}

/** The smallest change of the object that turns a clause. */
export interface FlipAnswer {
  /** `Set spec.replicas to 5`; undefined where no change of one field was found. */
  readonly title?: string;
  /** `validations[0] would be true, and the object allowed` */
  readonly effect?: string;
  /** The changes to the object text; undefined where one edit cannot make it. */
  readonly changes?: readonly { readonly from: number; readonly to: number; readonly insert: string }[];
}

/** Changes with which a denied object would be allowed. */
export interface Cure {
  /** `Set spec.containers[1].image to "registry.example.com/shipper:latest"`; undefined where none were found. */
  readonly title?: string;
  /** The changes to the object text; undefined where edits cannot make them. */
  readonly changes?: readonly { readonly from: number; readonly to: number; readonly insert: string }[];
}

/** A completion as the editor inserts it. */
export interface Offer {
  readonly label: string;
  readonly kind: string;
  readonly detail?: string;
  readonly documentation?: string;
  readonly insert: string;
  readonly snippet: boolean;
}

/** An imported object, and the text that it went to. */
export interface Placed {
  readonly text: WorkText;
  /** `Pod web` */
  readonly what: string;
}

/** Imported texts, sorted into panes. */
export interface Sorted {
  readonly work: Work;
  readonly placed: readonly Placed[];
  /** Documents that could not be read. */
  readonly problems: readonly string[];
}
