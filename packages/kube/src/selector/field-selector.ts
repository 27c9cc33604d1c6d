// Field selectors: `metadata.name=web,status.phase!=Running`. Values may hold `\`, `,` and `=` behind a backslash.

import { compareStrings } from "@celadon/base";
import { Invalid } from "../invalid.ts";

/** One part of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Fields by path; an absent one counts as empty. */
export type Fields = Readonly<Record<string, string>>;

/** Requirements that must all hold. */
export class FieldSelector {
  static readonly everything: FieldSelector = new FieldSelector([]);

  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  matches(fields: Fields): boolean {
    return this.requirements.every(({ field, operator, value }) => {
      const actual = Object.hasOwn(fields, field) ? fields[field] : "";
      return (actual === value) === (operator === "=");
    });
  }

  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** The value the field must have, if the selector says so. */
  exactValue(field: string): string | undefined {
    return this.requirements.find((requirement) => requirement.field === field && requirement.operator === "=")?.value;
  }

  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(",");
  }
}

/** A value as a field selector writes it. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}

/** Reads a field selector such as `status.phase=Running`. */
export function parseFieldSelector(text: string): FieldSelector | Invalid {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort(compareStrings)) {
    if (term === "") continue;
    const operator = /!=|==?/.exec(term);
    if (operator === null) return new Invalid(`invalid selector: '${text}'; can't understand '${term}'`);
    const value = unescapeFieldValue(term.slice(operator.index + operator[0].length));
    if (value instanceof Invalid) return value;
    const field = term.slice(0, operator.index);
    // `=` with neither field nor value requires nothing.
    if (field === "" && value === "") continue;
    requirements.push({ field, operator: operator[0] === "!=" ? "!=" : "=", value });
  }
  return new FieldSelector(requirements);
}

function splitTerms(text: string): string[] {
  if (text === "") return [];
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === ",") {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

/** A value of a field selector as it is meant. */
export function unescapeFieldValue(text: string): string | Invalid {
  let value = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === "\\") {
      const code = text.codePointAt(i + 1);
      const next = code === undefined ? "" : String.fromCodePoint(code);
      if (next !== "\\" && next !== "," && next !== "=") {
        return new Invalid(`invalid field selector: invalid escape sequence: \\${next}`);
      }
      value += next;
      i++;
    } else if (char === "," || char === "=") {
      // The reference prints the character's number.
      return new Invalid(`invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`);
    } else {
      value += char;
    }
  }
  return value;
}
