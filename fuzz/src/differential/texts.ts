// Calls of functions that read a text, with a valid text changed a little: readers differ at the edge of the accepted texts.

import type { Random } from "../random.ts";

/** A text, the way it is written, and the calls that read it: `T` is the text, `U` another one. */
interface Reading {
  readonly alphabet: string;
  readonly texts: readonly string[];
  readonly calls: readonly string[];
}

const REGEX = String.raw`abcxyzAZ019 .*+?|()[]{}^$\-,:=!<>PnUimsdDwWbBQEpLNz`;
const PATTERNS = [
  "(a|b)*c",
  "^[a-z]([-a-z0-9]*[a-z0-9])?$",
  String.raw`(?P<n>\w+)\s`,
  "[[:alpha:]]{1,3}",
  String.raw`\pL+\d*?`,
  "(?i:a)(?s).b",
  String.raw`\x41|\x{1F600}|\Q.\E`,
  "a{2,}b{0}|(c){3}",
  String.raw`[^\d\s-]+`,
  String.raw`(?m)^b$|\Ab\z`,
];
const WORDS = ["aab", "abc ABC 012", "a\nb", "héllo", "x-y_z", "", "aXbXc", "😀a", "aaaa"];

// biome-ignore format: one kind of text per block
const READINGS: readonly Reading[] = [
  { alphabet: "0123456789.eE+-KMGTPinumk ",
    texts: ["1", "1Gi", "500m", "1.5e3", "12E", "9223372036854775807", "0.0001", "-3Ki", "100n", "1e-10", "+.5", "00010", "1000000000000000000000"],
    calls: ["quantity(T)", "isQuantity(T)", "quantity(T).asInteger()", "quantity(T).asApproximateFloat()", "quantity(T).sign()", "quantity(T).isInteger()",
      "quantity(T).add(quantity(U))", "quantity(T).sub(quantity(U))", "quantity(T).compareTo(quantity(U))", "quantity(T) == quantity(U)", "quantity(T).add(7)"] },
  { alphabet: "0123456789abcf.:/%eAF ",
    texts: ["10.0.0.1", "::1", "fe80::1", "2001:db8::1", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8", "0.0.0.0", "224.0.0.1", "169.254.1.1", "fe80::1%eth0"],
    calls: ["ip(T)", "isIP(T)", "ip.isCanonical(T)", "string(ip(T))", "ip(T).family()", "ip(T).isLoopback()", "ip(T).isUnspecified()", "ip(T).isLinkLocalMulticast()",
      "ip(T).isLinkLocalUnicast()", "ip(T).isGlobalUnicast()", "ip(T) == ip(U)", "cidr('10.0.0.0/8').containsIP(T)", "cidr('::/0').containsIP(ip(T))"] },
  { alphabet: "0123456789abcf.:/ ",
    texts: ["10.0.0.0/8", "10.1.2.3/8", "::/0", "2001:db8::/32", "0.0.0.0/0", "1.2.3.4/32", "::ffff:1.2.3.4/120", "fe80::/10"],
    calls: ["cidr(T)", "isCIDR(T)", "string(cidr(T))", "cidr(T).masked()", "cidr(T).prefixLength()", "cidr(T).ip()", "cidr(T).containsCIDR(U)",
      "cidr(T).containsCIDR(cidr(U))", "cidr(T) == cidr(U)", "cidr(T).containsIP('10.1.2.3')"] },
  { alphabet: "htpsab:/?#[]@!$&'()*+,;=%20.-_~é\\ \t\n|^{}<>\"1",
    texts: ["https://example.com:80/a/b?c=d&c=e#f", "http://a", "/a/b", "http://[::1]:8080/", "ftp://u:p@h/x%20y", "http://[fe80::1%25e]:1/", "a:b", "//h/p", "http://h?a=%zz;b&=&c", "HTTP://H:/x?"],
    calls: ["url(T)", "isURL(T)", "url(T).getScheme()", "url(T).getHost()", "url(T).getHostname()", "url(T).getPort()", "url(T).getEscapedPath()", "url(T).getQuery()", "url(T) == url(U)"] },
  { alphabet: "0123456789.-+vabrc ",
    texts: ["1.2.3", "0.0.1-rc.1+b.2", "v1.2", "1.2", "01.2.3", "1.2.3-", "10.20.30", "1.0.0-0.a.1", "v1.02.3-x+y", "18446744073709551615.0.0", "1"],
    calls: ["semver(T)", "isSemver(T)", "semver(T, true)", "isSemver(T, true)", "semver(T).major()", "semver(T, true).minor()", "semver(T).compareTo(semver(U))",
      "semver(T, true).isLessThan(semver(U, true))", "semver(T) == semver(U)"] },
  { alphabet: "0123456789-:TZ.+tz, ",
    texts: ["2024-02-29T12:30:00Z", "1970-01-01T00:00:00.5+01:30", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "2023-11-05T01:30:00-04:00", "1883-11-18T12:00:00Z", "2100-03-26T01:00:00Z"],
    calls: ["timestamp(T)", "string(timestamp(T))", "int(timestamp(T))", "timestamp(T) - timestamp(U)", "timestamp(T).getDayOfYear()", "timestamp(T).getHours('Europe/Berlin')",
      "timestamp(T).getFullYear('America/New_York')", "timestamp(T).getMinutes('Asia/Kolkata')", "timestamp(T).getDayOfWeek('-03:30')", "timestamp(T).getDate('Australia/Lord_Howe')",
      "timestamp(T).getMilliseconds()", "timestamp(T) + duration('36h')", "'%s'.format([timestamp(T)])"] },
  { alphabet: "0123456789.hmsnuµ+- e",
    texts: ["1h30m", "-5ns", "0s", "1.5s", "100000h", "1us", "2562047h47m16.854775807s", ".5h", "+1m", "1h1h", "-9223372036854775808ns"],
    calls: ["duration(T)", "string(duration(T))", "duration(T).getHours()", "duration(T).getMilliseconds()", "duration(T) + duration(U)", "duration(T) < duration(U)",
      "'%s'.format([duration(T)])", "timestamp('2024-01-01T00:00:00Z') + duration(T)", "-duration(T)"] },
  { alphabet: "UTCEurope/BlinAmca_NwYkGM+-:0123459 ",
    texts: ["UTC", "Europe/Berlin", "America/New_York", "+05:30", "-00:30", "Etc/GMT+5", "Local", "", "EST5EDT", "us/pacific", "1:2", "+14:00", "-24:00"],
    calls: ["timestamp('2024-07-01T12:30:00Z').getHours(T)", "timestamp('1970-01-01T00:00:00Z').getMinutes(T)", "timestamp('1900-01-01T00:00:00Z').getSeconds(T)", "timestamp('2050-12-31T23:59:59Z').getFullYear(T)"] },
  { alphabet: "0123456789.eE+-xXaAfFnNiIpP_ ",
    texts: ["12", "-1", "1.5", "1e400", "0x1F", "NaN", "inf", "-Infinity", "9223372036854775808", "18446744073709551615", "1e-400", "0x1p-2", "1_000", "+7", "infinity", ".5", "5."],
    calls: ["int(T)", "uint(T)", "double(T)", "bool(T)", "string(double(T))", "'%d'.format([int(T)])", "'%.3f'.format([double(T)])", "'%e'.format([double(T)])", "'%s'.format([double(T)])", "'%x'.format([int(T)])"] },
  { alphabet: "truefalsTRUEFALS10 ", texts: ["true", "false", "TRUE", "t", "0", "1", "False"], calls: ["bool(T)"] },
  { alphabet: "%sdfxXobeEqvgc.0123456789- +#*", texts: ["%s", "%d and %.2f", "%x%X", "%b", "%.3e", "%%", "%.20f", "%.s", "%10s", "%o %s", "%"],
    calls: ["T.format([1])", "T.format([1.5, 'a'])", "T.format(['é', 7u, b'ab'])", "T.format([[1, 'a', null], {'k': 1.0}])", "T.format([-255, true])", "T.format([duration('1.5s'), timestamp(0)])",
      "T.format([type(1), optional.of(1)])", "T.format([1e300, -0.0])", "T.format([])", "T.format([quantity('1'), 1])", "T.format([double('NaN'), double('inf')])"] },
  { alphabet: REGEX, texts: PATTERNS,
    calls: ["'abcABC012'.matches(T)", "'a\\nb aab'.find(T)", "'abc ABC 012'.findAll(T)", "'aaabbb-x_y'.findAll(T, 2)", "'héllo 😀 wörld'.findAll(T)", "''.matches(T)", "object.s.matches(T)", "object.ls.exists(s, s.matches(T))", "'ab'.matches(T + U)"] },
  { alphabet: "aAbXé😀 ,\\t\\n\"'%-", texts: WORDS,
    calls: ["T.split(U)", "T.split('a', 2)", "T.replace('a', U)", "T.replace('', U, 3)", "T.substring(1)", "T.substring(0, 2)", "T.indexOf(U)", "T.lastIndexOf(U)", "T.indexOf('a', 2)", "T.lowerAscii()",
      "T.upperAscii()", "T.trim()", "T.charAt(1)", "T.reverse()", "strings.quote(T)", "[T, U].join(T)", "T.contains(U)", "T.startsWith(U)", "T < U", "bytes(T)", "size(T)", "string(bytes(T))", "[T, U].sort()", "T in {U: 1}"] },
  { alphabet: "ab-.AZ09/_:@+%# =é\n", texts: ["my-name", "a.b.c", "example.com/name", "Name_1", "2021-01-01", "2021-01-01T00:00:00Z", "YWJj", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "https://a/b"],
    calls: ["format.dns1123Label().validate(T)", "format.dns1123Subdomain().validate(T)", "format.dns1035Label().validate(T)", "format.qualifiedName().validate(T)", "format.dns1123LabelPrefix().validate(T)",
      "format.dns1123SubdomainPrefix().validate(T)", "format.dns1035LabelPrefix().validate(T)", "format.labelValue().validate(T)", "format.uri().validate(T)", "format.uuid().validate(T)", "format.byte().validate(T)", "format.date().validate(T)",
      "format.datetime().validate(T)", "format.named(T).hasValue()"] },
];

/** Literals as the lexer meets them, mostly broken ones. */
// biome-ignore format: by kind
const LITERAL: Reading = {
  alphabet: "'\"\\xuU0123456789abfnrtvXrRbBeE.+-u_ `?",
  texts: [
    ...["'a'", `"\\n"`, "'\\x41\\u00e9'", "'''a\nb'''", `r'\\d'`, "b'\\377\\x00'", "'\\U0001F600'", `rb"\\q"`, `""""""`, "'\\?\\`'", "bR'''x'''"],
    ...["0x1F", "1e3", ".5", "1.", "0xFFu", "007", "1e400", "-0x8000000000000000", "9223372036854775808", "1u", "5e-324", "a.`b-c`"],
  ],
  calls: ["T", "T + U", "[T]", "T == U", "size(T)"],
};

export function textCall(random: Random): string {
  const isLiteral = random.oneIn(12);
  const { alphabet, texts, calls } = isLiteral ? LITERAL : random.pick(READINGS);
  const letters = [...alphabet];
  const text = (): string => {
    const made = changed(random, [...random.pick(texts)], letters);
    return isLiteral ? made : quoted(made);
  };
  const [first, second] = [text(), text()];
  return random.pick(calls).replaceAll(/\b[TU]\b/g, (name) => (name === "T" ? first : second));
}

function changed(random: Random, text: string[], letters: readonly string[]): string {
  for (let times = random.below(4); times > 0; times--) {
    const at = random.below(text.length + 1);
    switch (random.below(4)) {
      case 0:
        text.splice(at, 1);
        break;
      case 1:
        text.splice(at, 1, random.pick(letters));
        break;
      case 2:
        text.splice(at, 0, ...text.slice(random.below(text.length + 1), random.below(text.length + 1)));
        break;
      default:
        text.splice(at, 0, random.pick(letters));
    }
  }
  return text.slice(0, 80).join("");
}

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&").replaceAll("\n", "\\n")}'`;
