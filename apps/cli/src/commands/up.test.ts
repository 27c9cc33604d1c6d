import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runLine, testIo } from "../io.testing.ts";
import { run } from "../run.ts";
// Loaded before the clock of a test runs.
import "./up.ts";

const directory = (): string => mkdtempSync(join(tmpdir(), "celadon-up-"));

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
};

test("runs until it is told to stop; objects and keys outlive it", async () => {
  const data = directory();
  const first = new AbortController();
  const io = testIo({
    signal: first.signal,
    files: {
      "a.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: Bad}\n",
    },
  });
  const running = run(["up", "--data-dir", data, "--port", "0", "-f", "a.yaml"], io);
  await until(() => io.stdout.includes("KUBECONFIG"));
  expect(io.stdout).toMatch(/^Kubernetes API at https:\/\/127\.0\.0\.1:\d+, ready after/);
  expect(io.stdout).toContain(`export KUBECONFIG=${data}/kubeconfig`);
  expect(io.stderr).toContain("configmap/kept created\n");
  expect(io.stderr).toMatch(/secret\/Bad rejected: Secret "Bad" is invalid/);
  first.abort();
  expect(await running).toBe(0);
  const authority = readFileSync(join(data, "pki/ca.crt"), "utf8");

  const second = new AbortController();
  const again = testIo({
    signal: second.signal,
    files: { "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\n" },
  });
  const restarted = run(["up", "--data-dir", data, "--port", "0", "-f", "a.yaml"], again);
  await until(() => again.stdout.includes("KUBECONFIG"));
  expect(again.stderr).toContain("configmap/kept unchanged\n");
  expect(readFileSync(join(data, "pki/ca.crt"), "utf8")).toBe(authority);
  second.abort();
  await restarted;
  rmSync(data, { recursive: true });
});

test("what cannot work is said at once", async () => {
  const cases = [
    [["up", "--memory", "--etcd-servers", "http://127.0.0.1:1"], "--memory and --etcd-servers cannot be used together"],
    [["up", "--memory", "--watch"], "--watch needs files to watch"],
    [["up", "--memory", "--authorization", "None"], "--authorization"],
    [["up", "--memory", "--port", "99999"], "--port"],
  ] as const;
  for (const [line, want] of cases) {
    const { code, stderr } = await runLine(line);
    expect([code, stderr.includes(want)], stderr).toEqual([2, true]);
  }
});

test("a server in memory leaves nothing behind", async () => {
  const stop = new AbortController();
  const io = testIo({ signal: stop.signal });
  const running = run(["up", "--memory", "--port", "0", "-q"], io);
  await until(() => io.stdout.includes("KUBECONFIG"));
  const kubeconfig = /KUBECONFIG=(\S+)/.exec(io.stdout)![1]!;
  expect(existsSync(kubeconfig)).toBe(true);
  stop.abort();
  expect(await running).toBe(0);
  expect(existsSync(kubeconfig)).toBe(false);
});
