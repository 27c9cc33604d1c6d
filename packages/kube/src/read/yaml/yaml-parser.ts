// Tokens → the first document of a text, as Kubernetes' reader parses it. Behind a text or a flow collection at the top level it reads no
// further than the next token, so later text is no error.

import { ReadFailure } from "../issue.ts";
import type { ReadLimits } from "../options.ts";
import { skipSpaces } from "../plain/plain-yaml-text.ts";
import { Cursor, END, isBlankOrEnd } from "./yaml-cursor.ts";
import type { ListNode, MapNode, ScalarNode, YamlNode } from "./yaml-node.ts";
import { YamlScanner } from "./yaml-scanner.ts";
import { misplaced, missingEnd, notInFlow } from "./yaml-syntax.ts";
import type { ScalarToken, Token } from "./yaml-token.ts";
import { CUT_OFF, isCutOff, LONGEST_LIST, type YamlWarning } from "./yaml-warning.ts";

export interface YamlDocument {
  /** Undefined for a text without a document. */
  readonly root: YamlNode | undefined;
  /** Text that is lost, and probably should not be. */
  readonly warnings: readonly YamlWarning[];
  /** The offset at which the text goes on behind the document; undefined if it ends there. */
  readonly rest: number | undefined;
}

/** Reads the first document. Throws ReadFailure. */
export function parseYaml(text: string, limits: ReadLimits): YamlDocument {
  return new YamlParser(text, limits).document();
}

/** Standard prefixes of tags. */
const TAG_PREFIXES: readonly (readonly [string, string])[] = [
  ["!", "!"],
  ["!!", "tag:yaml.org,2002:"],
];

class YamlParser {
  private readonly text: string;
  private readonly limits: ReadLimits;
  private readonly scanner: YamlScanner;
  private readonly anchors = new Map<string, YamlNode>();
  private tags = new Map<string, string>(TAG_PREFIXES);
  /** The beginnings of the open flow collections. */
  private readonly flows: number[] = [];
  private readonly warnings: YamlWarning[] = [];
  private depth = 0;
  private nodes = 0;
  /** The token before the next one. */
  private last: Token | undefined;

  constructor(text: string, limits: ReadLimits) {
    this.text = text;
    this.limits = limits;
    this.scanner = new YamlScanner(text);
  }

  document(): YamlDocument {
    const first = this.scanner.peek().type;
    const { warnings } = this;
    if (first === "stream-end") return { root: undefined, warnings, rest: undefined };
    const isMarked = first === "version" || first === "tag-directive" || first === "document-start";
    const root = isMarked ? this.markedDocument() : this.node(true, false);
    const next = this.scanner.peek();
    if (next.type === "document-end") this.take();
    return { root, warnings, rest: this.restAfter(next) };
  }

  /** The beginning of other text than comments behind a document that ends with the token. */
  private restAfter({ type, start, end }: Token): number | undefined {
    if (type === "stream-end") return undefined;
    const from = type === "document-end" ? end : start;
    const cursor = new Cursor(this.text);
    for (cursor.at = from; cursor.code() !== END; ) {
      if (this.text[cursor.at] === "#") cursor.skipLine();
      else if (isBlankOrEnd(cursor.code())) cursor.at++;
      else return cursor.at;
    }
    return undefined;
  }

  private markedDocument(): YamlNode {
    this.directives();
    const start = this.scanner.peek();
    if (start.type !== "document-start") {
      throw new ReadFailure(
        "syntax",
        "directives end with a line of ---; kubectl cuts files there, so leave them out",
        start.start,
      );
    }
    this.take();
    const { type, start: at } = this.scanner.peek();
    const isEmpty = type === "document-start" || type === "document-end" || type === "stream-end";
    return isEmpty || type === "version" || type === "tag-directive" ? this.empty(at) : this.node(true, false);
  }

