// Kinds of tokens. Numbers and names come from the reference grammar, because syntax errors list expected tokens in this order and by these
// names. EOF is 0 so that it comes first, as it does there.

export const EOF = 0;
export const EQUALS = 1;
export const NOT_EQUALS = 2;
export const IN = 3;
export const LESS = 4;
export const LESS_EQUALS = 5;
export const GREATER_EQUALS = 6;
export const GREATER = 7;
export const AND = 8;
export const OR = 9;
export const LBRACKET = 10;
export const RBRACKET = 11;
export const LBRACE = 12;
export const RBRACE = 13;
export const LPAREN = 14;
export const RPAREN = 15;
export const DOT = 16;
export const COMMA = 17;
export const MINUS = 18;
export const EXCLAM = 19;
export const QUESTION = 20;
export const COLON = 21;
export const PLUS = 22;
export const STAR = 23;
export const SLASH = 24;
export const PERCENT = 25;
export const TRUE = 26;
export const FALSE = 27;
export const NULL = 28;
export const FLOAT = 29;
export const INT = 30;
export const UINT = 31;
export const STRING = 32;
export const BYTES = 33;
export const IDENT = 34;
export const ESC_IDENT = 35;
/** Characters that are no token; the lexer's range covers them and the character that made it give up. */
export const INVALID = 36;

/** Names by kind, as syntax errors show them. */
// biome-ignore format: in the order of the kinds above
export const TOKEN_NAMES: readonly string[] = [
  "<EOF>", "'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'", "'&&'", "'||'", "'['", "']'", "'{'", "'}'", "'('", "')'",
  "'.'", "','", "'-'", "'!'", "'?'", "':'", "'+'", "'*'", "'/'", "'%'", "'true'", "'false'", "'null'",
  "NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "IDENTIFIER", "ESC_IDENTIFIER",
];

/** Names of binary operators' functions by token kind; undefined for tokens that are no binary operator. */
export const OPERATOR_FUNCTIONS: readonly (string | undefined)[] = operatorFunctions();

function operatorFunctions(): (string | undefined)[] {
  const names: (string | undefined)[] = new Array(INVALID + 1).fill(undefined);
  names[EQUALS] = "_==_";
  names[NOT_EQUALS] = "_!=_";
  names[IN] = "@in";
  names[LESS] = "_<_";
  names[LESS_EQUALS] = "_<=_";
  names[GREATER_EQUALS] = "_>=_";
  names[GREATER] = "_>_";
  names[PLUS] = "_+_";
  names[MINUS] = "_-_";
  names[STAR] = "_*_";
  names[SLASH] = "_/_";
  names[PERCENT] = "_%_";
  return names;
}

/** Words that cannot be variables or functions, though fields may be called so. */
export const RESERVED: ReadonlySet<string> = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);
