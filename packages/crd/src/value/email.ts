// E-mail addresses as Go's net/mail reads them: an address, or a display name and an address in angle brackets.

const ATOM = String.raw`[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~\-\u0080-\u{10FFFF}]+`;
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`;
const QUOTED = String.raw`"(?:[^"\\\r\n\x00-\x08\x0b-\x1f]|\\[\x20-\x7e\t\u0080-\u{10FFFF}])*"`;
const LITERAL = String.raw`\[[^\[\]\\\r\n]*\]`;
const ADDRESS = `(?:${DOT_ATOM}|${QUOTED})@(?:${DOT_ATOM}|${LITERAL})`;
const SPACE = "[ \\t]*";
// A display name may hold dots although the standard says otherwise, as Go has it.
const WORD = `(?:${QUOTED}|[A-Za-z0-9!#$%&'*+/=?^_\\x60{|}~\\-.\\u0080-\\u{10FFFF}]+)`;
const NAME = `${WORD}(?:[ \\t]+${WORD}|${QUOTED})*`;
const COMMENT = "(?:\\([^()]*\\))?";

const MAILBOX = new RegExp(
  `^${SPACE}(?:${ADDRESS}|(?:${NAME})?${SPACE}<${SPACE}${ADDRESS}${SPACE}>)${SPACE}${COMMENT}${SPACE}$`,
  "u",
);

export function isEmail(text: string): boolean {
  return MAILBOX.test(text);
}
