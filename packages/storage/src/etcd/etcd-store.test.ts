// The distributed store over one member of etcd: the contract, and its own behaviour. Skipped where etcd is not installed.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storageContract } from "../contract/contract.testing.ts";
import { codeOf, nextNotice, put, shown, take } from "../contract/texts.testing.ts";
import { type EtcdMember, findEtcd, startEtcd } from "../testing/index.ts";
import { isReliable } from "./etcd-store.ts";
import { openEtcd } from "./index.ts";

const etcd = findEtcd();

describe.skipIf(etcd === undefined)("etcd (skipped where it is not installed)", () => {
  let member: EtcdMember;
  let stores = 0;

  beforeAll(async () => {
    member = await startEtcd();
  });
  afterAll(() => member?.remove());

  storageContract("etcd", {
    open: () => openEtcd({ endpoints: [member.endpoint], prefix: `/store-${stores++}` }),
    randomRuns: 10,
    linearizableCalls: 60,
  });

  test("stores of one prefix see each other, stores of others do not", async () => {
    const open = (prefix: string) => openEtcd({ endpoints: [member.endpoint], prefix });
    const [first, same, other] = await Promise.all([open("/shared"), open("/shared"), open("/shared2")]);
    const watch = same.watch("/");
    const silent = other.watch("/", { progress: true });
    const revision = await put(first, "/a", "1");
    await put(other, "/a", "other");
    expect((await take(watch, 1))[0]!.revision).toBe(revision);
    expect(shown((await same.list("")).entries)).toEqual(["/a=1"]);
    expect((await same.count("")).count).toBe(1);
    expect(await take(silent, 1)).toMatchObject([{ revision: revision + 1 }]);
    await first.requestProgress();
    await Promise.all([first.close(), same.close(), other.close()]);
  });

  test("a store that is open keeps the process alive until it is closed", async () => {
    const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
    const before = sockets();
    const store = await openEtcd({ endpoints: [member.endpoint], prefix: "/alive" });
    const waits = store.watch("/").next();
    await expect.poll(sockets).toBe(before + 1);
    await put(store, "/a", "1");
    await waits;
    await store.close();
    await expect.poll(sockets).toBe(before);
  });

  test("a transaction larger than a message of etcd comes in fragments and is whole", async () => {
    const store = await openEtcd({
      endpoints: [member.endpoint],
      prefix: "/large",
      limits: { maxTransactionBytes: 2 ** 21 },
    });
    const watch = store.watch("/");
    const value = Buffer.alloc(11_000, "x");
    for (let round = 0; round < 2; round++) {
      await store.write(Array.from({ length: 128 }, (_, i) => ({ op: "put", key: `/k/${i}`, value })));
    }
    const batches = await take(watch, 2);
    expect(batches.map(({ changes }) => changes.length)).toEqual([128, 128]);
    expect((await store.list("/k/")).entries).toHaveLength(128);
    await store.close();
  });

  test("a member that is restarted: calls wait for it, the watch goes on", async () => {
    const own = await startEtcd();
    const store = await openEtcd({ endpoints: [own.endpoint], timeout: 30_000 });
    const watch = store.watch("/", { progress: true });
    const first = await put(store, "/a", "1");
    await own.stop("SIGKILL");
    const read = store.get("/a");
    own.start();
    expect(shown([(await read).entry])).toEqual(["/a=1"]);
    const second = await put(store, "/a", "2");
    expect((await take(watch, 2)).map(({ revision }) => revision)).toEqual([first, second]);
    await store.requestProgress();
    expect((await nextNotice(watch)).type).toBe("progress");
    await store.close();
    await own.remove();
  });

  test("history compacted while the watch was away ends it", async () => {
    const own = await startEtcd();
    const store = await openEtcd({ endpoints: [own.endpoint], timeout: 30_000 });
    const watch = store.watch("/");
    await put(store, "/a", "1");
    await take(watch, 1);
    await own.stop("SIGKILL");
    // Another client writes and compacts before this one is back.
    own.start();
    await own.ready();
    const other = await openEtcd({ endpoints: [own.endpoint] });
    for (let i = 0; i < 20; i++) await put(other, "/a", String(i));
    const compacted = await other.revision();
    await other.compact(compacted);
    const outcome = await watch.next().then(
      ({ value }) => value?.type,
      (error: { code: string }) => error.code,
    );
    // It came back in time, or got a notice of compaction; it never skips.
    expect(["changes", "compacted"]).toContain(outcome);
    // The shared feed may find out later than this watch did, and then ends the watches of that moment.
    await store.requestProgress();
    const again = store.watch("/", { from: compacted + 1 });
    const revision = await put(store, "/a", "after");
    expect((await take(again, 1))[0]!.revision).toBe(revision);
    await Promise.all([store.close(), other.close()]);
    await own.remove();
  });

  test("a quota that is exceeded is no space, and reads go on", async () => {
    const own = await startEtcd({ flags: ["--quota-backend-bytes", "4194304"] });
    const store = await openEtcd({ endpoints: [own.endpoint] });
    let code = "none";
    let acknowledged = 0;
    for (let i = 0; code === "none" && i < 100; i++) {
      code = await codeOf(put(store, `/k/${i}`, "x".repeat(100_000)));
      if (code === "none") acknowledged += 1;
    }
    expect(code).toBe("no_space");
    // etcd applies the write that it refuses first.
    expect([acknowledged, acknowledged + 1]).toContain((await store.count("/k/")).count);
    await store.close();
    await own.remove();
  });
});

