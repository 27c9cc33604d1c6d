// YAML text → tokens, as Kubernetes' reader of YAML 1.1 makes them. A key without `?` is known only by the colon behind it, so tokens wait
// in a queue while one of them could be such a key. Then a `key` token, and at the beginning of a map a `map-start`, goes in before it.

import { ReadFailure } from "../issue.ts";
import { Cursor, END, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, SPACE, TAB } from "./yaml-cursor.ts";
import { scanBlock } from "./yaml-scan-block.ts";
import { scanPlain } from "./yaml-scan-plain.ts";
import { scanDirective, scanName, scanTag } from "./yaml-scan-property.ts";
import { scanQuoted } from "./yaml-scan-quoted.ts";
import type { PlainToken, Token } from "./yaml-token.ts";

/** A token that is a key if a colon follows in its line. */
interface PossibleKey {
  possible: boolean;
  /** It begins a line of a block map: something else cannot stand there. */
  readonly required: boolean;
  readonly token: number;
  readonly at: number;
  readonly lineStart: number;
}

/** Characters between the start of a key and its colon. */
const LONGEST_KEY = 1024;
/** Tokens that were taken and are still in the queue. */
const LONGEST_QUEUE = 1000;
/** No plain scalar starts with one of these; `-`, `?` and `:` do if something follows them. */
const INDICATORS: ReadonlySet<string> = new Set([..."-?:,[]{}#&*!|>'\"%@`"]);

export class YamlScanner {
  private readonly cursor: Cursor;
  private readonly queue: Token[] = [];
  private head = 0;
  /** The number of the token at the head of the queue; tokens are counted from the start of the text. */
  private number = 0;
  private isReady = false;
  private isKeyAllowed = true;
  /** The indentation of the block that is open, -1 if none is, and those around it. */
  private indent = -1;
  private readonly indents: number[] = [];
  /** The last possible key of the block and of each flow collection that is open. */
  private readonly keys: PossibleKey[] = [{ possible: false, required: false, token: 0, at: 0, lineStart: 0 }];
  /** The number of the key that begins with a token. */
  private readonly keyOfToken = new Map<number, number>();

  constructor(text: string) {
    this.cursor = new Cursor(text);
  }

  /** The next token; the last one is `stream-end`. Throws ReadFailure. */
  peek(): Token {
    if (!this.isReady) {
      while (this.head === this.queue.length || this.mayBeKey()) this.fetch();
      this.isReady = true;
    }
    return this.queue[this.head]!;
  }

  /** Moves behind the token that `peek` returned. */
  skip(): void {
    this.isReady = false;
    this.number++;
    if (++this.head === this.queue.length || this.head > LONGEST_QUEUE) {
      this.queue.splice(0, this.head);
      this.head = 0;
    }
  }

  private mayBeKey(): boolean {
    const level = this.keyOfToken.get(this.number);
    const key = level === undefined ? undefined : this.keys[level];
    return key !== undefined && this.isValid(key);
  }

  private fetch(): void {
    this.skipToToken();
    this.closeBlocks(this.cursor.column);
    const { cursor } = this;
    if (cursor.code() === END) this.fetchEnd();
    else if (cursor.column === 0 && cursor.text[cursor.at] === "%") this.fetchDirective();
    else if (cursor.isAtMarker()) this.fetchMarker(cursor.isMarker("---") ? "document-start" : "document-end");
    else if (!this.fetchIndicator(cursor.text[cursor.at]!)) this.fetchPlain();
  }

  /** False if the character does not stand for itself here. */
  private fetchIndicator(char: string): boolean {
    const { cursor } = this;
    switch (char) {
      case "[":
      case "{":
        this.openFlow(char);
        return true;
      case "]":
      case "}":
        this.closeFlow(char);
        return true;
      case ",":
        this.dropKey();
        this.isKeyAllowed = true;
        this.push(",");
        return true;
      case "&":
      case "*":
        this.scalarLike(() => scanName(cursor));
        return true;
      case "!":
        this.scalarLike(() => scanTag(cursor));
        return true;
      case "'":
      case '"':
        this.scalarLike(() => scanQuoted(cursor));
        return true;
      default:
        return this.fetchBlockIndicator(char);
    }
  }

