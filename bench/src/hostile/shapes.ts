// Values that are hard on somebody, by type, shape and size. A size is about the number of characters, elements or entries.

import {
  type CelError,
  Double,
  type Env,
  isError,
  parseDuration,
  parseTimestamp,
  STRING,
  type Type,
  Uint,
} from "@celadon/cel";

export interface Shape {
  readonly name: string;
  make(size: number): unknown;
}

const repeated = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
const digits = (size: number): string => repeated("1234567890", size);
const listOf = (size: number, make: (i: number) => unknown): unknown[] =>
  Array.from({ length: size }, (_, i) => make(i));
/** A fixed, irregular sequence. */
const irregular = (i: number): number => (Math.imul(i + 1, 2654435761) >>> 7) % 1_000_003;

// biome-ignore format: one shape per line
const TEXTS: readonly Shape[] = [
  { name: "one letter",         make: (n) => "a".repeat(n) },
  { name: "letters, other end", make: (n) => `${"a".repeat(Math.max(n - 1, 0))}b` },
  { name: "letters, other start", make: (n) => `b${"a".repeat(Math.max(n - 1, 0))}` },
  { name: "two bytes",          make: (n) => "é€".repeat(n / 2) },
  { name: "pairs",              make: (n) => "a😀".repeat(n / 3) },
  { name: "mixed case",         make: (n) => repeated("Aé", n) },
  { name: "words",              make: (n) => repeated("the quick, brown fox-", n) },
  { name: "spaces",             make: (n) => " ".repeat(n) },
  { name: "quotes",             make: (n) => '"'.repeat(n) },
  { name: "digits",             make: digits },
  { name: "zeros",              make: (n) => `${"0".repeat(n)}1` },
  { name: "decimals",           make: (n) => `0.${digits(n)}` },
  { name: "exponent",           make: (n) => `1e${n}` },
  { name: "dots",               make: (n) => repeated("1.", n) },
  { name: "labels",             make: (n) => repeated("a.b-c.", n) },
  { name: "address",            make: (n) => `::${repeated("1:", n)}1` },
  { name: "range",              make: (n) => `10.0.0.0/${digits(n)}` },
  { name: "url",                make: (n) => `https://example.com/${repeated("a%20/", n)}?${repeated("k=v&", n)}` },
  { name: "version",            make: (n) => `1.2.3-${repeated("a.1.", n)}a` },
  { name: "base64",             make: (n) => "QUJD".repeat(n / 4) },
  { name: "clauses",            make: (n) => "%s".repeat(n / 2) },
  { name: "precision",          make: (n) => `%.${n * 10}f` },
  { name: "time",               make: (n) => `2024-01-01T00:00:00.${digits(n)}Z` },
  { name: "duration",           make: (n) => `${repeated("1h2m3.5s", n)}` },
  { name: "pattern: alternatives", make: (n) => `${repeated("a|b|", n)}c` },
  { name: "pattern: copies",    make: () => "((a)|(b)|(ab)){100}c" },
  { name: "pattern: many copies", make: () => "(?:(?:aaaaaaaaaaaaaaaaaaaaaaaaa|[ab]){30}){30}!" },
  { name: "pattern: window",    make: () => "[ab]{1000}c|a[ab]{999}" },
  { name: "pattern: to the end", make: () => "a.*x|a" },
  { name: "pattern: sets",      make: (n) => "\\pL".repeat(Math.min(n, 90) / 3) },
  { name: "pattern: stars",     make: (n) => "(a*)*".repeat(Math.min(n, 1000) / 5) },
  { name: "pattern: empty",     make: () => "" },
  { name: "selector",           make: (n) => `${repeated("a in (b,c),", n)}d` },
];

/** A list that is in itself many times over, though it has few parts. */
function shared(levels: number): unknown {
  let value: unknown = ["x"];
  for (let i = 0; i < levels; i++) value = [value, value];
  return value;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < Math.min(depth, 900); i++) value = [value];
  return value;
}

const entries = (size: number, make: (i: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: size }, (_, i) => [`key-${i}`, make(i)]));

// biome-ignore format: one shape per line
const LISTS: readonly Shape[] = [
  { name: "ints",               make: (n) => listOf(n, irregular) },
  { name: "sorted ints",        make: (n) => listOf(n, (i) => i) },
  { name: "doubles",            make: (n) => listOf(n, (i) => i + 0.5) },
  { name: "NaN",                make: (n) => listOf(n, () => Number.NaN) },
  { name: "wide ints",          make: (n) => listOf(n, (i) => 2n ** 60n + BigInt(i)) },
  { name: "texts",              make: (n) => listOf(n, (i) => `text-${irregular(i)}`) },
  { name: "equal texts",        make: (n) => listOf(n, () => "text") },
  { name: "long texts",         make: (n) => listOf(Math.ceil(n / 1000), (i) => `${"a".repeat(1000)}${i}`) },
  { name: "objects",            make: (n) => listOf(Math.ceil(n / 4), (i) => ({ name: `n${i}`, spec: { a: [1, 2, i] } })) },
  { name: "objects, one list",  make: (n) => listOf(Math.ceil(n / 4), (i) => ({ a: [1, 2, 3, i % 7] })) },
  { name: "lists",              make: (n) => listOf(Math.ceil(n / 4), (i) => [i, i + 1, "a"]) },
  { name: "one large list",     make: (n) => [listOf(n, irregular)] },
  { name: "nested",             make: (n) => [nested(n)] },
  { name: "shared",             make: (n) => [shared(Math.min(Math.ceil(Math.log2(n + 1)) * 2, 40))] },
  { name: "bytes",              make: (n) => listOf(Math.ceil(n / 8), (i) => new Uint8Array([1, 2, 3, i & 255, i >> 8])) },
  { name: "null",               make: (n) => listOf(n, () => null) },
];

