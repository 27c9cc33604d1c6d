// The steps of envtest with its assets: flags are looked for in --help, programs are started and asked whether they are healthy
// without credentials, a client certificate by the suite's own authority is used, and SIGTERM ends them.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { issueCertificate, keyPem } from "@celadon/pki";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runLine } from "../../io.testing.ts";

const BIN = new URL("../../../bin/celadon.mjs", import.meta.url).pathname;
const isBuilt = existsSync(new URL("../../../dist/bundle/main.js", import.meta.url));

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "celadon-envtest-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

async function assets(name: string, ...flags: readonly string[]): Promise<string> {
  const path = join(directory, name);
  expect((await runLine(["envtest-assets", path, ...flags], { program: BIN })).code).toBe(0);
  return path;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isTrue().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it did not happen in time");
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}

interface Got {
  readonly code: number | undefined;
  readonly text: string;
}

function get(port: number, path: string, tls: object): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, rejectUnauthorized: false, ...tls }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve({ code: response.statusCode, text }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

test("the etcd stand-in is healthy until it is ended", async () => {
  const etcd = join(await assets("a"), "etcd");
  expect(execFileSync(etcd, ["--help"], { encoding: "utf8" })).toMatch(/^\s*--listen-client-urls\b/m);
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(etcd, [`--listen-client-urls=${url}`, "--data-dir=/nowhere", `--advertise-client-urls=${url}`]);
  await until(async () => (await fetch(`${url}/health`)).ok);
  expect((await fetch(`${url}/v3/kv/range`, { method: "POST" })).status).toBe(501);
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test.skipIf(!isBuilt)("the kube-apiserver stand-in is started by envtest's flags", { timeout: 60_000 }, async () => {
  const server = join(await assets("b"), "kube-apiserver");
  expect(execFileSync(server, ["--help"], { encoding: "utf8" })).not.toMatch(/^\s*--insecure-port\b/m);

  const own = { commonName: "tiny-ca" };
  const authority = issueCertificate({ subject: own, days: 1, usage: "authority" });
  const issuer = { subject: own, key: authority.key };
  const names = ["localhost", "127.0.0.1"];
  const serving = issueCertificate({ subject: { commonName: "localhost" }, days: 1, usage: "server", names, issuer });
  const subject = { commonName: "admin", organizations: ["system:masters"] };
  const client = issueCertificate({ subject, days: 1, usage: "client", issuer });
  const certs = mkdtempSync(join(directory, "certs-"));
  writeFileSync(join(certs, "apiserver.crt"), serving.certificate);
  writeFileSync(join(certs, "apiserver.key"), keyPem(serving.key));
  writeFileSync(join(certs, "client-ca.crt"), authority.certificate);

  const port = await freePort();
  const child = spawn(
    server,
    [
      "--allow-privileged=true",
      "--authorization-mode=RBAC",
      "--bind-address=127.0.0.1",
      `--cert-dir=${certs}`,
      `--client-ca-file=${join(certs, "client-ca.crt")}`,
      "--disable-admission-plugins=ServiceAccount",
      "--etcd-servers=http://127.0.0.1:1",
      `--secure-port=${port}`,
      "--service-account-issuer=https://127.0.0.1/",
      `--service-account-key-file=${join(certs, "sa-signer.crt")}`,
      `--service-account-signing-key-file=${join(certs, "sa-signer.key")}`,
      "--service-cluster-ip-range=10.0.0.0/24",
    ],
    { env: { ...process.env, ENVTEST_K8S_VERSION: "1.33.0" } },
  );
  await until(async () => (await get(port, "/healthz", {})).code === 200);
  expect((await get(port, "/api/v1/namespaces", {})).code).toBe(401);
  const tls = {
    rejectUnauthorized: true,
    ca: authority.certificate,
    cert: client.certificate,
    key: keyPem(client.key),
  };
  expect(JSON.parse((await get(port, "/version", tls)).text).minor).toBe("33");
  expect((await get(port, "/api/v1/namespaces/default", tls)).code).toBe(200);
  child.kill("SIGTERM");
  // As the shell counts: 128 and the number of the signal.
  expect(await ended(child)).toBe(143);
});

test("files of others are left alone", async () => {
  const path = await assets("c", "--kube-version", "1.32");
  expect(readFileSync(join(path, "kube-apiserver"), "utf8")).toContain("--kube-version 1.32");
  await assets("c");
  writeFileSync(join(path, "etcd"), "the real one");
  const { code, stderr } = await runLine(["envtest-assets", path], { program: BIN });
  expect(code).toBe(2);
  expect(stderr).toContain("was not written by celadon envtest-assets");
  expect(readFileSync(join(path, "etcd"), "utf8")).toBe("the real one");
  await assets("c", "--force");
  expect(readFileSync(join(path, "etcd"), "utf8")).not.toBe("the real one");
});

test.each([
  ["envtest-assets", "one directory is needed"],
  ["envtest-assets a b", "one directory is needed"],
  ["envtest-assets a --kube-version 1.2", "--kube-version 1.2 is not supported"],
])("%s is not enough", async (line, problem) => {
  expect((await runLine(line.split(" "))).stderr).toContain(problem);
});
