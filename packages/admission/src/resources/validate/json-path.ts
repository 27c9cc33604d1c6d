// Whether a string is a JSONPath as kubectl reads it, for field references in a status. Only the syntax is checked; errors are client-go's.
// Upstream: client-go util/jsonpath.

/** The problem of `{path}`; undefined when nothing is. */
export function jsonPathProblem(path: string): string | undefined {
  return templateProblem(`{${path}}`);
}

/** A template is text with paths in braces. */
function templateProblem(template: string): string | undefined {
  const scanner = new Scanner(template);
  while (scanner.skipTo("{")) {
    const problem = actionProblem(scanner);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

// Up to and with the closing brace.
function actionProblem(scanner: Scanner): string | undefined {
  let afterDescent = false;
  while (!scanner.take("}")) {
    const wasDescent = afterDescent;
    afterDescent = false;
    let problem: string | undefined;
    if (scanner.take("[?(")) problem = filterProblem(scanner);
    else if (scanner.take("..")) {
      if (wasDescent) return "invalid multiple recursive descent";
      // A name right after it is a field; only then may another descent follow.
      afterDescent = scanner.takeMatch(LETTER) === undefined;
      if (!afterDescent) scanner.takeMatch(FIELD);
    } else {
      const char = scanner.next();
      if (char === undefined || char === "\n" || char === "\r") return "unclosed action";
      if (char === "[") problem = arrayProblem(scanner);
      else if (char === '"' || char === "'") problem = quoteProblem(scanner, char);
      else if (char === ".") scanner.takeMatch(FIELD);
      else if (/[+\-\p{Nd}]/u.test(char)) problem = numberProblem(char + (scanner.takeMatch(/^[.\p{Nd}]*/u) ?? ""));
      else if (/[_\p{L}]/u.test(char)) scanner.takeMatch(NAME);
      else if (!" @$".includes(char)) problem = `unrecognized character in action: ${shownCharacter(char)}`;
    }
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const LETTER = /^[_\p{L}\p{Nd}]/u;
const NAME = /^[^ \t\r\n.,[\]$@{}]*/u;
/** A name in which a backslash protects the next character. */
const FIELD = /^(?:\\[\s\S]|[^ \t\r\n.,[\]$@{}\\])*/u;
const SLICE = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/;

function arrayProblem(scanner: Scanner): string | undefined {
  const text = scanner.takeMatch(/^[^\]\n]*/u) ?? "";
  if (!scanner.take("]")) return "unterminated array";
  if (text === "*") return undefined;
  const parts = text.split(",");
  if (parts.length > 1) {
    return parts.map((part) => jsonPathProblem(`[${withoutBlanks(part)}]`)).find((problem) => problem !== undefined);
  }
  const key = /^'([^']*)'$/.exec(text);
  if (key !== null) return jsonPathProblem(`.${key[1]}`);
  const slice = SLICE.exec(text);
  if (slice === null) return `invalid array index ${text}`;
  const wrong = slice.slice(1).find((part) => part === "-");
  return wrong === undefined ? undefined : `array index ${wrong} is not a number`;
}

/** Without blanks around it; a pattern would try again at every blank inside. */
function withoutBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end--;
  return text.slice(0, end).replace(/^ +/, "");
}

function filterProblem(scanner: Scanner): string | undefined {
  // Quotes come in one pair, and a parenthesis inside it does not end the filter.
  const text = scanner.takeMatch(/^(?:[^"')\n]*|[^"')\n]*(["'])(?:\\[\s\S]|(?!\1)[^\n\\])*\1[^)\n]*)(?=\))/u);
  if (text === undefined) return "unterminated filter";
  scanner.take(")");
  if (!scanner.take("]")) return "unclosed array expect ]";
  const comparison = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(text);
  if (comparison === null) return jsonPathProblem(text);
  return jsonPathProblem(comparison[1]!) ?? jsonPathProblem(comparison[3]!);
}

function quoteProblem(scanner: Scanner, quote: string): string | undefined {
  let text = quote;
  let last = quote;
  for (let char = scanner.next(); ; char = scanner.next()) {
    if (char === undefined || char === "\n") return "unterminated quoted string";
    text += char;
    if (char === quote && last !== "\\") break;
    last = char;
  }
  const broken = text.replace(ESCAPE, "").includes("\\");
  return broken ? `unquote string ${text} error invalid syntax` : undefined;
}

/** Escapes of Go. */
const ESCAPE = /\\(?:[abfnrtv\\'"]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{3})/g;

function numberProblem(text: string): string | undefined {
  return /^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(text) ? undefined : `cannot parse number ${text}`;
}

/** `U+0021 '!'`, as fmt's %#U. */
function shownCharacter(char: string): string {
  const code = `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char) ? `${code} '${char}'` : code;
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }
  take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
  /** The pattern starts with `^`. */
  takeMatch(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.#text.slice(this.#at))?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
  /** Past the next place the text is at. */
  skipTo(text: string): boolean {
    const at = this.#text.indexOf(text, this.#at);
    if (at !== -1) this.#at = at + text.length;
    return at !== -1;
  }
  next(): string | undefined {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) return undefined;
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    return char;
  }
}