  private fetchBlockIndicator(char: string): boolean {
    const isAlone = isBlankOrEnd(this.cursor.code(1));
    if (char === "-" && isAlone) this.fetchItem();
    else if (char === "?" && (isAlone || this.inFlow)) this.fetchKey();
    else if (char === ":" && (isAlone || this.inFlow)) this.fetchValue();
    else if ((char === "|" || char === ">") && !this.inFlow) this.fetchBlockScalar();
    else return false;
    return true;
  }

  private fetchPlain(): void {
    const { cursor } = this;
    const char = cursor.text[cursor.at]!;
    const isPlain = "-?:".includes(char) || !(isBlankOrEnd(cursor.code()) || INDICATORS.has(char));
    if (!isPlain) throw unexpected(cursor, char);
    this.scalarLike(() => {
      const { token, endedLine } = scanPlain(cursor, this.indent + 1, this.inFlow);
      if (endedLine) this.isKeyAllowed = true;
      return token;
    });
  }

  private get inFlow(): boolean {
    return this.keys.length > 1;
  }

  /** Past blanks, comments and line ends. Tabs are no indentation. */
  private skipToToken(): void {
    const { cursor } = this;
    if (cursor.at === 0 && cursor.code() === 0xfeff) cursor.lineStart = ++cursor.at;
    for (;;) {
      while (cursor.code() === SPACE || (cursor.code() === TAB && (this.inFlow || !this.isKeyAllowed))) cursor.at++;
      if (cursor.text[cursor.at] === "#") cursor.skipLine();
      if (!isBreak(cursor.code())) return;
      cursor.takeBreak();
      if (!this.inFlow) this.isKeyAllowed = true;
    }
  }

  private fetchEnd(): void {
    // The end counts as a line of its own: no key goes on there.
    if (this.cursor.column > 0) this.cursor.lineStart = this.cursor.at;
    this.endBlocks();
    this.add({ type: "stream-end", start: this.cursor.at, end: this.cursor.at });
  }

  private fetchDirective(): void {
    this.endBlocks();
    this.add(scanDirective(this.cursor));
  }

  private fetchMarker(type: "document-start" | "document-end"): void {
    this.endBlocks();
    this.push(type, 3);
  }

  private endBlocks(): void {
    this.closeBlocks(-1);
    this.dropKey();
    this.isKeyAllowed = false;
  }

  private openFlow(type: "[" | "{"): void {
    this.saveKey();
    const { at, lineStart } = this.cursor;
    this.keys.push({ possible: false, required: false, token: this.nextNumber, at, lineStart });
    this.isKeyAllowed = true;
    this.push(type);
  }

  private closeFlow(type: "]" | "}"): void {
    this.dropKey();
    // An empty collection takes the number of its own bracket along: with it the reference forgets that `{}` could be a key.
    if (this.inFlow) this.keyOfToken.delete(this.keys.pop()!.token);
    this.isKeyAllowed = false;
    this.push(type);
  }

  private fetchItem(): void {
    // In a flow collection the parser reports it.
    if (!this.inFlow) {
      if (!this.isKeyAllowed) throw new ReadFailure("syntax", "a list cannot begin here", this.cursor.at);
      this.openBlock(this.cursor.column, "list-start", this.cursor.at);
    }
    this.dropKey();
    this.isKeyAllowed = true;
    this.push("item");
  }

  private fetchKey(): void {
    if (!this.inFlow) {
      if (!this.isKeyAllowed) throw new ReadFailure("syntax", "a key cannot begin here", this.cursor.at);
      this.openBlock(this.cursor.column, "map-start", this.cursor.at);
    }
    this.dropKey();
    this.isKeyAllowed = !this.inFlow;
    this.push("key");
  }

