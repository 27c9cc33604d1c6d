// The conditions for listening: TLS and a known user wherever others could reach it.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "@celadon/storage/memory";
import { expect, test } from "vitest";
import { isLoopback } from "./http/addresses.ts";
import { launch } from "./launch.ts";

test.each(["0.0.0.0", "::", "192.0.2.1", "example.com", "localhost.example.com", "127.example.com"])(
  "HTTP in the clear is refused on %s",
  async (host) => {
    const store = await openMemory();
    await expect(launch({ store, host, insecure: true })).rejects.toThrow(
      `HTTP in the clear is for loopback addresses only, not ${host}: everybody on the way could read and act`,
    );
    await store.close();
  },
);

test("a directory whose store cannot be opened stays as it is", async () => {
  const directory = mkdtempSync(join(tmpdir(), "celadon-launch-"));
  const store = Promise.reject(new Error("another server is using it"));
  await expect(launch({ store, directory })).rejects.toThrow("another server is using it");
  expect(existsSync(join(directory, "pki"))).toBe(false);
  rmSync(directory, { recursive: true });
});

test("loopback addresses are those of this machine alone", () => {
  for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "::1"])
    expect([host, isLoopback(host)]).toEqual([host, true]);
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "127.evil.com", "localhost.evil.com", "1.127.0.0", ""]) {
    expect([host, isLoopback(host)]).toEqual([host, false]);
  }
});

function codeOf(url: string, options: object = {}): Promise<number> {
  const request = url.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, ...options }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end();
  });
}

test("nobody is anybody: without a certificate or a token every path is refused", async () => {
  const alice = { username: "alice", groups: [] };
  for (const insecure of [false, true]) {
    const launched = await launch({
      store: await openMemory(),
      insecure,
      tokens: { secret: alice },
      authorization: "AlwaysAllow",
    });
    const ca = insecure ? {} : { ca: launched.caCertificate };
    const ask = (path: string, headers: object = {}) => codeOf(`${launched.url}${path}`, { ...ca, headers });
    expect(launched.url.startsWith(insecure ? "http://" : "https://")).toBe(true);
    for (const path of ["/api", "/api/v1/namespaces", "/metrics", "/healthz", "/version", "/nothing"]) {
      expect([path, await ask(path)]).toEqual([path, 401]);
      expect([path, await ask(path, { authorization: "Bearer wrong" })]).toEqual([path, 401]);
      expect([path, await ask(path, { "x-remote-user": "admin", "impersonate-user": "admin" })]).toEqual([path, 401]);
    }
    expect(await ask("/api/v1/namespaces", { authorization: "Bearer secret" })).toBe(200);
    await launched.close();
  }
});
