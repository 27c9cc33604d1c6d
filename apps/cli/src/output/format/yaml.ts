// `-o yaml`: the same document as `-o json`.

import { Double } from "@celadon/base";
import { Document, isScalar, Scalar, visit } from "yaml";
import type { CommandReport } from "../answer.ts";
import { LazyList } from "../lazy-list.ts";
import { screened, visible } from "../visible.ts";

export function render(answer: CommandReport): Iterable<string> {
  return yamlPieces(answer.document);
}

/** A document, which may have lists whose items are made one by one. */
export function* yamlPieces(document: Readonly<Record<string, unknown>>): Generator<string> {
  if (!Object.values(document).some((member) => member instanceof LazyList)) return yield toYaml(document);
  for (const [key, member] of Object.entries(document)) {
    if (!(member instanceof LazyList)) {
      if (member !== undefined) yield toYaml({ [key]: member });
      continue;
    }
    let isEmpty = true;
    for (const item of member) {
      if (isEmpty) yield toYaml({ [key]: null }).replace(/ null\n$/, "\n");
      isEmpty = false;
      yield toYaml([item]).replaceAll(/^(?=.)/gm, "  ");
    }
    if (isEmpty) yield toYaml({ [key]: [] });
  }
}

/** YAML 1.2 text that readers of YAML 1.1 understand in the same way: `"yes"` and `"on"` are quoted. */
export function toYaml(value: unknown): string {
  const document = new Document(plain(value), { aliasDuplicateObjects: false, version: "1.2" });
  visit(document, {
    Scalar(_, node) {
      if (!isScalar(node) || typeof node.value !== "string") return;
      const text = node.value.replaceAll(HALF, "\ufffd");
      node.value = text;
      if (AMBIGUOUS.test(text) || screened(text) !== text) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return visible(text.replaceAll(TAG, longEscape)); // inside double quotes, where escapes are read back
}

/** Half of a surrogate pair, which YAML as Kubernetes reads it cannot say, not even by an escape. */
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The characters that `visible` would write as two halves, which JSON puts together and YAML does not. */
const TAG = /\udb40[\udc00-\udfff]/g;

const longEscape = (character: string): string => `\\U${character.codePointAt(0)!.toString(16).padStart(8, "0")}`;

/** Words and numbers of YAML 1.1 that 1.2 takes for text. */
const AMBIGUOUS =
  /^(?:y|yes|n|no|on|off|[-+]?0[0-7_]+|[-+]?0b[01_]+|[-+]?\d[\d_]*(?::[0-5]?\d)+|\d{4}-\d\d?-\d\d?.*|=|<<)$/i;

/** Doubles unboxed as scalars that keep their point; everything else as it is. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Array.from(value, plain);
  if (value instanceof Double) {
    const scalar = new Scalar(value.value);
    scalar.minFractionDigits = 1;
    return scalar;
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return new Map(members.map(([key, member]) => [key, plain(member)]));
}
