// The result of a command before any format: rows for CI formats, the document for programs, and text for people. A
// command makes one Answer; output/write.ts writes it in every requested format.

import type { TextPosition } from "@celadon/kube/read";
import type { ExitCode } from "../program/exit.ts";
import type { Paint } from "./paint.ts";
import type { Text } from "./pieces.ts";

export type Level = "pass" | "fail" | "warn" | "error" | "skip";

/** A finding that a comment or a baseline suppresses. */
export interface Suppressed {
  /** SARIF's words: a comment in the file, or a baseline beside it. */
  readonly kind: "inSource" | "external";
  readonly reason: string;
}

/** One subject and its result: a test case, an object under a policy, a finding of lint. */
export interface ReportRow {
  /** Groups rows: a file, a suite. JUnit's testsuite. */
  readonly group: string;
  /** JUnit's testcase. */
  readonly name: string;
  /** `fail` fails the run; `error` means that there is no result. */
  readonly level: Level;
  /** Stable: `policy/trusted-images/validations[0]`, `lint/message_is_expression`. SARIF's ruleId. */
  readonly rule: string;
  /** The subject of the rule, one line. */
  readonly ruleText?: string;
  /** The page about the rule. */
  readonly ruleUrl?: string;
  /** One paragraph; may have lines. Empty for a pass. */
  readonly message: string;
  /** More for people: values, frames. */
  readonly detail?: string;
  /** The place to look at: usually in the object, for lint in the policy. */
  readonly place?: ShownPlace;
  readonly related?: readonly { readonly message: string; readonly place: ShownPlace }[];
  /** The policy (or CRD, webhook, certificate policy) that reports it; PolicyReport's policy and rule. */
  readonly policy?: string;
  readonly policyRule?: string;
  /** schema | rules | policy | webhook | certificate | lint | test */
  readonly system: string;
  readonly subject?: Subject;
  /** The field of the subject, such as `spec.replicas`: unlike the place, it stays when lines move. */
  readonly field?: string;
  readonly seconds?: number;
  readonly properties?: Readonly<Record<string, string>>;
  /** With the level that it would have. The row itself is skipped. */
  readonly suppressed?: Suppressed & { readonly level: Level };
}

export interface ShownPlace extends Omit<TextPosition, "offset"> {
  readonly endLine?: number;
  readonly endColumn?: number;
}

export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly string[]>;
}

/** Numbers by name, as bars of a page. */
export interface Chart {
  readonly title: string;
  /** The meaning of each value of a bar. */
  readonly series: readonly ChartSeries[];
  /** The largest first. */
  readonly bars: readonly ChartBar[];
}

export interface ChartSeries {
  readonly name: string;
  readonly tone: "bad" | "warn" | "good" | "plain" | "before";
}

export interface ChartBar {
  readonly name: string;
  /** One for each series. */
  readonly values: readonly number[];
  readonly note?: string;
}

export interface CommandReport {
  /** For very many objects they are created while they are iterated, each time again. */
  readonly results: Iterable<ReportRow>;
  /** JSON data with `apiVersion: celadon.dev/v1` and a `kind`; documented in docs/reference/output.md. */
  readonly document: Readonly<Record<string, unknown>>;
  /** For people. Ends with a line feed unless empty. */
  text(paint: Paint): Text;
  readonly table: Table;
  /** For pages. Made when a page is written. */
  charts?(): readonly Chart[];
  readonly exit: ExitCode;
}
