import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromBytes, quoteBytes, toBytes } from "./byte-text.ts";
import { type GoUrl, parseRequestUri, parseUrl } from "./parse-url.ts";
import { percentDecode, percentEncode, UrlFailure } from "./percent.ts";

const parsed = (text: string): GoUrl => {
  const url = parseUrl(text);
  if (url instanceof UrlFailure) throw new Error(url.reason);
  return url;
};

// biome-ignore format: one case per line
const refused = [
  ["",                         'parse "": empty url'],
  ["a/b",                      'parse "a/b": invalid URI for request'],
  [":a",                       'parse ":a": missing protocol scheme'],
  ["http://a\u0000",           'parse "http://a\\x00": net/url: invalid control character in URL'],
  ["http://h:1:2/",            'parse "http://h:1:2/": invalid port ":1:2" after host'],
  ["ftp://h:1:b/",             'parse "ftp://h:1:b/": invalid port ":b" after host'],
  ["http://[::1",              `parse "http://[::1": missing ']' in host`],
  ["http://a[::1]",            'parse "http://a[::1]": invalid IP-literal'],
  ["http://[1.2.3.4]",         'parse "http://[1.2.3.4]": invalid IP-literal'],
  ["http://[x]",               'parse "http://[x]": invalid host: ParseAddr("x"): unable to parse IP'],
  ["http://[%e80::1]",         'parse "http://[%e80::1]": invalid host: ParseAddr("\\xe80::1"): each colon-separated field must have at least one digit (at "\\xe80::1")'],
  ["http://a b/",              'parse "http://a b/": invalid character " " in host name'],
  ["http://%41/",              'parse "http://%41/": invalid URL escape "%41"'],
  ["http://us er@h/",          'parse "http://us er@h/": net/url: invalid userinfo'],
  ["/%zz",                     'parse "/%zz": invalid URL escape "%zz"'],
  ["/%é",                      'parse "/%é": invalid URL escape "%é"'],
  ["/%aé",                     'parse "/%aé": invalid URL escape "%a\\xc3"'],
] as const;
test.each(refused)("%j is refused", (text, reason) => {
  expect((parseRequestUri(text) as UrlFailure).reason).toBe(reason);
});

const letters = fc.string({ unit: fc.constantFrom(..."abcXYZ019-._~"), minLength: 1, maxLength: 6 });
const parts = fc.record({
  scheme: fc.constantFrom("http", "https", "ftp", "a+b.c-1"),
  user: fc.option(letters, { nil: undefined }),
  host: fc.oneof(letters, fc.constantFrom("[::1]", "[2001:db8::5]", "10.0.0.1")),
  port: fc.option(fc.integer({ min: 0, max: 99_999 }), { nil: undefined }),
  path: fc.array(letters, { maxLength: 3 }),
  query: fc.array(fc.tuple(letters, letters), { maxLength: 3 }),
  fragment: fc.option(letters, { nil: undefined }),
});

describe("a URL made of its parts", () => {
  test("gives them back, and its own text", () => {
    fc.assert(
      fc.property(parts, ({ scheme, user, host, port, path, query, fragment }) => {
        const authority = `${user === undefined ? "" : `${user}@`}${host}${port === undefined ? "" : `:${port}`}`;
        const route = path.map((segment) => `/${segment}`).join("");
        const search = query.length === 0 ? "" : `?${query.map(([key, value]) => `${key}=${value}`).join("&")}`;
        const text = `${scheme}://${authority}${route}${search}${fragment === undefined ? "" : `#${fragment}`}`;
        const url = parsed(text);
        expect(url.scheme).toBe(scheme);
        expect(url.host).toBe(`${host}${port === undefined ? "" : `:${port}`}`);
        expect(url.hostname).toBe(host.replace(/^\[|\]$/g, ""));
        expect(url.port).toBe(port === undefined ? "" : String(port));
        expect(url.escapedPath).toBe(route);
        expect([...url.query().values()].flat().sort()).toEqual(query.map(([, value]) => value).sort());
        expect(url.toString()).toBe(text);
      }),
    );
  });

  test("a written URL reads the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:/?#@!&=+;.~ é"<>{}') }), (text) => {
        const url = parseUrl(text);
        // A path that begins with two slashes is written as it is and then reads as a host.
        if (url instanceof UrlFailure || url.toString().startsWith("//")) return;
        expect(parsed(url.toString()).toString()).toBe(url.toString());
      }),
      { numRuns: 1000 },
    );
  });

  test("any text is read or refused with a reason", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."a:/?#[]@%2 é\u0000") }), (text) => {
        for (const url of [parseUrl(text), parseRequestUri(text)]) {
          if (url instanceof UrlFailure) expect(url.reason).toMatch(/^parse ".*": ./);
          else expect(typeof url.toString()).toBe("string");
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test("percent-encoding is undone by decoding", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("path", "fragment", "userinfo", "query"),
      (text, part) => {
        expect(percentDecode(percentEncode(toBytes(text), part), part)).toBe(toBytes(text));
      },
    ),
  );
});

test("bytes of text and text of bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(fromBytes(toBytes(text))).toBe(text);
    }),
  );
  expect(fromBytes("a\xff\xc3\xa9\xc3")).toBe("a\ufffdé\ufffd");
  expect(quoteBytes("a\xff\xc3\xa9\n")).toBe('"a\\xffé\\n"');
});
