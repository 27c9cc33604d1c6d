// Requests written by hand: the decoded form of every kind of name and key, and the errors of malformed ones.

import { Invalid } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import {
  type CsrParts,
  csr,
  der,
  dns,
  ED25519,
  email,
  extension,
  ip,
  name,
  oid,
  otherName,
  P256,
  pem,
  rsaKey,
  SEQUENCE,
  SET,
  san,
  UTF8,
  uri,
} from "./build.testing.ts";
import { type DecodedCsr, decodeCsr, decodeCsrDer, MAX_CSR_BYTES } from "./decode.ts";
import { OID, textsOf } from "./subject.ts";

function decoded(parts: CsrParts): DecodedCsr {
  const result = decodeCsrDer(csr(parts));
  if (result instanceof Invalid) throw new Error(result.message);
  return result;
}

const problem = (bytes: Uint8Array): string => {
  const result = decodeCsrDer(bytes);
  return result instanceof Invalid ? result.message : "decodes";
};

describe("subject", () => {
  // biome-ignore format: one case per line
  const texts = [
    { type: "UTF8String",       value: der(12, "Zürich"),                      want: "Zürich" },
    { type: "PrintableString",  value: der(19, "a*b & c"),                     want: "a*b & c" },
    { type: "IA5String",        value: der(22, "a@b"),                         want: "a@b" },
    { type: "NumericString",    value: der(18, "12 3"),                        want: "12 3" },
    { type: "T61String",        value: der(20, [0x5a, 0xfc]),                  want: "Zü" },
    { type: "BMPString",        value: der(30, [0x20, 0xac, 0, 0x31, 0, 0]),   want: "€1" },
    { type: "UniversalString",  value: der(28, [0, 0, 0, 0x41]),               want: null },
    { type: "INTEGER",          value: der(2, [42]),                           want: null },
    { type: "SEQUENCE",         value: der(SEQUENCE, [1, 2, 3]),               want: null },
  ];
  test.each(texts)("$type", ({ value, want }) => {
    expect(decoded({ subject: name(["2.5.4.3", value]) }).subject).toEqual([{ rdn: 0, oid: "2.5.4.3", value: want }]);
  });

  test("every common name, across separate and multi-valued sets", () => {
    const pair = (text: string): Uint8Array => der(SEQUENCE, oid("2.5.4.3"), der(UTF8, text));
    const subject = der(SEQUENCE, der(SET, pair("a"), pair("b")), der(SET, pair("c")));
    expect(textsOf(decoded({ subject }).subject, OID.commonName)).toEqual(["a", "b", "c"]);
  });

  // biome-ignore format: one case per line
  const malformed = [
    { value: der(12, [0xff]),             want: "asn1: invalid UTF-8 string" },
    { value: der(19, "a_b"),              want: "asn1: syntax error: PrintableString contains invalid character" },
    { value: der(18, "1a"),               want: "asn1: syntax error: NumericString contains invalid character" },
    { value: der(22, [0x80]),             want: "asn1: syntax error: IA5String contains invalid character" },
    { value: der(30, [0]),                want: "invalid BMPString" },
    { value: der(30, [0xd8, 0]),          want: "invalid BMPString" },
    { value: der(2, [0, 1]),              want: "asn1: structure error: integer not minimally-encoded" },
    { value: der(3, [9]),                 want: "asn1: syntax error: invalid padding bits in BIT STRING" },
    { value: der(6, [0x80, 1]),           want: "asn1: syntax error: integer is not minimally encoded" },
    { value: der(23, "yesterday"),        want: "asn1: structure error: malformed UTCTime" },
  ];
  test.each(malformed)("refuses $want", ({ value, want }) => {
    expect(problem(csr({ subject: name(["2.5.4.10", value]) }))).toBe(want);
  });
});

