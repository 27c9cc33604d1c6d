// The agreement with the recorded answers, kind by kind, and its page in the documentation.

import { type ServedBuiltin, servedResources } from "../types/index.ts";
import { KNOWN_DIFFERENCES } from "./known-differences.testing.ts";

type Part = "type" | "defaults" | "validation" | "warnings";
const PARTS: readonly Part[] = ["type", "defaults", "validation", "warnings"];

interface Count {
  agree: number;
  recorded: number;
}

/** Kinds whose rules are elsewhere, or that cannot be written. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "admissionregistration.k8s.io": "[admission](../../packages/admission/README.md)",
  "apiextensions.k8s.io": "[crd](../../packages/crd/README.md)",
};
const READ_ONLY: ReadonlySet<string> = new Set(["v1/ComponentStatus"]);

const HEADER = `# Built-in kinds

How each kind that kube-apiserver v1.36 serves compares with its recorded answers: decoding of objects by the **type** of the kind, objects
with **defaults** applied, **validation** of creates and updates (including subresources), compared completely in code, reason, message and
causes, and **warnings**, counted if either side gives one. Every kind below has all of these; a dash means that nothing was recorded.
\`npm run docs\` writes this page.
`;

export class Agreements {
  readonly #counts = new Map<string, Record<Part, Count>>();

  /** `kind` is `<apiVersion>/<kind>`. */
  add(kind: string, part: Part, agrees: boolean): void {
    const counts = this.#counts.get(kind) ?? noCounts();
    this.#counts.set(kind, counts);
    counts[part].recorded++;
    if (agrees) counts[part].agree++;
  }

  page(): string {
    const rows = servedResources("1.36").map((served) => this.#row(served));
    const total = ["**all**", "", ...PARTS.map((part) => `**${cell(this.#total(part))}**`)];
    const lines = [["kind", "version", ...PARTS], ["---", "---", ...PARTS.map(() => "---:")], ...rows, total];
    const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    return `${HEADER}\n${table}\n\n${differences()}`;
  }

  #row({ apiVersion, group, kind }: ServedBuiltin): string[] {
    const name = `${apiVersion}/${kind}`;
    const counts = this.#counts.get(name) ?? noCounts();
    const shown = PARTS.map((part) => cell(counts[part]));
    if (ELSEWHERE[group] !== undefined) shown[2] = ELSEWHERE[group];
    if (READ_ONLY.has(name)) shown[2] = "read only";
    return [`\`${kind}\``, `\`${apiVersion}\``, ...shown];
  }

  #total(part: Part): Count {
    const all = [...this.#counts.values()].map((counts) => counts[part]);
    const sum = (field: keyof Count): number => all.reduce((total, count) => total + count[field], 0);
    return { agree: sum("agree"), recorded: sum("recorded") };
  }
}

function noCounts(): Record<Part, Count> {
  const none = (): Count => ({ agree: 0, recorded: 0 });
  return { type: none(), defaults: none(), validation: none(), warnings: none() };
}

function cell({ agree, recorded }: Count): string {
  if (recorded === 0) return "–";
  return `${Math.floor((100 * agree) / recorded)}% of ${recorded}`;
}

function differences(): string {
  const listed = Object.entries(KNOWN_DIFFERENCES).flatMap(([kind, rows]) =>
    Object.entries(rows).map(([id, reason]) => `| ${kind} | ${id} | ${reason} |`),
  );
  if (listed.length === 0) return "No recorded answer differs.\n";
  return ["| recording | request | why it differs |", "| --- | --- | --- |", ...listed, ""].join("\n");
}
