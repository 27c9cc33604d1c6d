// Label selector text → requirements, with the reference's grammar and its error texts:
// `environment in (production, qa), tier!=frontend, !canary`.

import { compareStrings } from "@celadon/base";
import { fieldErrorText } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import { Invalid } from "../invalid.ts";
import { lexLabelSelector, type Token } from "./label-lexer.ts";
import { labelKeyError, makeRequirement, type Requirement, type SelectorOperator } from "./requirement.ts";

/** The requirements sorted by key, or the first error. */
export function parseLabelRequirements(text: string, path: FieldPath = FieldPath.root): Requirement[] | Invalid {
  const parsed = new LabelParser(lexLabelSelector(text), path).parse();
  if (parsed instanceof Invalid) return parsed;
  return parsed.sort((a, b) => compareStrings(a.key, b.key));
}

const OPERATORS: ReadonlyMap<string, SelectorOperator> = new Map([
  ["in", "in"],
  ["=", "="],
  ["==", "=="],
  [">", "gt"],
  ["<", "lt"],
  ["notin", "notin"],
  ["!=", "!="],
]);

class LabelParser {
  private readonly tokens: readonly Token[];
  private readonly path: FieldPath;
  private at = 0;

  constructor(tokens: readonly Token[], path: FieldPath) {
    this.tokens = tokens;
    this.path = path;
  }

  parse(): Requirement[] | Invalid {
    const requirements: Requirement[] = [];
    for (;;) {
      const start = this.peek();
      if (start.kind === "end") return requirements;
      if (!isWord(start) && start.kind !== "!") {
        return new Invalid(`found '${start.text}', expected: !, identifier, or 'end of string'`);
      }
      const requirement = this.requirement();
      if (requirement instanceof Invalid) {
        return new Invalid(`unable to parse requirement: ${requirement.message}`);
      }
      requirements.push(requirement);
      const next = this.take();
      if (next.kind === "end") return requirements;
      if (next.kind !== ",") return new Invalid(`found '${next.text}', expected: ',' or 'end of string'`);
      const after = this.peek();
      if (!isWord(after) && after.kind !== "!") {
        return new Invalid(`found '${after.text}', expected: identifier after ','`);
      }
    }
  }

  private requirement(): Requirement | Invalid {
    let token = this.take();
    const negated = token.kind === "!";
    if (negated) token = this.take();
    if (!isWord(token)) return new Invalid(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const keyError = labelKeyError(key, this.path);
    if (keyError !== undefined) return new Invalid(fieldErrorText(keyError));
    if (negated) return makeRequirement(key, "!", [], this.path);
    const next = this.peek().kind;
    if (next === "end" || next === ",") return makeRequirement(key, "exists", [], this.path);

    const operatorToken = this.take();
    const operator = OPERATORS.get(operatorToken.kind);
    if (operator === undefined) {
      return new Invalid(`found '${operatorToken.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
    const values = operator === "in" || operator === "notin" ? this.valueSet() : this.exactValue();
    return values instanceof Invalid ? values : makeRequirement(key, operator, values, this.path);
  }

  /** `(a, b)`: a set, so each value once and sorted; an empty place is the empty value. */
  private valueSet(): string[] | Invalid {
    const open = this.take();
    if (open.kind !== "(") return new Invalid(`found '${open.text}' expected: '('`);
    const first = this.peek();
    if (first.kind === ")") {
      this.take();
      return [""];
    }
    if (!isWord(first) && first.kind !== ",") {
      return new Invalid(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = this.valueList();
    if (values instanceof Invalid) return values;
    this.take(); // the closing parenthesis: a list ends nowhere else
    return [...values].sort(compareStrings);
  }

  private valueList(): Set<string> | Invalid {
    const values = new Set<string>();
    for (;;) {
      const token = this.take();
      const next = this.peek();
      if (isWord(token)) {
        values.add(token.text);
        if (next.kind === ")") return values;
        if (next.kind !== ",") return new Invalid(`found '${next.text}', expected: ',' or ')'`);
      } else if (token.kind === ",") {
        if (values.size === 0) values.add("");
        if (next.kind === ")") return values.add("");
        if (next.kind === ",") values.add("");
      } else {
        return new Invalid(`found '${token.text}', expected: ',', or identifier`);
      }
    }
  }

  private exactValue(): string[] | Invalid {
    const next = this.peek();
    if (next.kind === "end" || next.kind === ",") return [""];
    const token = this.take();
    return isWord(token) ? [token.text] : new Invalid(`found '${token.text}', expected: identifier`);
  }

  private peek(): Token {
    return this.tokens[this.at] ?? END;
  }

  private take(): Token {
    return this.tokens[this.at++] ?? END;
  }
}

const END: Token = { kind: "end", text: "" };

// `in` and `notin` are words wherever no operator can stand.
function isWord(token: Token): boolean {
  return token.kind === "word" || token.kind === "in" || token.kind === "notin";
}