describe("alternative names", () => {
  test("the four listed kinds, in order", () => {
    const names = [
      dns("*.a.example"),
      dns("b"),
      email("x@y"),
      ip(10, 0, 0, 1),
      ip(...new Array(15).fill(0), 1),
      uri("SPIFFE://td/ns/a"),
    ];
    expect(decoded({ extensions: [san(...names)] }).names).toMatchObject({
      dnsNames: ["*.a.example", "b"],
      emailAddresses: ["x@y"],
      ipAddresses: ["10.0.0.1", "::1"],
      uris: ["spiffe://td/ns/a"],
    });
  });

  test("an IPv4 address in IPv6 clothing is IPv4", () => {
    const mapped = ip(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1);
    expect(decoded({ extensions: [san(mapped)] }).names.ipAddresses).toEqual(["192.0.2.1"]);
  });

  test("other names are text or hexadecimal", () => {
    const names = [
      otherName("1.2.3", der(12, "a@t")),
      otherName("1.2.4", der(2, [42])),
      otherName("1.2.5", new Uint8Array()),
    ];
    expect(decoded({ extensions: [san(...names)] }).names.otherNames).toEqual([
      { oid: "1.2.3", value: "a@t" },
      { oid: "1.2.4", value: "02012a" },
      { oid: "1.2.5", value: "a000" },
    ]);
  });

  test("kinds that no policy can allow are counted", () => {
    const names = [der(0xa3), der(0xa4), der(0xa5, der(0x81, "party")), der(0x88, [0x2a, 3]), der(0xa3)];
    expect(decoded({ extensions: [san(...names)] }).names.forbidden).toEqual({
      directoryName: 1,
      x400Address: 2,
      ediPartyName: 1,
      registeredID: 1,
    });
  });

  // biome-ignore format: one case per line
  const strict = [
    { entry: der(0xa4, name(["2.5.4.3", "x"])), want: "asn1: structure error: sequence tag mismatch" },
    { entry: der(0x89, "x"),                    want: "asn1: structure error: bad SAN choice" },
    { entry: der(0xa2, [0xff]),                 want: "x509: SAN dNSName is malformed" },
    { entry: der(0x80, "x"),                    want: "asn1: structure error: tags don't match: an otherName SAN is primitive [0], not constructed [0]" },
  ];
  test.each(strict)("only the stricter reader refuses: $want", ({ entry, want }) => {
    const { names } = decoded({ extensions: [san(dns("a"), entry)] });
    expect(names).toMatchObject({ dnsNames: ["a"], error: want, otherNames: [] });
  });

  // biome-ignore format: one case per line
  const malformed = [
    { entry: dns("ü"),                      want: "x509: SAN dNSName is malformed" },
    { entry: email("ü@y"),                  want: "x509: SAN rfc822Name is malformed" },
    { entry: uri("http://ü"),               want: "x509: SAN uniformResourceIdentifier is malformed" },
    { entry: uri("http://a..b/"),           want: `x509: cannot parse URI "http://a..b/": invalid domain` },
    { entry: uri("http://[::1"),            want: `x509: cannot parse URI "http://[::1": parse "http://[::1": missing ']' in host` },
    { entry: ip(1, 2, 3, 4, 5),             want: "x509: cannot parse IP address of length 5" },
    { entry: Uint8Array.from([0x82, 9, 1]), want: "x509: invalid subject alternative name" },
  ];
  test.each(malformed)("refuses $want", ({ entry, want }) =>
    expect(problem(csr({ extensions: [san(entry)] }))).toBe(want),
  );
});

describe("keys", () => {
  // biome-ignore format: one case per line
  const keys = [
    { key: P256,          want: { algorithm: "ECDSA",   size: 256 } },
    { key: rsaKey(2048),  want: { algorithm: "RSA",     size: 2048 } },
    { key: rsaKey(4096),  want: { algorithm: "RSA",     size: 4096 } },
    { key: ED25519,       want: { algorithm: "Ed25519", size: -1 } },
    { key: der(SEQUENCE, der(SEQUENCE, oid("1.3.101.113")), der(3, [0, 1])), want: { algorithm: null, size: null, unrecognised: "<nil>" } },
  ];
  test.each(keys)("$want", ({ key, want }) => expect(decoded({ key }).publicKey).toMatchObject(want));

  const ec = (curve: string, ...point: number[]): Uint8Array =>
    der(SEQUENCE, der(SEQUENCE, oid("1.2.840.10045.2.1"), oid(curve)), der(3, [0, ...point]));
  const rsa = (parameters: Uint8Array, key: Uint8Array): Uint8Array =>
    der(SEQUENCE, der(SEQUENCE, oid("1.2.840.113549.1.1.1"), parameters), der(3, [0], key));
  // biome-ignore format: one case per line
  const malformed = [
    { key: ec("1.3.132.0.10", 4, 1, 2),                              want: "x509: unsupported elliptic curve" },
    { key: ec("1.2.840.10045.3.1.7", 4, ...new Array(64).fill(1)),   want: "x509: the ECDSA key is not an uncompressed point of its curve" },
    { key: rsa(der(4), der(SEQUENCE)),                               want: "x509: RSA key missing NULL parameters" },
    { key: rsa(der(5), der(SEQUENCE, der(2, [0x80]), der(2, [3]))),  want: "x509: RSA modulus is not a positive number" },
    { key: rsa(der(5), der(SEQUENCE, der(2, [5]))),                  want: "x509: invalid RSA public exponent" },
    { key: der(SEQUENCE, der(SEQUENCE, oid("1.3.101.112")), der(3, [0, 1])), want: "x509: wrong Ed25519 public key size" },
  ];
  test.each(malformed)("refuses $want", ({ key, want }) => expect(problem(csr({ key }))).toBe(want));
});

