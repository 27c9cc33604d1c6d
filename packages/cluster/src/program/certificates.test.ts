import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { type CertificateSettings, isServable, readCertificates, renewed } from "./certificates.ts";

const DAY = 86_400_000;
const start = Date.UTC(2030, 0, 1);
const settings = (days: number, more: Partial<CertificateSettings> = {}): CertificateSettings => ({
  namespace: "n",
  secret: "s",
  names: ["w.n.svc", "127.0.0.1"],
  authorityDays: 300,
  leafDays: 30,
  now: () => start + days * DAY,
  ...more,
});
const secretOf = (texts: Readonly<Record<string, string>>) => ({
  data: Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, btoa(text)])),
});

test("created if missing, kept while valid, replaced when a third of the lifetime is left", () => {
  const first = renewed({}, settings(0))!;
  expect(renewed(first, settings(1))).toBeUndefined();
  expect(renewed(first, settings(19))).toBeUndefined();
  const second = renewed(first, settings(21))!;
  expect(second["ca.crt"]).toBe(first["ca.crt"]);
  expect(second["tls.crt"]).not.toBe(first["tls.crt"]);
  const read = readCertificates(secretOf(second))!;
  expect(new X509Certificate(read.certificate).verify(new X509Certificate(read.caBundle).publicKey)).toBe(true);
});

test("a new authority is published beside the old one until that expires", () => {
  const first = renewed({}, settings(0))!;
  const second = renewed(first, settings(201))!;
  expect(second["ca.crt"]).not.toBe(first["ca.crt"]);
  expect(second["old-ca.crt"]).toBe(first["ca.crt"]);
  expect(readCertificates(secretOf(second))!.caBundle).toBe(second["ca.crt"]! + first["ca.crt"]!);
  const third = renewed(second, settings(310))!;
  expect(third["old-ca.crt"]).toBeUndefined();
});

test("served certificates are signed by a new authority only when that is trusted everywhere", () => {
  // The leaf is renewed on day 199, two days before its authority's time comes.
  const first = renewed(renewed({}, settings(0))!, settings(199))!;
  const second = renewed(first, settings(201))!;
  expect(second["tls.crt"]).toBe(first["tls.crt"]);
  expect(isServable(readCertificates(secretOf(second))!, start + 201 * DAY)).toBe(true);
  expect(renewed(second, settings(201 + 5 / 1440))).toBeUndefined();
  const third = renewed(second, settings(202))!;
  expect([third["ca.crt"], third["old-ca.crt"]]).toEqual([second["ca.crt"], first["ca.crt"]]);
  expect(third["tls.crt"]).not.toBe(first["tls.crt"]);
  expect(isServable(readCertificates(secretOf(third))!, start + 202 * DAY)).toBe(true);
});

test("a deleted Secret comes back with the served certificate, and a new authority beside the lost one", () => {
  const first = renewed({}, settings(0))!;
  const served = readCertificates(secretOf(first))!;
  const second = renewed({}, settings(1), served)!;
  expect([second["tls.crt"], second["old-ca.crt"]]).toEqual([first["tls.crt"], first["ca.crt"]]);
  const again = renewed({}, settings(1), readCertificates(secretOf(second))!)!;
  expect(again["tls.crt"]).toBe(first["tls.crt"]);
  expect(isServable(readCertificates(secretOf(again))!, start + DAY)).toBe(true);
  // Even after many changes, the authority of a served certificate is never forgotten.
  let often = again;
  for (let i = 0; i < 5; i++) often = renewed({}, settings(1), readCertificates(secretOf(often))!)!;
  expect(often["tls.crt"]).toBe(first["tls.crt"]);
  expect(isServable(readCertificates(secretOf(often))!, start + DAY)).toBe(true);
});

test("an expired certificate is not served, and not kept", () => {
  const first = renewed({}, settings(0))!;
  expect(isServable(readCertificates(secretOf(first))!, start + 31 * DAY)).toBe(false);
  const leaf = renewed(first, settings(40))!;
  expect(leaf["ca.crt"]).toBe(first["ca.crt"]);
  const both = renewed(first, settings(400))!;
  expect([both["tls.crt"] === first["tls.crt"], both["old-ca.crt"]]).toEqual([false, undefined]);
  expect(isServable(readCertificates(secretOf(both))!, start + 400 * DAY)).toBe(true);
});

test("a clock that is ahead makes nothing that others take for not yet valid", () => {
  const first = renewed({}, settings(0))!;
  const ahead = renewed(first, settings(100))!;
  const { validFrom } = new X509Certificate(ahead["tls.crt"]!);
  expect(Date.parse(validFrom)).toBeLessThanOrEqual(start);
  expect(renewed(ahead, settings(1))).toBeUndefined();
});

// biome-ignore format: one case per line
test.each<[string, (good: Readonly<Record<string, string>>) => Partial<Record<string, string>>, Partial<CertificateSettings>?]>([
  ["another name",                    (good) => good,                                    { names: ["other.n.svc"] }],
  ["a key of something else",         (good) => ({ ...good, "tls.key": good["ca.key"]! })],
  ["no certificate at all",           (good) => ({ ...good, "tls.crt": "nonsense" })],
  ["an authority that is no pair",    (good) => ({ ...good, "ca.key": good["tls.key"]! })],
  ["a leaf that is missing",          ({ "tls.crt": _, ...rest }) => rest],
])("%s is replaced", (_, spoil, more = {}) => {
  const good = renewed({}, settings(0)) as Record<string, string>;
  const next = renewed(spoil(good), settings(1, more));
  expect(readCertificates(secretOf(next!))).toBeDefined();
});
