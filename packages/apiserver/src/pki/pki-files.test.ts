import { X509Certificate } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyPem } from "@celadon/pki";
import { afterEach, expect, test } from "vitest";
import { type AdminPki, clientCertificate, createPki, type Pki } from "./authority.ts";
import { openPki } from "./pki-files.ts";

const made: string[] = [];
function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "celadon-pki-"));
  made.push(path);
  return path;
}
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true });
});

async function opened(place: string, addresses: readonly string[] = []): Promise<Pki & AdminPki> {
  const { pki, admin } = openPki(place, addresses);
  return { ...pki, ...(await admin) };
}

test("keys are made once and only their owner reads them", async () => {
  const place = directory();
  const first = await opened(place);
  const written = (name: string) => statSync(join(place, name)).mtimeMs;
  const before = readdirSync(place).map((name) => [name, written(name)]);
  expect(await opened(place)).toEqual(first);
  // Files that do not change are not written again.
  expect(readdirSync(place).map((name) => [name, written(name)])).toEqual(before);
  for (const name of readdirSync(place)) {
    expect([name, statSync(join(place, name)).mode & 0o777]).toEqual([name, name.endsWith(".key") ? 0o600 : 0o644]);
  }
});

test("a new address gives a new certificate from the same authority", async () => {
  const place = directory();
  const first = await opened(place);
  const second = await opened(place, ["192.0.2.7"]);
  expect(second.caCertificate).toBe(first.caCertificate);
  expect(second.tokenKey).toBe(first.tokenKey);
  expect(second.adminCertificate).toBe(first.adminCertificate);
  expect(new X509Certificate(second.serverCertificate).checkIP("192.0.2.7")).toBe("192.0.2.7");
});

test("a replica needs the authority and the key of tokens; the rest is made", async () => {
  const [one, two] = [directory(), directory()];
  const first = await opened(one);
  for (const name of ["ca.crt", "ca.key", "tokens.key"]) copyFileSync(join(one, name), join(two, name));
  const second = await opened(two);
  expect([second.caCertificate, second.tokenKey]).toEqual([first.caCertificate, first.tokenKey]);
  const authority = new X509Certificate(first.caCertificate);
  expect(new X509Certificate(second.serverCertificate).verify(authority.publicKey)).toBe(true);
  expect(second.serverCertificate).not.toBe(first.serverCertificate);
});

test("whatever a killed start leaves behind is made whole", async () => {
  const place = directory();
  const whole = await opened(place);
  // A key without its certificate: the next start makes both anew.
  writeFileSync(join(place, "server.key"), createPki([]).serverKey);
  rmSync(join(place, "admin.crt"));
  const mended = await opened(place);
  expect(mended.caCertificate).toBe(whole.caCertificate);
  const server = new X509Certificate(mended.serverCertificate);
  expect(server.verify(new X509Certificate(whole.caCertificate).publicKey)).toBe(true);
  // Killed before the authority's certificate was written: nobody has seen anything.
  rmSync(join(place, "ca.crt"));
  expect((await opened(place)).caCertificate).not.toBe(whole.caCertificate);
});

test("an administrator's key that is not RSA is replaced", async () => {
  const place = directory();
  const { caKey } = await opened(place);
  const { key, certificate } = clientCertificate(caKey, "celadon-admin", ["system:masters"]);
  writeFileSync(join(place, "admin.key"), keyPem(key));
  writeFileSync(join(place, "admin.crt"), certificate);
  const { adminKey } = await opened(place);
  expect(adminKey).toMatch(/^-----BEGIN RSA PRIVATE KEY-----/);
  expect(readFileSync(join(place, "admin.key"), "utf8")).toBe(adminKey);
});

test("an authority that cannot sign is an error, and nothing is overwritten", async () => {
  const place = directory();
  await opened(place);
  const certificate = readFileSync(join(place, "ca.crt"), "utf8");
  writeFileSync(join(place, "ca.key"), createPki([]).caKey);
  expect(() => openPki(place, [])).toThrow("do not belong together");
  rmSync(join(place, "ca.key"));
  expect(() => openPki(place, [])).toThrow("has ca.crt and no ca.key");
  expect(readFileSync(join(place, "ca.crt"), "utf8")).toBe(certificate);
});

test("nothing is left over when one file cannot be written", async () => {
  const place = directory();
  symlinkSync(join(place, "none", "ca.key"), join(place, "ca.key.new"));
  await expect(opened(place)).rejects.toThrow("ENOENT");
  expect(readdirSync(place)).toEqual([]);
});

// With Node's own recursive way this call would never return.
test.runIf(existsSync("/proc/self"))("below a file system without room for directories it ends with an error", () => {
  expect(() => openPki("/proc/none/of/it/pki", [])).toThrow("ENOENT");
});

test("missing directories above it are made", async () => {
  const place = join(directory(), "a", "b");
  await opened(place);
  expect(readdirSync(place)).toContain("ca.crt");
});
