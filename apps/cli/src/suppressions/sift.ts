// Finds the suppressed findings of a run, by a comment or by the baseline, and the suppressions without effect.

import { posix } from "node:path";
import { isLintCode } from "@celadon/lint";
import type { ReportRow, ShownPlace, Suppressed } from "../output/answer.ts";
import type { SuppressionComment } from "../sources/suppression-comments.ts";
import { type BaselineEntry, counted, entryOf, keyOf } from "./baseline.ts";

/** A suppression that has no effect. */
export interface UnusedSuppression {
  readonly rule: "suppression/unused" | "suppression/no_reason" | "suppression/no_code" | "baseline/unused";
  readonly message: string;
  readonly help: string;
  readonly place?: ShownPlace;
}

export interface SiftOptions {
  readonly command: "check" | "lint";
  readonly comments: readonly SuppressionComment[];
  readonly baseline?: {
    readonly file: string;
    readonly entries: readonly BaselineEntry[];
    readonly isWritten: boolean;
  };
  /** The files that were read. */
  readonly files: ReadonlySet<string>;
  /** Whether findings of a rule would be reported at all. */
  readonly isReported?: (code: string) => boolean;
  /** Not everything was looked at, so that nothing is known of suppressions without effect. */
  readonly isPartial?: boolean;
}

export interface SuppressedRow {
  readonly row: ReportRow;
  readonly suppressed: Suppressed;
}

export class Sift {
  readonly suppressed: SuppressedRow[] = [];
  readonly #options: SiftOptions;
  readonly #used = new Set<SuppressionComment>();
  readonly #left: Map<string, number>;
  readonly #written: BaselineEntry[] = [];

  constructor(options: SiftOptions) {
    this.#options = options;
    const entries = options.baseline?.isWritten === false ? options.baseline.entries : [];
    this.#left = new Map(entries.map((entry) => [keyOf(entry), entry.count]));
  }

  /** Whether a finding is suppressed; it is kept for the reports then. */
  takes(row: ReportRow): boolean {
    const suppressed = this.#byComment(row) ?? this.#byBaseline(row);
    if (suppressed !== undefined) this.suppressed.push({ row, suppressed });
    return suppressed !== undefined;
  }

  /** The findings of this run as entries of a baseline, with those of other commands. */
  entries(): readonly BaselineEntry[] {
    const others = (this.#options.baseline?.entries ?? []).filter((entry) => !this.#isOurs(entry.rule));
    return [...others, ...counted(this.#written)];
  }

  unused(): readonly UnusedSuppression[] {
    if (this.#options.isPartial === true) return [];
    const comments = this.#options.comments.flatMap((comment) => this.#unusedComment(comment) ?? []);
    const { baseline, files } = this.#options;
    if (baseline === undefined || baseline.isWritten) return comments;
    const entries = baseline.entries.flatMap((entry): UnusedSuppression[] => {
      const left = this.#left.get(keyOf(entry)) ?? 0;
      const isRead = files.has(posix.join(posix.dirname(baseline.file), entry.file));
      if (left === 0 || !this.#isOurs(entry.rule) || !isRead) return [];
      const where = [entry.file, entry.object, entry.field].filter((part) => part !== undefined).join(" ");
      const message = `the baseline has ${left} more ${left === 1 ? "finding" : "findings"} of ${entry.rule} than there are: ${where}`;
      return [
        {
          rule: "baseline/unused",
          message,
          help: "--write-baseline writes it anew",
          place: { file: baseline.file, line: 1, column: 1 },
        },
      ];
    });
    return [...comments, ...entries];
  }

  #byComment({ rule, place }: ReportRow): Suppressed | undefined {
    if (place === undefined) return undefined;
    const { file, line } = place;
    const comment = this.#options.comments.find(
      ({ code, reason, from, to, ...other }) =>
        other.file === file && from <= line && line <= to && reason !== "" && isOf(rule, code),
    );
    if (comment === undefined) return undefined;
    this.#used.add(comment);
    return { kind: "inSource", reason: comment.reason };
  }

  #byBaseline(row: ReportRow): Suppressed | undefined {
    const { baseline } = this.#options;
    // Notes of lint are no findings.
    if (baseline === undefined || row.level === "skip") return undefined;
    const entry = entryOf(row, baseline.file);
    const left = this.#left.get(keyOf(entry)) ?? 0;
    if (baseline.isWritten) this.#written.push(entry);
    else if (left === 0) return undefined;
    else this.#left.set(keyOf(entry), left - 1);
    return { kind: "external", reason: `in the baseline ${baseline.file}` };
  }

  #unusedComment(comment: SuppressionComment): UnusedSuppression | undefined {
    const { file, line, column, code, reason } = comment;
    const place = { file, line, column };
    const isForLint = isLintCode(code.replace(/^lint\//, ""));
    const { command, isReported } = this.#options;
    if (code === "" || (!isForLint && !CHECK_RULE.test(code))) {
      if (command !== "lint") return undefined;
      const help =
        "write # celadon: ignore CODE reason, with a code of `celadon lint --list` or a rule of `celadon check`, such as policy/NAME";
      return { rule: "suppression/no_code", message: `"${code}" is no code of a finding`, help, place };
    }
    if (this.#used.has(comment) || isForLint !== (command === "lint")) return undefined;
    if (reason === "") {
      const help = `write the reason behind the code: # celadon: ignore ${code} reason`;
      return {
        rule: "suppression/no_reason",
        message: `a suppression of ${code} without a reason has no effect`,
        help,
        place,
      };
    }
    if (isReported?.(code.replace(/^lint\//, "")) === false) return undefined;
    return {
      rule: "suppression/unused",
      message: `nothing here is reported as ${code}`,
      help: "remove the comment",
      place,
    };
  }

  #isOurs(rule: string): boolean {
    return rule.startsWith("lint/") === (this.#options.command === "lint");
  }
}

/** Rules of check: a system, or a part of one as in `policy/images`. */
const CHECK_RULE = /^(?:certificate|mutation|policy|rules|schema|validation|webhook)(?:\/|$)/;

/** `policy/images` means all of its parts; a code of lint needs no `lint/`. */
function isOf(rule: string, code: string): boolean {
  if (code === "") return false;
  return rule === code || rule === `lint/${code}` || rule.startsWith(`${code}/`) || rule.startsWith(`${code}[`);
}
