// Flags that programs write for kube-apiserver: those with an effect, and those that are refused before anybody relies on them.

import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runLine, testIo } from "../io.testing.ts";
import { run } from "../run.ts";

const START = ["up", "--memory", "--port", "0"];

// biome-ignore format: one flag per line
test.each([
  ["--service-cluster-ip-range=bad",                                "is no range of IPv4"],
  ["--service-cluster-ip-range=10.0.0.0/33",                        "is no range of IPv4"],
  ["--service-cluster-ip-range=10.0.0.0/8",                         "a range has /12 to /29"],
  ["--service-cluster-ip-range=10.0.0.0/16,fd00::/108",             "a second range is not supported"],
  ["--enable-admission-plugins=NodeRestriction,PodNodeSelector",    "admission plugin 'PodNodeSelector' is not supported"],
  ["--enable-admission-plugins=NoSuchPlugin",                       "unknown admission plugin 'NoSuchPlugin'"],
  ["--anonymous-auth=true",                                         "--anonymous-auth"],
  ["--runtime-config=resource.k8s.io/v1alpha9=true",                "resource.k8s.io/v1alpha9 is not served"],
  ["--runtime-config=apps/v1/deployments=false",                    "apps/v1/deployments is always served"],
  ["--runtime-config=api/all=false",                                "versions cannot be turned off"],
  ["--runtime-config=apps/v1=maybe",                                "use true or false"],
  ["--requestheader-client-ca-file=ca.crt",                         "unknown flag --requestheader-client-ca-file"],
])("%s is refused", async (flag, problem) => {
  const { code, stderr } = await runLine([...START, flag]);
  expect(stderr).toContain(problem);
  expect(code).toBe(2);
});

test("a server started as kube-apiserver is: its certificate is made, and versions that are served may be named", async () => {
  const directory = mkdtempSync(join(tmpdir(), "celadon-flags-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const stop = new AbortController();
  const io = testIo({ terminal: 120, env: { NO_COLOR: "1" }, signal: stop.signal });
  const certs = join(directory, "certs");
  const running = run(
    [
      ...START,
      `--cert-dir=${certs}`,
      "--tls-san=api.example.com",
      "--service-cluster-ip-range=10.20.0.9/24",
      "--enable-admission-plugins=NamespaceLifecycle,NodeRestriction",
      "--runtime-config=api/all=true,api/beta=false,v1=true,apps/v1,apps/v1/deployments=true,batch/v1beta9=false",
      "--anonymous-auth=false",
      "--event-ttl=1h",
      "--v=2",
    ],
    io,
  );
  while (!io.stdout.includes("KUBECONFIG")) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const name of ["event-ttl", "v"]) expect(io.stderr).toContain(`--${name} has no effect`);
  const file = readFileSync(join(certs, "apiserver.crt"), "utf8");
  const served = new X509Certificate(file);
  expect([served.checkHost("api.example.com"), served.checkIP("127.0.0.1")]).toEqual(["api.example.com", "127.0.0.1"]);
  // The file is what its clients trust.
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(io.stdout)?.[1]);
  const code = await new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path: "/api", ca: file }, ({ statusCode }) => resolve(statusCode));
    asked.on("error", reject);
    asked.end();
  });
  expect(code).toBe(401);
  stop.abort();
  expect(await running).toBe(0);
});
