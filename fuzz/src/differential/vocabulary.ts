// The vocabulary of random expressions: the types they have, how their literals are written, texts that functions understand, and the rows
// of every library.

import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  type Env,
  formatType,
  INT,
  listOf,
  mapOf,
  NULL,
  type Overload,
  optionalOf,
  STRING,
  struct,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
} from "@celadon/cel";
import { CIDR, FORMAT, IP, NAMED_FORMATS, QUANTITY, SEMVER, URL_TYPE } from "@celadon/kube-cel/library";

const EMPTY = struct("google.protobuf.Empty");

/** Values that libraries bring. */
export const LIBRARY_TYPES: readonly Type[] = [QUANTITY, IP, CIDR, URL_TYPE, SEMVER, FORMAT];

// biome-ignore format: by kind
const SIMPLE: readonly Type[] = [BOOL, INT, UINT, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION, NULL, DYN, TYPE, EMPTY, ...LIBRARY_TYPES];

// biome-ignore format: by kind
export const TYPES: readonly Type[] = [
  ...SIMPLE,
  ...[INT, STRING, DOUBLE, UINT, DYN, BOOL, QUANTITY, IP, TYPE, listOf(INT), listOf(DYN), optionalOf(INT), optionalOf(QUANTITY), mapOf(STRING, DYN)].map(listOf),
  ...[INT, DYN, STRING, DOUBLE, listOf(INT), QUANTITY, optionalOf(DYN)].map((value) => mapOf(STRING, value)),
  mapOf(INT, STRING), mapOf(DYN, DYN), mapOf(BOOL, INT), mapOf(UINT, DYN),
  ...SIMPLE.map(optionalOf), optionalOf(listOf(INT)), optionalOf(listOf(QUANTITY)), optionalOf(mapOf(STRING, DYN)), optionalOf(optionalOf(INT)),
  optionalOf(optionalOf(QUANTITY)),
];

const quoted = (texts: readonly string[]): string[] => texts.map((text) => `'${text.replaceAll("\\", "\\\\")}'`);

const QUANTITIES = quoted([
  "1",
  "0",
  "-1",
  "1Gi",
  "500m",
  "1.5",
  "1e3",
  "12E",
  "9223372036854775807",
  "-9223372036854775808",
  "0.1k",
  "1n",
  "1Ki1",
  "",
]);
const ADDRESSES = quoted([
  "10.0.0.1",
  "::1",
  "fe80::1",
  "255.255.255.255",
  "2001:db8::1",
  "127.0.0.1",
  "0.0.0.0",
  "::ffff:1.2.3.4",
  "1.2.3",
  "fe80::1%e",
]);
const RANGES = quoted([
  "10.0.0.0/8",
  "10.1.0.0/8",
  "::/0",
  "2001:db8::/32",
  "192.168.0.0/16",
  "0.0.0.0/0",
  "1.2.3.4/33",
  "10.0.0.0",
]);
const URLS = quoted([
  "https://example.com:80/a/b?c=d&c=e#f",
  "http://a",
  "/a/b",
  "http://[::1]:8080/",
  "ftp://u:p@h/x%20y",
  "nope",
  "http://a/é",
]);
const VERSIONS = quoted(["1.2.3", "0.0.1-rc.1+b.2", "v1.2", "1.2", "01.2.3", "1.2.3-", "10.20.30"]);
const PATTERNS = quoted([
  "[a-c]+",
  "^a.*z$",
  "(a)(b)?",
  "\\d+",
  "x{2,3}",
  "(?i)ABC",
  ".",
  "",
  "a|b",
  "(",
  "[^a]*?",
  "\\bfoo\\b",
]);
const TIMES = quoted([
  "2024-02-29T12:30:00Z",
  "1970-01-01T00:00:00.5+01:30",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
  "2024-13-01T00:00:00Z",
]);
const SPANS = quoted(["1h30m", "-5ns", "0s", "1.5s", "100000h", "1d", ""]);
const ZONES = quoted([
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "+05:30",
  "-00:30",
  "Asia/Kolkata",
  "nowhere",
  "Europe",
]);
const FORMS = quoted(["%s", "%d", "%.2f", "%x and %X", "%b", "%e", "%%", "%s%s", "%q", "%o", "%.3e"]);

