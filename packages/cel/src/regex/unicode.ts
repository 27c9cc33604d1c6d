// Unicode categories, scripts and case folding, taken from the JavaScript engine instead of from tables of our own.
// The engine's Unicode version therefore decides about recently added characters (see known-differences.ts).

import { ANY, clean, MAX_CODE, negate, type Ranges } from "./ranges.ts";

const CATEGORIES =
  " C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs ";

// biome-ignore format: a table
const CATEGORY_ALIASES: ReadonlyMap<string, string> = new Map([
  ["Lc", "LC"], ["Casedletter", "LC"], ["Closepunctuation", "Pe"], ["Combiningmark", "M"], ["Connectorpunctuation", "Pc"],
  ["Control", "Cc"], ["Cntrl", "Cc"], ["Currencysymbol", "Sc"], ["Dashpunctuation", "Pd"], ["Decimalnumber", "Nd"],
  ["Digit", "Nd"], ["Enclosingmark", "Me"], ["Finalpunctuation", "Pf"], ["Format", "Cf"], ["Initialpunctuation", "Pi"],
  ["Letter", "L"], ["Letternumber", "Nl"], ["Lineseparator", "Zl"], ["Lowercaseletter", "Ll"], ["Mark", "M"],
  ["Mathsymbol", "Sm"], ["Modifierletter", "Lm"], ["Modifiersymbol", "Sk"], ["Nonspacingmark", "Mn"], ["Number", "N"],
  ["Openpunctuation", "Ps"], ["Other", "C"], ["Otherletter", "Lo"], ["Othernumber", "No"], ["Otherpunctuation", "Po"],
  ["Othersymbol", "So"], ["Paragraphseparator", "Zp"], ["Privateuse", "Co"], ["Punctuation", "P"], ["Punct", "P"],
  ["Separator", "Z"], ["Spaceseparator", "Zs"], ["Spacingmark", "Mc"], ["Surrogate", "Cs"], ["Symbol", "S"],
  ["Titlecaseletter", "Lt"], ["Unassigned", "Cn"], ["Uppercaseletter", "Lu"],
]);

// Scripts of one word. Go looks scripts up by a name without underscores but keeps the underscores in its keys, so since Go 1.25 it finds
// none with several words (Old_Italic); the API server rejects a pattern that names one, and so does this parser.
const SCRIPTS =
  " Adlam Ahom Arabic Armenian Avestan Balinese Bamum Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Carian Chakma" +
  " Cham Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Dogra Duployan Elbasan Elymaic Ethiopic" +
  " Georgian Glagolitic Gothic Grantha Greek Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew Hiragana Inherited Javanese Kaithi" +
  " Kannada Katakana Kawi Kharoshthi Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Lisu Lycian Lydian Mahajani Makasar Malayalam" +
  " Mandaic Manichaean Marchen Medefaidrin Miao Modi Mongolian Mro Multani Myanmar Nabataean Nandinagari Newa Nko Nushu Ogham" +
  " Oriya Osage Osmanya Palmyrene Phoenician Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham Sinhala Sogdian Soyombo" +
  " Sundanese Syriac Tagalog Tagbanwa Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai" +
  " Vithkuqi Wancho Yezidi Yi ";

const properties = new Map<string, Ranges>();

/** The code points of `\p{name}`; spaces, hyphens, underscores and case do not matter. `undefined` when there is no such set. */
export function unicodeSet(name: string): Ranges | undefined {
  const canonical = canonicalName(name);
  if (canonical === "Any") return ANY;
  if (canonical === "Ascii") return [0, 0x7f];
  if (canonical === "Assigned") return negate(property("gc=Cn"));
  if (CATEGORIES.includes(` ${canonical} `)) return property(`gc=${canonical}`);
  if (SCRIPTS.includes(` ${canonical} `)) return property(`Script=${canonical}`);
  const category = CATEGORY_ALIASES.get(canonical);
  return category === undefined ? undefined : property(`gc=${category}`);
}

/** First letter upper case, the others lower case, word separators left out. */
function canonicalName(name: string): string {
  const letters = name.replace(/[_ -]/g, "");
  const ascii = letters.slice(1).replace(/[A-Z]+/g, (upper) => upper.toLowerCase());
  return letters.slice(0, 1).replace(/[a-z]/, (lower) => lower.toUpperCase()) + ascii;
}

/** Blocks whose code points all have the same properties: surrogates, planes without characters, private use, non-characters. */
// biome-ignore format: a table
const UNIFORM: Ranges = [
  0xd800, 0xdfff,  0x40000, 0xdffff,  0xe1000, 0xeffff,  0xf0000, 0xffffd,  0xffffe, 0xfffff,  0x100000, 0x10fffd,  0x10fffe, MAX_CODE,
];
const VARIED: Ranges = negate(UNIFORM);
const CHUNK = 0x1000;

/** Scans all code points with one native regular expression; runs of members are ranges. Done once for each property used. */
function property(expression: string): Ranges {
  const known = properties.get(expression);
  if (known !== undefined) return known;
  const runs = new RegExp(`\\p{${expression}}+`, "gu");
  const out: number[] = [];
  for (let i = 0; i < UNIFORM.length; i += 2) {
    const lo = UNIFORM[i] as number;
    if (String.fromCodePoint(lo).search(runs) === 0) out.push(lo, UNIFORM[i + 1] as number);
  }
  for (let i = 0; i < VARIED.length; i += 2) {
    const hi = VARIED[i + 1] as number;
    for (let lo = VARIED[i] as number; lo <= hi; ) {
      const end = Math.min(hi, lo | (CHUNK - 1)); // a chunk lies in one plane, so its characters are of one width
      collect(runs, lo, end, out);
      lo = end + 1;
    }
  }
  const ranges = clean(out);
  properties.set(expression, ranges);
  return ranges;
}

function collect(runs: RegExp, lo: number, hi: number, out: number[]): void {
  const codes: number[] = [];
  for (let code = lo; code <= hi; code++) codes.push(code);
  const text = String.fromCodePoint(...codes);
  const width = lo > 0xffff ? 2 : 1;
  for (const run of text.matchAll(runs)) {
    const start = lo + run.index / width;
    out.push(start, start + run[0].length / width - 1);
  }
}
