// A process that is stopped: a server finishes its requests first, however long that takes.

import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { folder } from "./e2e/run.testing.ts";
import { start } from "./start.ts";

class FakeProcess extends EventEmitter {
  readonly stdin = Readable.from([]);
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough().resume();
  readonly env = {};
  readonly execPath = "node";
  readonly argv = ["node", "celadon"];
  readonly cwd: () => string;
  exitCode: number | undefined;

  constructor(directory: string) {
    super();
    this.cwd = () => directory;
  }

  exit(code: number): void {
    this.exitCode ??= code;
    this.emit("exited", code);
  }
}

test("a request under way is answered, and then the process ends", async () => {
  const directory = folder();
  const process = new FakeProcess(directory);
  const exited = new Promise((resolve) => process.once("exited", resolve));
  const argv = ["up", "--memory", "--data-dir", "data", "--port", "0", "--quiet", "--audit-log", "audit.log"];
  void start(process as unknown as NodeJS.Process, argv);
  await new Promise<void>((resolve) => {
    process.stdout.on("data", (chunk) => String(chunk).includes("kubectl") && resolve());
  });
  const pki = (name: string): Buffer => readFileSync(join(directory, "data/pki", name));
  const [, url] = /server: (\S+)/.exec(readFileSync(join(directory, "data/kubeconfig"), "utf8"))!;
  const credentials = { ca: pki("ca.crt"), cert: pki("admin.crt"), key: pki("admin.key") };
  const headers = { "content-type": "application/json", expect: "100-continue" };
  const call = request(`${url}/api/v1/namespaces`, { method: "POST", headers, ...credentials });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    call.on("response", (response) => resolve(response.resume().statusCode)).on("error", reject);
  });
  call.flushHeaders();
  await new Promise((resolve) => call.once("continue", resolve));
  process.emit("SIGTERM");
  // Longer than any other verb would be left.
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(process.exitCode).toBe(undefined);
  call.end('{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"late"}}');
  expect(await answered).toBe(201);
  expect(await exited).toBe(143);
  const [last] = readFileSync(join(directory, "audit.log"), "utf8").trimEnd().split("\n").slice(-1);
  expect(JSON.parse(last!)).toMatchObject({ stage: "ResponseComplete", verb: "create", responseStatus: { code: 201 } });
});