  private fetchValue(): void {
    const key = this.keys.at(-1)!;
    const { cursor } = this;
    if (this.isValid(key)) {
      this.insert({ type: "key", start: key.at, end: key.at }, key.token);
      this.openBlock(key.at - key.lineStart, "map-start", key.at, key.token);
      key.possible = false;
      this.keyOfToken.delete(key.token);
      this.isKeyAllowed = false;
    } else {
      if (!this.inFlow) {
        if (!this.isKeyAllowed) throw nestedMap(cursor);
        this.openBlock(cursor.column, "map-start", cursor.at);
      }
      this.isKeyAllowed = !this.inFlow;
    }
    this.push("value");
  }

  private fetchBlockScalar(): void {
    this.dropKey();
    this.isKeyAllowed = true;
    this.add(scanBlock(this.cursor, this.indent));
  }

  /** A token that may be a key, and that no key may follow. */
  private scalarLike(scan: () => Token): void {
    this.saveKey();
    this.isKeyAllowed = false;
    this.add(scan());
  }

  /** The number of the token that is added next. */
  private get nextNumber(): number {
    return this.number + this.queue.length - this.head;
  }

  private saveKey(): void {
    if (!this.isKeyAllowed) return;
    const { at, lineStart, column } = this.cursor;
    const key = {
      possible: true,
      required: !this.inFlow && this.indent === column,
      token: this.nextNumber,
      at,
      lineStart,
    };
    this.dropKey();
    this.keys[this.keys.length - 1] = key;
    this.keyOfToken.set(key.token, this.keys.length - 1);
  }

  private dropKey(): void {
    const key = this.keys.at(-1)!;
    if (!key.possible) return;
    if (key.required) throw missingColon(key.at);
    key.possible = false;
    this.keyOfToken.delete(key.token);
  }

  /** Whether a colon at the cursor makes it a key. */
  private isValid(key: PossibleKey): boolean {
    if (!key.possible) return false;
    if (key.lineStart === this.cursor.lineStart && !isLong(this.cursor, key.at)) return true;
    if (key.required) throw missingColon(key.at);
    key.possible = false;
    return false;
  }

  /** Opens a block if the column is further right than the current one; its token goes before the numbered one, or last. */
  private openBlock(column: number, type: "map-start" | "list-start", at: number, number = -1): void {
    if (this.inFlow || this.indent >= column) return;
    this.indents.push(this.indent);
    this.indent = column;
    this.insert({ type, start: at, end: at }, number);
  }

  private closeBlocks(column: number): void {
    if (this.inFlow) return;
    while (this.indent > column) {
      this.push("block-end", 0);
      this.indent = this.indents.pop()!;
    }
  }

  private push(type: PlainToken["type"], length = 1): void {
    const start = this.cursor.at;
    this.cursor.at += length;
    this.add({ type, start, end: this.cursor.at });
  }

  private add(token: Token): void {
    this.queue.push(token);
  }

  /** A token that was taken already cannot be preceded any more: what belongs before it goes last, and the parser refuses it. */
  private insert(token: Token, number: number): void {
    const index = number - this.number;
    if (index < 0) this.queue.push(token);
    else this.queue.splice(this.head + index, 0, token);
  }
}

/** Whether more characters than a key may have lie between the offset and the cursor. */
function isLong({ at, text }: Cursor, from: number): boolean {
  if (at - from <= LONGEST_KEY) return false;
  return at - from > 2 * LONGEST_KEY || [...text.slice(from, at)].length > LONGEST_KEY;
}

function missingColon(at: number): ReadFailure {
  return new ReadFailure("syntax", "a key without a colon and a value; or a text that goes on must be indented", at);
}

function nestedMap(cursor: Cursor): ReadFailure {
  const message = "YAML reads a colon followed by a space as a map, which cannot begin here";
  return new ReadFailure("syntax", message, cursor.at);
}

function unexpected(cursor: Cursor, char: string): ReadFailure {
  if (isBlank(cursor.code()) || isBreakOrEnd(cursor.code())) {
    return new ReadFailure("syntax", "a tab in the indentation", cursor.at);
  }
  return new ReadFailure("syntax", `no text can start with ${char} unless it is in quotes`, cursor.at);
}
