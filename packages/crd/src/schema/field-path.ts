// `fieldPath` of a rule and `jsonPath` of a selectable field: a path in dots and quoted brackets, followed through the
// declared properties of a schema.

import { FieldPath } from "@celadon/kube/errors";
import { type JsonSchema, propertiesOf, propertyOf, valuesOf } from "./json-schema.ts";

export interface FoundField {
  readonly path: FieldPath;
  /** The first step. */
  readonly root: string;
  /** The schema at the path; nothing below a map of anything. */
  readonly schema: JsonSchema | undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

/** The field a path leads to, or why it leads nowhere. */
export function findField(text: string, schema: JsonSchema, brackets = true): FoundField | string {
  const tokens = tokenize(text);
  let path = FieldPath.root;
  let root = "";
  let current: JsonSchema | undefined = schema;
  const step = (name: string): string | undefined => {
    if (root === "") root = name;
    if (current !== undefined && propertiesOf(current).length > 0) {
      path = path.child(name);
      current = propertyOf(current, name);
      return current === undefined ? "does not refer to a valid field" : undefined;
    }
    if (current?.additionalProperties === undefined) return "does not refer to a valid field";
    path = path.key(name);
    current = valuesOf(current);
    return undefined;
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token !== "." && token !== "[") return `expected [ or . but got: ${token}`;
    if (token === "[" && !brackets) return "array notation is not allowed";
    const next = tokens[++i];
    if (next === undefined) return "unexpected end of JSON path";
    const name = token === "." ? next : unquote(next);
    if (typeof name !== "string") return name.problem;
    const problem = step(name);
    if (problem !== undefined) return problem;
    if (token === "[") {
      const close = tokens[++i];
      if (close === undefined) return "unexpected end of JSON path";
      if (close !== "]") return `expected ] but got ${close}`;
    }
  }
  return { path, root, schema: current };
}

/** The delimiters `.`, `[` and `]`, and the texts between them; a quoted text keeps its quotes. */
function tokenize(text: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  while (at < text.length) {
    const end = tokenEnd(text, at);
    if (end === -1) break; // an unfinished quote is never handed out
    tokens.push(text.slice(at, end));
    at = end;
  }
  return tokens;
}

function tokenEnd(text: string, start: number): number {
  if (text[start] === "'") {
    for (let i = start + 1; i < text.length; i++) if (text[i] === "'" && text[i - 1] !== "\\") return i + 1;
    return text.length;
  }
  for (let i = start; i < text.length; i++) {
    if (text[i] === "." || text[i] === "[" || text[i] === "]") return i === start ? i + 1 : i;
  }
  return text.length;
}

function unquote(token: string): string | { readonly problem: string } {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return { problem: `expected single quoted string but got ${token}` };
  }
  let bad: string | undefined;
  const text = token.slice(1, -1).replace(/\\./g, (pair) => {
    const char = ESCAPES[pair[1]!];
    if (char === undefined) bad = pair;
    return char ?? "";
  });
  return bad === undefined ? text : { problem: `invalid string literal: invalid escape char ${bad}` };
}