  private directives(): void {
    let hasVersion = false;
    const given = new Map<string, string>();
    for (let token = this.scanner.peek(); ; token = this.scanner.peek()) {
      if (token.type === "version") {
        if (hasVersion) throw new ReadFailure("syntax", "a second %YAML directive", token.start);
        if (token.version.split(".").some((part) => Number(part) !== 1)) {
          throw new ReadFailure("syntax", "Kubernetes reads YAML 1.1 only; remove the %YAML directive", token.start);
        }
        hasVersion = true;
      } else if (token.type === "tag-directive") {
        if (given.has(token.handle))
          throw new ReadFailure("syntax", "a second %TAG directive for one handle", token.start);
        given.set(token.handle, token.prefix);
      } else break;
      this.take();
    }
    this.tags = new Map([...TAG_PREFIXES, ...given]);
  }

  private take(): Token {
    this.last = this.scanner.peek();
    this.scanner.skip();
    return this.last;
  }

  /** In a block, and as the value of a map where a list may stand at the map's own indentation. */
  private node(inBlock: boolean, asMember: boolean): YamlNode {
    let token = this.scanner.peek();
    if (token.type === "alias") return this.alias(this.take().start, token.name);
    let anchor = "";
    let tag: string | undefined;
    if (token.type === "anchor") {
      anchor = token.name;
      this.take();
      if (this.scanner.peek().type === "tag") tag = this.tag();
    } else if (token.type === "tag") {
      tag = this.tag();
      const next = this.scanner.peek();
      if (next.type === "anchor") {
        anchor = next.name;
        this.take();
      }
    }
    token = this.scanner.peek();
    switch (token.type) {
      case "scalar": {
        this.take();
        this.checkComment(token);
        const isImplicit = tag === undefined ? token.style === "plain" : tag === "!";
        return this.named(anchor, this.scalar(token, tag ?? "", isImplicit));
      }
      case "[":
      case "{":
        return this.flow(token.type, anchor);
      case "item":
        if (asMember) return this.list(anchor, false);
        break;
      case "list-start":
        if (inBlock) return this.list(anchor, true);
        break;
      case "map-start":
        if (inBlock) return this.map(anchor);
    }
    if (anchor === "" && tag === undefined) throw misplaced(this.text, token, this.last, this.flows.at(-1));
    return this.named(anchor, { ...this.empty(this.last!.end), tag: tag ?? "", isImplicit: tag === undefined });
  }

  /** A comment behind a plain text that is no whole one: its quotes or brackets would close in the comment. */
  private checkComment({ style, text, end }: ScalarToken): void {
    if (style !== "plain") return;
    const comment = skipSpaces(this.text, end);
    if (comment === end || this.text[comment] !== "#" || !isCutOff(text)) return;
    this.warn("comment", CUT_OFF, comment);
  }

  private warn(code: YamlWarning["code"], message: string, at: number): void {
    if (this.warnings.length < LONGEST_LIST) this.warnings.push({ code, message, at });
  }

  private alias(start: number, name: string): YamlNode {
    const target = this.anchors.get(name);
    if (target === undefined) throw new ReadFailure("alias", `unknown anchor '${name}' referenced`, start);
    this.count(start);
    return { kind: "alias", start, name, target };
  }

  private tag(): string {
    const { handle, suffix, start, end } = this.take() as Extract<Token, { type: "tag" }>;
    if (handle === "") return suffix;
    if (handle === "!") {
      const shown = this.text.slice(start, end);
      this.warn("tag", `YAML reads ${shown} as a tag and drops it; quote the text if it belongs to it`, start);
    }
    const prefix = this.tags.get(handle);
    const tag = prefix === undefined ? "" : prefix + suffix;
    if (tag === "") {
      throw new ReadFailure(
        "syntax",
        `unknown tag ${handle}${suffix}: YAML reads a leading ! as a tag; quote the text`,
        start,
      );
    }
    return tag;
  }

  private scalar(
    { start, end, style, text }: Extract<Token, { type: "scalar" }>,
    tag: string,
    isImplicit: boolean,
  ): ScalarNode {
    this.count(start);
    return { kind: "scalar", start, end, style, text, tag, isImplicit };
  }

  /** A value that is not written: it stands behind the blanks that follow the offset. */
  private empty(from: number): ScalarNode {
    const start = Math.min(skipSpaces(this.text, from), this.text.length);
    this.count(start);
    return { kind: "scalar", start, end: start, style: "plain", text: "", tag: "", isImplicit: true };
  }

  private named<T extends YamlNode>(anchor: string, node: T): T {
    if (anchor !== "") this.anchors.set(anchor, node);
    return node;
  }

