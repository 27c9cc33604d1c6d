// The tree that diagnose.ts makes of a text that may be wrong: the grammar's rules as they were recognised, with holes (undefined) where
// they were not.

/** A token in the text; `index` counts tokens, -1 for one that recovery made up. */
export interface Token {
  readonly kind: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly index: number;
}

export type Syntax =
  | Ternary
  | Chain
  | Binary
  | Unary
  | SelectSyntax
  | CallSyntax
  | IndexSyntax
  | Name
  | ListSyntax
  | MapSyntax
  | Message
  | LiteralSyntax
  | Unreadable;

export type Hole = Syntax | undefined;

/** The beginning and end of a rule. */
interface Extent {
  readonly start: number;
  readonly end: number;
}
/** A place at which no operand could be recognised; a hole has none. */
export interface Unreadable extends Extent {
  readonly kind: "unreadable";
}
export interface Ternary extends Extent {
  readonly kind: "ternary";
  readonly condition: Hole;
  readonly op: Token;
  readonly yes: Hole;
  readonly no: Hole;
}
/** `&&` and `||`; a term may be missing behind the last operator. */
export interface Chain extends Extent {
  readonly kind: "chain";
  readonly operator: "&&" | "||";
  readonly first: Hole;
  readonly ops: readonly Token[];
  readonly rest: readonly { readonly term: Hole; readonly start: number; readonly end: number }[];
  readonly firstEnd: number;
}
export interface Binary extends Extent {
  readonly kind: "binary";
  readonly left: Hole;
  readonly op: Token;
  readonly right: Hole;
}
export interface Unary extends Extent {
  readonly kind: "unary";
  readonly ops: readonly Token[];
  readonly operand: Hole;
}
export interface SelectSyntax extends Extent {
  readonly kind: "select";
  readonly operand: Hole;
  readonly op: Token;
  readonly optional: boolean;
  readonly field: FieldName;
}
/** A field's name; without a token when something else stood in its place. */
export interface FieldName extends Extent {
  readonly token: Token | undefined;
}
/** `name(args)`, `.name(args)`, `target.name(args)`. */
export interface CallSyntax extends Extent {
  readonly kind: "call";
  readonly target: Hole;
  readonly member: boolean;
  readonly leadingDot: boolean;
  readonly name: Token | undefined;
  readonly open: Token | undefined;
  readonly args: readonly Hole[];
}
/** A call while its arguments are being read. */
export interface ArgsSyntax {
  readonly args: Hole[];
  end: number;
}
export interface IndexSyntax extends Extent {
  readonly kind: "index";
  readonly operand: Hole;
  readonly op: Token | undefined;
  readonly optional: boolean;
  readonly index: Hole;
}
export interface Name extends Extent {
  readonly kind: "name";
  readonly leadingDot: boolean;
  readonly name: Token | undefined;
}
/** `?e`, an element of a list or a key of a map. */
export interface OptionalSyntax extends Extent {
  readonly mark: Token | undefined;
  readonly expr: Hole;
}
export interface ListSyntax extends Extent {
  readonly kind: "list";
  readonly op: Token | undefined;
  readonly elements: readonly OptionalSyntax[];
}
export interface MapSyntax extends Extent {
  readonly kind: "map";
  readonly op: Token | undefined;
  readonly keys: readonly OptionalSyntax[];
  readonly colons: readonly Token[];
  readonly values: readonly { readonly expr: Hole; readonly end: number }[];
}
export interface FieldSyntax extends Extent {
  readonly mark: Token | undefined;
  readonly name: FieldName | undefined;
}
export interface Message extends Extent {
  readonly kind: "message";
  readonly leadingDot: boolean;
  readonly names: readonly Token[];
  readonly op: Token | undefined;
  readonly fields: readonly FieldSyntax[];
  readonly colons: readonly Token[];
  readonly values: readonly { readonly expr: Hole; readonly end: number }[];
}
export interface LiteralSyntax extends Extent {
  readonly kind: "literal";
  readonly negative: boolean;
  readonly token: Token;
}
