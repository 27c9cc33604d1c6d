// The tokens of YAML text. Indentation is made of tokens too: `map-start` and `list-start` open a level of blocks, `block-end`
// closes it.

import type { ScalarStyle } from "../scalar-style.ts";

export type Token = PlainToken | ScalarToken | NameToken | TagToken | VersionToken | TagDirectiveToken;

/** The offsets of a token. */
interface Written {
  readonly start: number;
  readonly end: number;
}

export interface PlainToken extends Written {
  readonly type:
    | "stream-end"
    | "document-start"
    | "document-end"
    | "map-start"
    | "list-start"
    | "block-end"
    | "item"
    | "key"
    | "value"
    | "["
    | "]"
    | "{"
    | "}"
    | ",";
}

export interface ScalarToken extends Written {
  readonly type: "scalar";
  readonly style: ScalarStyle;
  readonly text: string;
}

export interface NameToken extends Written {
  readonly type: "anchor" | "alias";
  readonly name: string;
}

/** `!handle!suffix`, `!suffix`, or with an empty handle `!<suffix>`. */
export interface TagToken extends Written {
  readonly type: "tag";
  readonly handle: string;
  readonly suffix: string;
}

export interface VersionToken extends Written {
  readonly type: "version";
  readonly version: string;
}

export interface TagDirectiveToken extends Written {
  readonly type: "tag-directive";
  readonly handle: string;
  readonly prefix: string;
}
