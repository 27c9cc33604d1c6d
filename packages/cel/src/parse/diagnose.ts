// Explains a text that parser.ts gave up on, in the reference's words, order and places: mistakes of syntax first, then what else can be
// found in the parts that were recognised. Builds the tree on the way, because macros look at their arguments; the tree is worth something
// only when there are no issues.

import type { Expr, MapEntry, StructField } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import type { Span } from "../ast/source.ts";
import {
  invalidDouble,
  invalidInt,
  invalidText,
  invalidUint,
  missingTerm,
  reservedIdentifier,
  treeTooDeep,
  unsupportedBackticks,
  unsupportedName,
  unsupportedOptional,
} from "./issues.ts";
import type { LanguageOptions } from "./language.ts";
import { doubleLiteral, intLiteral, uintLiteral } from "./number-literal.ts";
import type { RecoveryLimits } from "./recovery.ts";
import { readSyntax } from "./syntax.ts";
import type {
  CallSyntax,
  Chain,
  FieldName,
  Hole,
  IndexSyntax,
  ListSyntax,
  LiteralSyntax,
  MapSyntax,
  Message,
  Name,
  SelectSyntax,
  Syntax,
  Ternary,
  Token,
  Unary,
} from "./syntax-tree.ts";
import {
  BYTES,
  ESC_IDENT,
  EXCLAM,
  FALSE,
  FLOAT,
  INT,
  OPERATOR_FUNCTIONS,
  RESERVED,
  STRING,
  TRUE,
  UINT,
} from "./token.ts";
import { isIssue, type TreeBuilder } from "./tree-builder.ts";
import { type Unescaped, unescapeBytes, unescapeString } from "./unescape.ts";

export interface DiagnoseSettings {
  readonly optionalSyntax: boolean;
  readonly backtickIdentifiers: boolean;
  readonly language: LanguageOptions;
  readonly limits: RecoveryLimits;
}

/** The tree if there are no issues, otherwise the issues. Passes exceptions of the builder on. */
export function diagnose(
  text: string,
  builder: TreeBuilder,
  settings: DiagnoseSettings,
): { expr: Expr | undefined; issues: readonly Issue[] } {
  const { root, issues } = readSyntax(text, settings.limits, settings.language.backtickTokens);
  if (root === undefined) return { expr: undefined, issues };
  const reader = new TreeReader(builder, settings, issues);
  let expr: Expr | undefined;
  try {
    expr = reader.read(root.syntax);
  } catch (error) {
    if (error !== TOO_DEEP) throw error;
    issues.push(treeTooDeep());
  }
  return { expr: issues.length === 0 ? expr : undefined, issues };
}

const TOO_DEEP: Error = new Error("tree too deep");

class TreeReader {
  readonly #build: TreeBuilder;
  readonly #settings: DiagnoseSettings;
  readonly #issues: Issue[];
  #depth = 0;

  constructor(build: TreeBuilder, settings: DiagnoseSettings, issues: Issue[]) {
    this.#build = build;
    this.#settings = settings;
    this.#issues = issues;
  }

  read(syntax: Hole): Expr {
    if (syntax === undefined) return { kind: "literal", id: this.#build.unplaced(), value: null };
    // the reference counts these steps, and not those through lists, maps, messages, `!`, `&&` and global calls
    const counted =
      syntax.kind === "ternary" ||
      syntax.kind === "binary" ||
      syntax.kind === "select" ||
      syntax.kind === "index" ||
      (syntax.kind === "call" && syntax.member);
    if (!counted) return this.#read(syntax);
    if (++this.#depth > this.#settings.limits.recursion) throw TOO_DEEP;
    const expr = this.#read(syntax);
    this.#depth--;
    return expr;
  }

  #read(syntax: Syntax): Expr {
    switch (syntax.kind) {
      case "ternary":
        return this.#ternary(syntax);
      case "chain":
        return this.#chain(syntax);
      case "binary": {
        const left = this.read(syntax.left);
        const id = this.#at(syntax.op, syntax);
        return this.#build.binary(id, OPERATOR_FUNCTIONS[syntax.op.kind]!, left, this.read(syntax.right));
      }
      case "unary":
        return this.#unary(syntax);
      case "select":
        return this.#select(syntax);
      case "call":
        return this.#call(syntax);
      case "index":
        return this.#index(syntax);
      case "name":
        return this.#name(syntax);
      case "list":
        return this.#list(syntax);
      case "map":
        return this.#map(syntax);
      case "message":
        return this.#message(syntax);
      case "literal":
        return this.#literal(syntax);
      case "unreadable":
        return this.#hole(syntax.start, syntax.end);
    }
  }

  /** A number for a node that points at a token. */
  #at(token: Token | undefined, extent: { start: number; end: number }): number {
    return this.#build.open(extent.start, extent.end, token?.start ?? extent.start);
  }