// biome-ignore format: one shape per line
const MAPS: readonly Shape[] = [
  { name: "entries",            make: (n) => entries(n, irregular) },
  { name: "entries of texts",   make: (n) => entries(n, (i) => `v${i}`) },
  { name: "one large entry",    make: (n) => ({ a: listOf(n, irregular) }) },
  { name: "entries of objects", make: (n) => entries(Math.ceil(n / 4), (i) => ({ a: { b: i } })) },
  { name: "shared",             make: (n) => ({ a: shared(Math.min(Math.ceil(Math.log2(n + 1)) * 2, 40)) }) },
];

// biome-ignore format: one shape per line
const INTS: readonly Shape[] = [
  { name: "its size",           make: (n) => n },
  { name: "half its size",      make: (n) => n >> 1 },
  { name: "negative",           make: () => -1 },
  { name: "small",              make: () => 2 },
  { name: "largest",            make: () => 2n ** 63n - 1n },
];

const BYTES: readonly Shape[] = [
  { name: "bytes", make: (n) => new Uint8Array(n).fill(65) },
  { name: "no UTF-8", make: (n) => new Uint8Array(n).fill(255) },
];

const fixed = (name: string, value: unknown): Shape => ({ name, make: () => value });

/** Shapes of a type; none for a type that only an expression can make. */
export function shapesOf(type: Type, env: Env): readonly Shape[] {
  switch (type.kind) {
    case "string":
      return TEXTS;
    case "bytes":
      return BYTES;
    case "list":
      return LISTS.filter((shape) => fitsElement(type.params[0], shape.make(8)));
    case "map":
      return MAPS;
    case "int":
      return INTS;
    case "uint":
      return [fixed("uint", new Uint(7))];
    case "double":
      return [fixed("small", new Double(1)), fixed("tiny", 5e-324), fixed("huge", 1.7e308), fixed("NaN", Number.NaN)];
    case "bool":
      return [fixed("bool", true)];
    case "null":
      return [fixed("null", null)];
    case "duration":
      return [fixed("duration", parseDuration("1h"))];
    case "timestamp":
      return [fixed("timestamp", parseTimestamp("2024-01-01T00:00:00Z"))];
    case "dyn":
    case "param":
    case "any":
      return [...LISTS, ...MAPS, ...TEXTS.slice(0, 6), ...BYTES.slice(0, 1), fixed("int", 1)];
    default:
      return OPAQUE.flatMap(({ of, name, expr, text = () => "" }) =>
        of === type.name ? [{ name, make: (n: number) => made(env, name, expr, text(n)) }] : [],
      );
  }
}

function fitsElement(element: Type | undefined, sample: unknown): boolean {
  const [first] = sample as unknown[];
  switch (element?.kind) {
    case "int":
      return Number.isSafeInteger(first) || typeof first === "bigint";
    case "double":
      return typeof first === "number" && !Number.isSafeInteger(first);
    case "string":
      return typeof first === "string";
    case "bytes":
      return first instanceof Uint8Array;
    case "list":
      return Array.isArray(first);
    case "dyn":
    case "param":
      return true;
    default:
      return false;
  }
}

/** Values of library types: an expression over a text `s`, and the text. */
// biome-ignore format: one shape per line
const OPAQUE: readonly { readonly of: string; readonly name: string; readonly expr: string; text?(size: number): string }[] = [
  { of: "net.IP",              name: "address",    expr: "ip('2001:db8::1')" },
  { of: "net.CIDR",            name: "range",      expr: "cidr('10.0.0.0/8')" },
  { of: "kubernetes.URL",      name: "url",        expr: "url(s)", text: (n) => `https://example.com/${repeated("a/", n)}?${repeated("k=v&", n)}` },
  { of: "kubernetes.Quantity", name: "quantity",   expr: "quantity('1.5Gi')" },
  { of: "kubernetes.Quantity", name: "large quantity", expr: "quantity(s)", text: digits },
  { of: "kubernetes.Quantity", name: "large quantity with exponent", expr: "quantity(s)", text: (n) => `${digits(n)}e1000` },
  { of: "kubernetes.Semver",   name: "version",    expr: "semver(s)", text: (n) => `1.2.3-${repeated("a.1.", n)}a` },
  { of: "kubernetes.NamedFormat", name: "format",  expr: "format.dns1123Subdomain()" },
  { of: "optional_type",       name: "optional",   expr: "optional.of([1, 2, 3])" },
];

const constants = new Map<string, unknown>();

function made(env: Env, name: string, expr: string, s: string): unknown {
  const key = `${name} ${s.length}`;
  if (!constants.has(key)) {
    const compiled = env.extend({ variables: { s: STRING } }).compile(expr);
    const value: unknown | CelError = compiled.ok ? compiled.program.run({ s }) : undefined;
    constants.set(key, isError(value) ? undefined : value);
  }
  return constants.get(key);
}
