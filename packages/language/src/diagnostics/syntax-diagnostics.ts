// Errors of the YAML or JSON itself, and expressions that YAML reads differently from their author's intention.

import { isRecord } from "@celadon/base";
import { CUT_OFF, isCutOff, yamlHint } from "@celadon/kube/read";
import type { File, PlacedPart } from "../document/file.ts";
import type { Resource } from "../document/part.ts";
import { touchesMask } from "../document/template.ts";
import { siteSystem } from "../expression/sites.ts";
import { lineEnd, shifted, type TextRange } from "../text/range.ts";
import type { Diagnostic } from "./diagnostic.ts";

export function syntaxDiagnostics(file: File): Diagnostic[] {
  return file.parts.flatMap((placed) => [...readingDiagnostics(placed), ...scalarDiagnostics(placed)]);
}

function readingDiagnostics({ part, start }: PlacedPart): Diagnostic[] {
  // Text that a comment cuts off is shown below, and only for expressions: there it is surely a mistake.
  const warnings = part.warnings.filter(({ code }) => code !== "comment");
  const found = [
    ...part.issues.map((issue) => ({ ...issue, severity: "error" as const })),
    ...warnings.map((warning) => ({ ...warning, severity: "warning" as const })),
  ];
  return found.flatMap(({ code, message, offset, severity }): Diagnostic[] => {
    const at = Math.min(offset, part.text.length);
    const range = { start: at, end: Math.max(at, Math.min(lineEnd(part.text, at), at + 200)) };
    // In a template, text after an instruction may well be right once it is rendered.
    if (
      part.masks.length > 0 &&
      (touchesMask(part.masks, range) || part.masks.some((mask) => mask.end >= range.start - 200))
    )
      return [];
    const lineStart = part.text.lastIndexOf("\n", at - 1) + 1;
    const line = part.text.slice(lineStart, lineEnd(part.text, at));
    const help = severity === "error" ? yamlHint(line, at - lineStart + 1) : undefined;
    const advice = help === undefined ? {} : { help };
    return [{ code, severity, range: shifted(range, start), message, ...advice, source: "syntax" }];
  });
}

/** Plain and folded scalars that lose part of an expression without a word. */
function scalarDiagnostics({ part, start }: PlacedPart): Diagnostic[] {
  return part.resources.flatMap((resource) =>
    scalarsOf(resource).flatMap(({ range, style, value }): Diagnostic[] => {
      if (touchesMask(part.masks, range)) return [];
      const written = part.text.slice(range.start, range.end);
      const found = wrongScalar(part.text, range, style, value, written);
      return found === undefined
        ? []
        : [
            {
              ...found,
              range: shifted(found.range, start),
              severity: "warning",
              source: "syntax",
              help: "write the expression as a block: `|-`",
            },
          ];
    }),
  );
}

type Found = Pick<Diagnostic, "code" | "message" | "range">;

function wrongScalar(
  text: string,
  range: TextRange,
  style: string,
  value: unknown,
  written: string,
): Found | undefined {
  if (style === "plain" && typeof value === "string") {
    const rest = text.slice(range.end, lineEnd(text, range.end));
    const comment = /^\s+#.*/.exec(rest);
    // A comment behind a whole expression is one; behind an open bracket or quote, it has eaten the rest.
    if (comment !== null && isCutOff(written)) {
      return {
        code: "yaml_comment",
        message: CUT_OFF,
        range: { start: range.end, end: range.end + comment[0].length },
      };
    }
  }
  if ((style === "folded" || style === "plain") && written.includes("\n") && typeof value === "string") {
    const joined = written.slice(0, written.trimEnd().lastIndexOf("\n") + 1);
    const slashes = /(?:^|[^:'"])\/\//.exec(joined);
    if (slashes !== null) {
      const at = range.start + slashes.index;
      return {
        code: "comment_in_folded_text",
        message: "YAML joins these lines, so the // comment covers the rest of the expression",
        range: { start: at, end: lineEnd(text, at + 1) },
      };
    }
  }
  return undefined;
}

interface ScalarAt {
  readonly range: TextRange;
  readonly style: string;
  readonly value: unknown;
}

/** Every scalar in a place for expressions. */
function scalarsOf(resource: Resource): ScalarAt[] {
  const found: ScalarAt[] = [];
  const walk = (value: unknown, path: (string | number)[]): void => {
    if (Array.isArray(value)) for (const [i, item] of value.entries()) walk(item, [...path, i]);
    else if (isRecord(value)) for (const [key, item] of Object.entries(value)) walk(item, [...path, key]);
    else if (EXPRESSION.has(String(path.at(-1))) && siteSystem(resource.object, path) !== undefined) {
      const range = resource.document.rangeOf([...resource.prefix, ...path]);
      if (range !== undefined) found.push({ range, style: range.style, value });
    }
  };
  if (/admissionregistration|apiextensions|cert-manager/.test(String(resource.object.apiVersion)))
    walk(resource.object, []);
  return found;
}

const EXPRESSION: ReadonlySet<string> = new Set(["expression", "messageExpression", "valueExpression", "rule"]);