  /** Stands for what could not be read; there is an issue already. */
  #hole(start: number, end: number): Expr {
    return { kind: "literal", id: this.#build.open(start, end, start), value: null };
  }

  #report(issue: Issue): Expr {
    this.#issues.push(issue);
    return this.#hole(issue.span?.at ?? 0, issue.span?.end ?? 0);
  }

  #ternary(syntax: Ternary): Expr {
    const condition = this.read(syntax.condition);
    const id = this.#at(syntax.op, syntax);
    const args = [condition, this.read(syntax.yes), this.read(syntax.no)];
    return { kind: "call", id, function: "_?_:_", target: undefined, args };
  }

  #chain(syntax: Chain): Expr {
    const terms = [this.read(syntax.first)];
    const starts = [syntax.start];
    const ends = [syntax.firstEnd];
    const ops: number[] = [];
    const ats: number[] = [];
    for (const [i, op] of syntax.ops.entries()) {
      const next = syntax.rest[i];
      if (next === undefined) return this.#report(missingTerm(spanOf(syntax), syntax.operator));
      terms.push(this.read(next.term));
      starts.push(next.start);
      ends.push(next.end);
      ops.push(this.#build.open(op.start, op.end, op.start));
      ats.push(op.start);
    }
    return this.#build.balance(syntax.operator === "&&" ? "_&&_" : "_||_", terms, starts, ends, ops, ats);
  }

  #unary(syntax: Unary): Expr {
    if (syntax.ops.length % 2 === 0) return this.read(syntax.operand);
    const op = syntax.ops[0]!;
    const id = this.#at(op, syntax);
    const name = op.kind === EXCLAM ? "!_" : "-_";
    return { kind: "call", id, function: name, target: undefined, args: [this.read(syntax.operand)] };
  }

  #select(syntax: SelectSyntax): Expr {
    const operand = this.read(syntax.operand);
    const field = this.#fieldName(syntax.field, spanOf(syntax.field));
    if (!syntax.optional) {
      return { kind: "select", id: this.#at(syntax.op, syntax), operand, field: field ?? "", test: false };
    }
    if (!this.#settings.optionalSyntax) return this.#report(unsupportedOptional(spanOf(syntax.op), ".?"));
    const name: Expr = { kind: "literal", id: this.#at(syntax.field.token, syntax.field), value: field };
    return this.#build.binary(this.#at(syntax.op, syntax), "_?._", operand, name);
  }

  /** A field's name without backticks; undefined, with an issue at `span`, if it is missing or backticks are not allowed. */
  #fieldName(name: FieldName | undefined, span: Span): string | undefined {
    const token = name?.token;
    if (token === undefined) {
      this.#issues.push(unsupportedName(span));
      return undefined;
    }
    if (token.kind !== ESC_IDENT) return token.text;
    if (this.#settings.backtickIdentifiers) return token.text.slice(1, -1);
    this.#issues.push(unsupportedBackticks(span));
    return undefined;
  }

  #call(syntax: CallSyntax): Expr {
    const target = syntax.member ? this.read(syntax.target) : undefined;
    if (syntax.name === undefined) return this.#hole(syntax.start, syntax.end);
    const name = syntax.name.text;
    if (!syntax.member && RESERVED.has(name)) return this.#report(reservedIdentifier(spanOf(syntax), name));
    const id = this.#at(syntax.open, syntax);
    const args = syntax.args.map((arg) => this.read(arg));
    const made = this.#build.call(id, syntax.leadingDot ? `.${name}` : name, target, args);
    return isIssue(made) ? this.#report(made) : made;
  }

  #index(syntax: IndexSyntax): Expr {
    const operand = this.read(syntax.operand);
    if (syntax.op === undefined) return this.#hole(syntax.start, syntax.end);
    const id = this.#at(syntax.op, syntax);
    const index = this.read(syntax.index);
    if (syntax.optional && !this.#settings.optionalSyntax)
      return this.#report(unsupportedOptional(spanOf(syntax.op), "[?"));
    return this.#build.binary(id, syntax.optional ? "_[?_]" : "_[_]", operand, index);
  }

  #name(syntax: Name): Expr {
    if (syntax.name === undefined) return this.#hole(syntax.start, syntax.end);
    const name = syntax.name.text;
    if (RESERVED.has(name)) return this.#report(reservedIdentifier(spanOf(syntax), name));
    return { kind: "ident", id: this.#at(syntax.name, syntax), name: syntax.leadingDot ? `.${name}` : name };
  }

  #list(syntax: ListSyntax): Expr {
    const id = this.#at(syntax.op, syntax);
    const elements: Expr[] = [];
    const optional: number[] = [];
    for (const [i, element] of syntax.elements.entries()) {
      elements.push(this.read(element.expr));
      if (element.mark === undefined) continue;
      if (this.#settings.optionalSyntax) optional.push(i);
      else this.#report(unsupportedOptional(spanOf(element.mark), "?"));
    }
    return { kind: "list", id, elements, optional };
  }

  #map(syntax: MapSyntax): Expr {
    const id = this.#at(syntax.op, syntax);
    const entries: MapEntry[] = [];
    for (const [i, colon] of syntax.colons.entries()) {
      const key = syntax.keys[i];
      const value = syntax.values[i];
      const entryId = this.#at(colon, { start: key?.start ?? colon.start, end: value?.end ?? colon.end });
      if (key === undefined || value === undefined) break;
      if (key.mark !== undefined && !this.#settings.optionalSyntax) {
        this.#report(unsupportedOptional(spanOf(key), "?"));
        continue;
      }
      const keyExpr = this.read(key.expr);
      entries.push(this.#build.mapEntry(entryId, keyExpr, this.read(value.expr), key.mark !== undefined));
    }
    return { kind: "map", id, entries };
  }

  #message(syntax: Message): Expr {
    const type = (syntax.leadingDot ? "." : "") + syntax.names.map((name) => name.text).join(".");
    const id = this.#at(syntax.op, syntax);
    const fields: StructField[] = [];
    for (const [i, field] of syntax.fields.entries()) {
      const colon = syntax.colons[i];
      const value = syntax.values[i];
      if (colon === undefined || value === undefined) break;
      const fieldId = this.#at(colon, { start: field.start, end: value.end });
      const optional = field.mark !== undefined;
      if (optional && !this.#settings.optionalSyntax) {
        this.#report(unsupportedOptional(spanOf(field), "?"));
        continue;
      }
      // a name in backticks is reported where the list of fields begins
      const name = this.#fieldName(field.name, spanOf(syntax.fields[0]!));
      if (name === undefined) continue;
      fields.push({ id: fieldId, name, value: this.read(value.expr), optional });
    }
    return { kind: "struct", id, type, fields };
  }

  #literal(syntax: LiteralSyntax): Expr {
    const value = this.#value(syntax);
    if (value === undefined) return this.#hole(syntax.start, syntax.end);
    return { kind: "literal", id: this.#build.open(syntax.start, syntax.end, syntax.start), value };
  }

  /** Undefined, with an issue, if the literal has no value. */
  #value(syntax: LiteralSyntax): unknown {
    const { token, negative } = syntax;
    const span = spanOf(syntax);
    const orIssue = (value: unknown, issue: (span: Span) => Issue): unknown => {
      if (value === undefined) this.#issues.push(issue(span));
      return value;
    };
    switch (token.kind) {
      case INT:
        return orIssue(intLiteral(token.text, negative), invalidInt);
      case UINT:
        return orIssue(uintLiteral(token.text), invalidUint);
      case FLOAT:
        return orIssue(doubleLiteral(token.text, negative), invalidDouble);
      case STRING:
        return this.#unescaped(span, unescapeString(token.text, this.#settings.language.strictEscapes));
      case BYTES:
        return this.#unescaped(span, unescapeBytes(token.text));
      case TRUE:
        return true;
      case FALSE:
        return false;
      default:
        return null;
    }
  }

  #unescaped<T>(span: Span, result: Unescaped<T>): T | undefined {
    if ("value" in result) return result.value;
    this.#issues.push(invalidText(span, result.problem));
    return undefined;
  }
}

const spanOf = ({ start, end }: { readonly start: number; readonly end: number }): Span => ({ start, end, at: start });
