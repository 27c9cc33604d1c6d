// Property names as CEL identifiers and back. Every name that can be escaped has exactly one escaped form, so a field of a
// type and a property of the data always find each other.

/** CEL's reserved words. A property of exactly this name is escaped, although most of them may stand after a dot. */
// biome-ignore format: tokens first
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  "true", "false", "null", "in",
  "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package", "namespace", "return",
  "var", "void", "while",
]);

const ESCAPABLE = /^[A-Za-z_.\-/][A-Za-z0-9_.\-/]*$/;
const SPECIAL = /__|[.\-/]/g;
const SEQUENCE = /__[^_]+__/g;

const SEQUENCES: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};
const UNESCAPED: ReadonlyMap<string, string> = new Map(
  Object.entries(SEQUENCES).map(([plain, escaped]) => [escaped, plain]),
);

/** The identifier for a property; undefined for a name that has none, which CEL then cannot see. */
export function escapeName(name: string): string | undefined {
  if (RESERVED_WORDS.has(name)) return `__${name}__`;
  if (!ESCAPABLE.test(name)) return undefined;
  return name.replace(SPECIAL, (text) => SEQUENCES[text] as string);
}

/** The property that an identifier stands for; undefined when it holds a sequence that escaping never makes. */
export function unescapeName(escaped: string): string | undefined {
  if (!escaped.includes("__")) return escaped;
  let valid = true;
  const name = escaped.replace(SEQUENCE, (sequence) => {
    const plain = UNESCAPED.get(sequence);
    if (plain !== undefined) return plain;
    const word = sequence.slice(2, -2);
    if (!RESERVED_WORDS.has(word) || sequence.length !== escaped.length) valid = false;
    return word;
  });
  return valid ? name : undefined;
}