/** Texts that a function's arguments are likely to be, by function and position. */
export const TEXTS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  Object.entries({
    quantity: [QUANTITIES],
    isQuantity: [QUANTITIES],
    ip: [ADDRESSES],
    isIP: [ADDRESSES],
    "ip.isCanonical": [ADDRESSES],
    cidr: [RANGES],
    isCIDR: [RANGES],
    containsIP: [[], ADDRESSES],
    containsCIDR: [[], RANGES],
    url: [URLS],
    isURL: [URLS],
    semver: [VERSIONS],
    isSemver: [VERSIONS],
    matches: [[], PATTERNS],
    find: [[], PATTERNS],
    findAll: [[], PATTERNS],
    timestamp: [TIMES],
    duration: [SPANS],
    format: [FORMS],
    "format.named": [quoted([...NAMED_FORMATS.keys(), "none"])],
  }),
);
export const TIME_ZONES: readonly string[] = ZONES;

// biome-ignore format: one type per line
const LITERALS: Readonly<Record<string, readonly string[]>> = {
  bool: ["true", "false"],
  int: ["0", "1", "2", "(-1)", "7", "3", "9007199254740991", "9007199254740993", "9223372036854775807", "(-9223372036854775808)", "2147483648"],
  uint: ["0u", "1u", "2u", "7u", "9007199254740993u", "18446744073709551615u"],
  double: ["0.0", "(-0.0)", "1.0", "1.5", "(-2.5)", "1e300", "9007199254740992.0", "5e-324", "double('NaN')", "double('inf')"],
  string: ["''", "'a'", "'b'", "'ab'", "'name'", "'héllo wörld'", "'😀'", "'12'", "'-1'", "'1.5'", "'true'", "'a long text, longer than ten'", "'A-b_c'", "' x '", "'a,b,c'", "'\\x00'", "'%'"],
  bytes: ["b''", "b'a'", "b'\\xff\\x00'", "b'abc'"],
  null: ["null"],
  type: ["int", "string", "type", "double", "bool", "google.protobuf.Timestamp", "list", "map", "null_type", "optional_type", "net.IP", "uint"],
  dyn: ["dyn(1)", "dyn('a')", "dyn(null)", "dyn([])", "dyn(2.0)", "dyn(3u)", "dyn({'a': 1})", "dyn(int)", "dyn(b'a')", "dyn(optional.of(1))", "dyn(quantity('1'))", "google.protobuf.Value{}"],
  "google.protobuf.Empty": ["google.protobuf.Empty{}"],
  timestamp: [...TIMES.slice(0, 4).map((text) => `timestamp(${text})`), "timestamp(0)", "google.protobuf.Timestamp{seconds: 5}"],
  duration: [...SPANS.slice(0, 5).map((text) => `duration(${text})`), "google.protobuf.Duration{nanos: 7}"],
  [formatType(QUANTITY)]: QUANTITIES.map((text) => `quantity(${text})`),
  [formatType(IP)]: ADDRESSES.slice(0, 7).map((text) => `ip(${text})`),
  [formatType(CIDR)]: RANGES.slice(0, 6).map((text) => `cidr(${text})`),
  [formatType(URL_TYPE)]: URLS.slice(0, 5).map((text) => `url(${text})`),
  [formatType(SEMVER)]: [...VERSIONS.slice(0, 2), VERSIONS[6]].map((text) => `semver(${text})`),
  [formatType(FORMAT)]: ["format.dns1123Label()", "format.date()", "format.uri()"],
};

export function literalsOf(type: Type): readonly string[] {
  const known = LITERALS[formatType(type)];
  if (known !== undefined) return known;
  if (type.kind === "list") return ["[]"];
  if (type.kind === "map") return ["{}"];
  return type.name === "optional_type" ? ["optional.none()"] : ["dyn(null)"];
}

/** Every function that can be written: those of the authorizer need an absent variable. */
export function rowsOf(env: Env): readonly Overload[] {
  return [...env.declarations.functions.values()]
    .flat()
    .filter(({ args, result }) => ![...args, result].some(({ name }) => name.startsWith("kubernetes.authorization")));
}
