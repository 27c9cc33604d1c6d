// How deep a YAML text is nested, found before the full parser sees it. That parser recurses, and an engine that runs out of stack in
// the wrong place, while it compiles a regular expression, ends the whole process. The parser's own first stage does not recurse.

import { Lexer, Parser } from "yaml";
import { ReadFailure } from "./issue.ts";

/** Levels the full parser is given: well within any stack. */
const LEVELS = 500;
/** Texts with less than this cannot be nested too deeply. */
const SUSPECT = 100;
/** What the lexer says without having read anything: start of a document, a scalar follows, end of a broken collection. */
const SILENT: ReadonlySet<string> = new Set(["\u0002", "\u001f", "\u0018"]);

/** Throws ReadFailure at what is nested too deeply. */
export function checkYamlDepth(text: string, limit: number): void {
  if (!mayBeDeep(text)) return;
  const levels = Math.min(limit, LEVELS);
  const parser = new Parser();
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme)) {
      // Only how deep it stands is of interest.
    }
    // The document and the scalar being read stand there as well.
    if (parser.stack.length > levels + 2) {
      throw new ReadFailure("too_deep", `nested more than ${levels} levels deep`, offset);
    }
    if (!SILENT.has(lexeme)) offset += lexeme.length;
  }
}

/** Every level of a flow collection opens with a bracket, and every level of blocks with an indicator or further indentation. */
function mayBeDeep(text: string): boolean {
  let brackets = 0;
  let leading = 0;
  let inLeading = true;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === OPEN_LIST || code === OPEN_MAP) {
      if (++brackets > SUSPECT) return true;
    }
    if (code === LINE_FEED || code === RETURN) {
      leading = 0;
      inLeading = true;
    } else if (inLeading && INDICATORS.has(code)) {
      if (++leading > SUSPECT) return true;
    } else inLeading = false;
  }
  return false;
}

const [LINE_FEED, RETURN, OPEN_LIST, OPEN_MAP] = [0x0a, 0x0d, 0x5b, 0x7b];
const INDICATORS: ReadonlySet<number> = new Set([..." \t-?:"].map((text) => text.charCodeAt(0)));
