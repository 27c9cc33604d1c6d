import type { ServingCertificates } from "@celadon/cluster/webhook";
import { issueCertificate, keyPem } from "@celadon/pki";
import { afterEach, expect, test, vi } from "vitest";
import { testIo } from "../io.testing.ts";
import { readCertificateFiles, watchCertificateFiles } from "./certificate-files.ts";

afterEach(() => vi.useRealTimers());

/** A certificate that is its own authority. */
function made(): { readonly certificate: string; readonly key: string } {
  const given = { subject: { commonName: "s" }, days: 1, usage: "server", names: ["127.0.0.1"] } as const;
  const { certificate, key } = issueCertificate(given);
  return { certificate, key: keyPem(key) };
}

const files = { certificate: "tls.crt", key: "tls.key", ca: undefined };

test("a new authority is trusted before it is served, and the old one goes on being trusted", async () => {
  const [old, next] = [made(), made()];
  const contents: Record<string, string> = { "tls.crt": old.certificate, "tls.key": old.key };
  const stop = new AbortController();
  const io = testIo({ files: contents, signal: stop.signal });
  const first = await readCertificateFiles(files, io);
  vi.useFakeTimers();
  const seen: ServingCertificates[] = [];
  watchCertificateFiles(files, first, io, (certificates) => seen.push(certificates));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(seen).toEqual([]);

  // Half of the files are new: the key does not belong to the certificate.
  const change = (path: string, text: string): Promise<void> => io.files.write(new Map([[path, text]]));
  await change("tls.crt", next.certificate);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(seen).toEqual([]);

  await change("tls.key", next.key);
  await vi.advanceTimersByTimeAsync(10_000);
  const bundle = `${next.certificate.trim()}\n${old.certificate.trim()}\n`;
  expect(seen).toEqual([{ certificate: old.certificate, key: old.key, caBundle: bundle }]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(seen.slice(1)).toEqual([{ certificate: next.certificate, key: next.key, caBundle: bundle }]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(seen).toHaveLength(2);
  stop.abort();
});
