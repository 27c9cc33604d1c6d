import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { type CertificateSettings, readCertificates, renewed } from "./certificates.ts";

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

test("made when nothing is there, kept while good, replaced when a third is left", () => {
  const first = renewed({}, settings(0))!;
  expect(renewed(first, settings(1))).toBeUndefined();
  expect(renewed(first, settings(19))).toBeUndefined();
  const second = renewed(first, settings(21))!;
  expect(second["ca.crt"]).toBe(first["ca.crt"]);
  expect(second["tls.crt"]).not.toBe(first["tls.crt"]);
  const read = readCertificates(secretOf(second))!;
  expect(new X509Certificate(read.certificate).verify(new X509Certificate(read.caBundle).publicKey)).toBe(true);
});

test("a new authority stands beside the old one until that ends", () => {
  const first = renewed({}, settings(0))!;
  const second = renewed(first, settings(201))!;
  expect(second["ca.crt"]).not.toBe(first["ca.crt"]);
  expect(second["old-ca.crt"]).toBe(first["ca.crt"]);
  expect(readCertificates(secretOf(second))!.caBundle).toBe(second["ca.crt"]! + first["ca.crt"]!);
  const third = renewed(second, settings(310))!;
  expect(third["old-ca.crt"]).toBeUndefined();
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