  private count(at: number): void {
    if (++this.nodes > this.limits.nodes) {
      throw new ReadFailure("too_many_nodes", `more than ${this.limits.nodes} values in one document`, at);
    }
  }

  /** Enters a collection: its anchor is known inside of it. */
  private enter<T extends MapNode | ListNode>(anchor: string, node: T): T {
    this.count(node.start);
    if (++this.depth > this.limits.depth) {
      throw new ReadFailure("too_deep", `nested more than ${this.limits.depth} levels deep`, node.start);
    }
    return this.named(anchor, node);
  }

  /** With `isIndented`, a block of its own; otherwise at the indentation of the map around it, which ends it. */
  private list(anchor: string, isIndented: boolean): ListNode {
    const list: ListNode = this.enter(anchor, { kind: "list", start: this.scanner.peek().start, children: [] });
    if (isIndented) this.take();
    while (this.scanner.peek().type === "item") {
      const { end } = this.take();
      const next = this.scanner.peek().type;
      const isEmpty = next === "item" || next === "block-end" || (!isIndented && (next === "key" || next === "value"));
      list.children.push(isEmpty ? this.empty(end) : this.node(true, false));
    }
    if (isIndented) this.endBlock("list");
    this.depth--;
    return list;
  }

  private map(anchor: string): MapNode {
    const map: MapNode = this.enter(anchor, { kind: "map", start: this.take().start, children: [] });
    while (this.scanner.peek().type === "key") {
      const key = this.member(this.take().end);
      const next = this.scanner.peek();
      const value = next.type === "value" ? this.member(this.take().end) : this.empty(next.start);
      map.children.push(key, value);
    }
    this.endBlock("map");
    this.depth--;
    return map;
  }

  private member(end: number): YamlNode {
    const next = this.scanner.peek().type;
    return next === "key" || next === "value" || next === "block-end" ? this.empty(end) : this.node(true, true);
  }

  private endBlock(kind: "list" | "map"): void {
    const token = this.scanner.peek();
    if (token.type !== "block-end") throw missingEnd(this.text, token, this.last, kind);
    this.take();
  }

  private flow(open: "[" | "{", anchor: string): YamlNode {
    const { start } = this.scanner.peek();
    const node: MapNode | ListNode = this.enter(anchor, { kind: open === "[" ? "list" : "map", start, children: [] });
    this.flows.push(start);
    this.take();
    const close = open === "[" ? "]" : "}";
    while (this.scanner.peek().type !== close) {
      if (node.children.length > 0) {
        const token = this.scanner.peek();
        if (token.type !== ",") throw notInFlow(this.text, token, start);
        this.take();
        if (this.scanner.peek().type === close) break;
      }
      if (open === "{") this.flowMember(node.children, true);
      else if (this.scanner.peek().type === "key") node.children.push(this.flowPair());
      else node.children.push(this.node(false, false));
    }
    this.flows.pop();
    this.take();
    this.depth--;
    return node;
  }

  /** `a: b` in a list is a map of one member. */
  private flowPair(): MapNode {
    const map: MapNode = this.enter("", { kind: "map", start: this.scanner.peek().start, children: [] });
    this.flowMember(map.children, false);
    this.depth--;
    return map;
  }

  private flowMember(children: YamlNode[], inMap: boolean): void {
    if (this.scanner.peek().type !== "key") {
      const key = this.node(false, false);
      children.push(key, this.empty(this.scanner.peek().start));
      return;
    }
    const { end } = this.take();
    const { type, start } = this.scanner.peek();
    const close = inMap ? "}" : "]";
    const hasKey = type !== "value" && type !== "," && type !== close;
    const key = hasKey ? this.node(false, false) : this.empty(inMap ? start : end);
    // In a list the reference skips the token behind an empty key, of any kind.
    if (!hasKey && !inMap) this.take();
    children.push(key, this.flowValue(close));
  }

  private flowValue(close: "}" | "]"): YamlNode {
    const { type, start } = this.scanner.peek();
    if (type !== "value") return this.empty(start);
    const { end } = this.take();
    const next = this.scanner.peek().type;
    return next === "," || next === close ? this.empty(end) : this.node(false, false);
  }
}