describe("nobody there", () => {
  test("a port that refuses", async () => {
    const failure = await openEtcd({ endpoints: ["http://127.0.0.1:1"], timeout: 300 }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "unavailable", outcomeUnknown: false });
  });

  test("a server that never answers", async () => {
    const server: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const opening = openEtcd({ endpoints: [`http://127.0.0.1:${port}`], timeout: 400, attemptTimeout: 100 });
    expect(await codeOf(opening)).toBe("unavailable");
    server.close();
  });

  test("no endpoint, or none that can be", async () => {
    for (const endpoints of [
      [],
      ["127.0.0.1:2379"],
      ["ftp://127.0.0.1"],
      ["http://"],
      ["http://127.0.0.1:99999"],
      [""],
    ]) {
      expect(await codeOf(openEtcd({ endpoints }))).toBe("invalid");
    }
  });
});

// biome-ignore format: one version per line
const versions: [string, boolean][] = [
  ["3.4.23", false], ["3.4.31", true], ["3.5.12", false], ["3.5.13", true], ["3.6.0", true], ["4.0.0", true], ["", false],
];
test.each(versions)("progress on request of %s", (version, want) => expect(isReliable(version)).toBe(want));

const tools = etcd !== undefined && has("openssl") && has("etcdctl");
describe.skipIf(!tools)("TLS and users (skipped without etcd, etcdctl and openssl)", () => {
  let folder: string;
  let member: EtcdMember;
  const file = (name: string): string => join(folder, name);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "celadon-tls-"));
    certificates(folder);
    const flags = ["--cert-file", file("server.crt"), "--key-file", file("server.key")];
    member = await startEtcd({
      scheme: "https",
      flags: [...flags, "--trusted-ca-file", file("ca.crt"), "--client-cert-auth"],
    });
    const run = (...args: string[]): void => {
      execFileSync("etcdctl", args, {
        env: {
          ...process.env,
          ETCDCTL_API: "3",
          ETCDCTL_ENDPOINTS: member.endpoint,
          ETCDCTL_CACERT: file("ca.crt"),
          ETCDCTL_CERT: file("client.crt"),
          ETCDCTL_KEY: file("client.key"),
        },
      });
    };
    run("user", "add", "root:secret");
    run("user", "grant-role", "root", "root");
    run("user", "add", "ann:hers");
    run("role", "add", "anns");
    run("role", "grant-permission", "anns", "readwrite", "/ann", "/ann~");
    run("user", "grant-role", "ann", "anns");
    run("auth", "enable");
  });
  afterAll(async () => {
    await member?.remove();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const tls = () => ({
    ca: readFileSync(file("ca.crt")),
    cert: readFileSync(file("client.crt")),
    key: readFileSync(file("client.key")),
  });
  const options = () => ({ endpoints: [member.endpoint], tls: tls(), timeout: 5_000 });

  test("a user with a password, on their own keys", async () => {
    const store = await openEtcd({ ...options(), user: "ann", password: "hers", prefix: "/ann" });
    const watch = store.watch("/");
    const revision = await put(store, "/a", "1");
    expect((await take(watch, 1))[0]!.revision).toBe(revision);
    await store.close();
  });

  test("others' keys, a wrong password, no user", async () => {
    expect(await codeOf(openEtcd({ ...options(), user: "ann", password: "hers", prefix: "/bob" }))).toBe("denied");
    expect(await codeOf(openEtcd({ ...options(), user: "ann", password: "wrong" }))).toBe("denied");
    expect(await codeOf(openEtcd(options()))).toBe("denied");
  });

  test("no certificate, and a server one does not trust", async () => {
    const base = { endpoints: [member.endpoint], timeout: 1_000 };
    expect(await codeOf(openEtcd({ ...base, tls: { ca: tls().ca } }))).toBe("unavailable");
    expect(await codeOf(openEtcd({ ...base, tls: { cert: tls().cert, key: tls().key } }))).toBe("unavailable");
  });
});

function has(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A CA, a server for 127.0.0.1, and a client; all for a day. */
function certificates(folder: string): void {
  const openssl = (...args: string[]): void => void execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=ca", "-days", "1");
  for (const [name, extensions] of [
    ["server", "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth"],
    ["client", "extendedKeyUsage=clientAuth"],
  ] as const) {
    writeFileSync(join(folder, `${name}.ext`), extensions);
    // etcd takes the common name of a client for a user; without one, users log in.
    openssl("req", ...key, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", "/O=celadon");
    openssl(
      "x509",
      "-req",
      "-in",
      `${name}.csr`,
      "-CA",
      "ca.crt",
      "-CAkey",
      "ca.key",
      "-CAcreateserial",
      "-out",
      `${name}.crt`,
      "-days",
      "1",
      "-extfile",
      `${name}.ext`,
    );
  }
}
