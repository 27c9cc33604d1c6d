// A place in YAML text that only moves forward, and the kinds of characters that matter to YAML 1.1. A line ends with any of five
// characters there: a manifest may hold the rarer ones in its texts, and they are folded like the others.

export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const RETURN = 0x0d;
export const SPACE = 0x20;
const NEXT_LINE = 0x85;
const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;
/** Stands behind the text. No text holds this character: see find-forbidden.ts. */
export const END = 0;

export const isBlank = (unit: number): boolean => unit === SPACE || unit === TAB;

export const isBreak = (unit: number): boolean =>
  unit === LINE_FEED ||
  unit === RETURN ||
  unit === NEXT_LINE ||
  unit === LINE_SEPARATOR ||
  unit === PARAGRAPH_SEPARATOR;

export const isBreakOrEnd = (unit: number): boolean => unit === END || isBreak(unit);

export const isBlankOrEnd = (unit: number): boolean => isBlank(unit) || isBreakOrEnd(unit);

/** Letters, digits, `_` and `-`: the characters of names of anchors and directives. */
export const isNameCharacter = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || isDigit(unit) || unit === 0x5f || unit === 0x2d;

export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

export class Cursor {
  readonly text: string;
  at = 0;
  /** The beginning of the cursor's line. */
  lineStart = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The character so far ahead of the cursor; END behind the text. */
  code(ahead = 0): number {
    return this.text.charCodeAt(this.at + ahead) | 0;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  /** Moves past a line end and returns its value in a text: CR, LF, CRLF and NEL are `\n`. */
  takeBreak(): string {
    const unit = this.code();
    this.at += unit === RETURN && this.code(1) === LINE_FEED ? 2 : 1;
    this.lineStart = this.at;
    if (unit === LINE_SEPARATOR || unit === PARAGRAPH_SEPARATOR) return String.fromCharCode(unit);
    return "\n";
  }

  skipBlanks(): void {
    while (isBlank(this.code())) this.at++;
  }

  /** Moves to the end of the line. */
  skipLine(): void {
    while (!isBreakOrEnd(this.code())) this.at++;
  }

  /** Whether a line begins here that starts or ends a document. */
  isAtMarker(): boolean {
    return this.at === this.lineStart && (this.isMarker("---") || this.isMarker("..."));
  }

  isMarker(mark: string): boolean {
    return this.text.startsWith(mark, this.at) && isBlankOrEnd(this.code(3));
  }
}
