// Expressions that do not parse, by the words of the parser, also inside of another message.

export const SYNTAX_ERROR: RegExp = /\bSyntax error: /;