describe("extensions", () => {
  test("requested extensions are decoded, though no policy reads them", () => {
    const extensions = [
      extension("2.5.29.19", der(SEQUENCE, der(1, [0xff]), der(2, [0])), true),
      extension("2.5.29.15", der(3, [5, 0xa0])),
      extension("2.5.29.37", der(SEQUENCE, oid("1.3.6.1.5.5.7.3.1"), oid("1.2.3"))),
    ];
    expect(decoded({ extensions })).toMatchObject({
      basicConstraints: { ca: true, pathLength: 0, critical: true },
      keyUsages: ["digital signature", "key encipherment"],
      extendedKeyUsages: ["server auth", "1.2.3"],
    });
  });

  test("malformed and foreign attributes are passed over", () => {
    const attributes = [
      der(SEQUENCE, oid("1.2.840.113549.1.9.7"), der(SET, [1])),
      der(2, [1]),
      der(SEQUENCE, [0x30, 0x7f]),
    ];
    expect(decoded({ extensions: [san(dns("a"))], attributes }).names.dnsNames).toEqual(["a"]);
  });

  test("the same extension twice is refused", () => {
    expect(problem(csr({ extensions: [san(dns("a")), san(dns("b"))] }))).toBe(
      "x509: certificate request contains duplicate requested extensions",
    );
  });
});

describe("bytes around the request", () => {
  const good = csr({ extensions: [san(dns("a"))] });
  const text = pem(good);

  test("text around the block, its label and line ends do not matter", () => {
    const variants = [
      text,
      `before\n${text}after`,
      text.replaceAll("\n", "\r\n"),
      pem(good, "NEW CERTIFICATE REQUEST"),
      pem(good, ""),
    ];
    for (const variant of variants) expect(decodeCsr(variant)).toEqual(decodeCsrDer(good));
    expect(decodeCsr(new TextEncoder().encode(text))).toEqual(decodeCsrDer(good));
  });

  // biome-ignore format: one case per line
  const malformed = [
    { title: "trailing bytes",     bytes: [...good, 0],                                          want: "asn1: syntax error: trailing data" },
    { title: "cut off",            bytes: good.slice(0, -1),                                     want: "asn1: syntax error: data truncated" },
    { title: "empty",              bytes: [],                                                    want: "asn1: syntax error: sequence truncated" },
    { title: "indefinite length",  bytes: [0x30, 0x80, 0, 0],                                    want: "asn1: syntax error: indefinite length found (not DER)" },
    { title: "long form length",   bytes: [0x30, 0x81, 1, 5],                                    want: "asn1: structure error: non-minimal length" },
    { title: "no attributes",      bytes: der(SEQUENCE, der(SEQUENCE, der(2, [0]), name(), P256)), want: "asn1: syntax error: sequence truncated: no attributes" },
    { title: "a certificate",      bytes: der(SEQUENCE, der(SEQUENCE, der(0xa0, der(2, [2])))),  want: "asn1: structure error: tags don't match: version is constructed [0], not INTEGER" },
  ];
  test.each(malformed)("$title", ({ bytes, want }) => expect(problem(Uint8Array.from(bytes))).toBe(want));

  test("no PEM, and too much of it", () => {
    const start = "error decoding certificate request PEM block: ";
    expect(decodeCsr("nothing here")).toEqual(new Invalid(`${start}no PEM data was found in given input`));
    expect(decodeCsr("x".repeat(MAX_CSR_BYTES + 1))).toEqual(
      new Invalid(`${start}provided PEM data was larger than the maximum 36500B`),
    );
  });
});
