// `npm start`: a Kubernetes API server with the examples applied, one request that it denies and why, and how to talk to it; and the playground.
// It serves until Ctrl-C; with --stop it ends after the request.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const celadon = fileURLToPath(new URL("../apps/cli/bin/celadon.mjs", import.meta.url));
const examples = fileURLToPath(new URL(".", import.meta.url));
const data = mkdtempSync(join(tmpdir(), "celadon-start-"));
const inputs = ["server/", "trusted-images/policy.yaml", "crd/definition.yaml"].flatMap((path) => ["-f", path]);
const kubeconfig = join(data, "kubeconfig");
const pki = (file) => join(data, "pki", file);

console.log(`$ celadon up ${inputs.join(" ")}`);
// On a terminal, requests are shown as they come.
const quiet = process.stderr.isTTY ? [] : ["--quiet"];
const server = spawn(process.execPath, [celadon, "up", "--data-dir", data, ...quiet, ...inputs], {
  cwd: examples,
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = new Promise((resolve) => server.on("exit", resolve));
const playground = spawn(process.execPath, [celadon, "playground"], { stdio: ["ignore", "pipe", "inherit"] });
// Ctrl-C reaches both servers too: this process only waits for their end.
process.on("SIGINT", () => server.kill("SIGINT"));
process.on("SIGTERM", () => server.kill("SIGTERM"));
const opened = playgroundUrl();
try {
  await Promise.race([ready(), ended.then((code) => Promise.reject(new Error(`celadon up ended with ${code}`)))]);
  await show();
  if (process.argv.includes("--stop")) server.kill("SIGINT");
  const code = await ended;
  // Ended by a signal is ended as it should.
  process.exitCode ||= [0, 130, 143].includes(code) ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  playground.kill("SIGTERM");
  server.kill("SIGKILL");
  rmSync(data, { recursive: true, force: true });
}

/** Resolves when the server has printed its address. */
function ready() {
  return new Promise((resolve) => {
    let text = "";
    const read = (chunk) => {
      text += chunk;
      if (!text.includes("kubectl get namespaces")) return;
      server.stdout.off("data", read).resume();
      console.log(text.split("\n")[0]);
      resolve();
    };
    server.stdout.setEncoding("utf8").on("data", read);
  });
}

/** The address of the playground; undefined if it could not start. */
function playgroundUrl() {
  return new Promise((resolve) => {
    let text = "";
    playground.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      const found = /Playground at (\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
    playground.on("exit", () => resolve(undefined));
  });
}

async function show() {
  const page = await opened;
  const url = /server: (\S+)/.exec(readFileSync(kubeconfig, "utf8"))[1];
  const path = "/api/v1/namespaces/payments/pods";
  const denied = await post(`${url}${path}`, readFileSync(join(examples, "trusted-images/pod.yaml")));
  console.log(`\nPOST ${path} with trusted-images/pod.yaml\n${denied.code} ${denied.reason}: ${denied.message}\n`);
  if (denied.code !== 422) process.exitCode = 1;

  console.log("$ celadon explain -f policy.yaml -f pod.yaml --as ann");
  spawnSync(process.execPath, [celadon, "explain", "-f", "policy.yaml", "-f", "pod.yaml", "--as", "ann"], {
    cwd: join(examples, "trusted-images"),
    stdio: "inherit",
  });

  console.log(`
Try it from another terminal:

  export KUBECONFIG=${kubeconfig}
  kubectl apply -f ${join(examples, "trusted-images/pod.yaml")}
  kubectl get validatingadmissionpolicies,customresourcedefinitions
  kubectl explain queue.spec

  curl --cacert ${pki("ca.crt")} --cert ${pki("admin.crt")} --key ${pki("admin.key")} ${url}/api/v1/namespaces
${page === undefined ? "" : `\nPlayground, in a browser: ${page}\n`}`);
  if (!process.argv.includes("--stop")) console.log("Serving until Ctrl-C.");
}

function post(url, body) {
  const [ca, cert, key] = ["ca.crt", "admin.crt", "admin.key"].map((file) => readFileSync(pki(file)));
  const headers = { "content-type": "application/yaml" };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", ca, cert, key, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve(JSON.parse(text)));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
