// `npm start`: a Kubernetes API server with a policy in force, one request that it denies, and how to talk to it. It serves until Ctrl-C;
// with --stop it ends after the request.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const celadon = fileURLToPath(new URL("../apps/cli/bin/celadon.mjs", import.meta.url));
const examples = fileURLToPath(new URL(".", import.meta.url));
const data = mkdtempSync(join(tmpdir(), "celadon-start-"));
const inputs = ["server/namespace.yaml", "trusted-images/policy.yaml"].flatMap((file) => ["-f", file]);

console.log(`$ celadon up --data-dir ${data} ${inputs.join(" ")}`);
const server = spawn(process.execPath, [celadon, "up", "--data-dir", data, "--quiet", ...inputs], {
  cwd: examples,
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = new Promise((resolve) => server.on("exit", resolve));
process.on("SIGINT", () => server.kill("SIGINT"));
process.on("SIGTERM", () => server.kill("SIGTERM"));
const url = await new Promise((resolve, reject) => {
  let text = "";
  server.stdout.setEncoding("utf8").on("data", (chunk) => {
    process.stdout.write(chunk);
    text += chunk;
    const found = /API at (\S+),[\s\S]*kubectl get namespaces\n/.exec(text);
    if (found) resolve(found[1]);
  });
  ended.then((code) => reject(new Error(`celadon up ended with ${code}`)));
});

const pki = (file) => join(data, "pki", file);
const pods = "/api/v1/namespaces/payments/pods";
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "checkout" },
  spec: {
    containers: [
      { name: "app", image: "registry.example.com/checkout:1.42.0", resources: { limits: { memory: "256Mi" } } },
      { name: "log-shipper", image: "docker.io/acme/shipper:latest", resources: { limits: { memory: "64Mi" } } },
    ],
  },
};
const denied = await post(pods, pod);
console.log(`POST ${pods}\n  ${denied.code} ${denied.reason}: ${denied.message}\n`);
if (denied.code !== 422) process.exitCode = 1;

console.log("$ celadon explain -f policy.yaml -f pod.yaml --as ann");
spawnSync(process.execPath, [celadon, "explain", "-f", "policy.yaml", "-f", "pod.yaml", "--as", "ann"], {
  cwd: join(examples, "trusted-images"),
  stdio: "inherit",
});

console.log(`
Try it from another terminal:

  export KUBECONFIG=${join(data, "kubeconfig")}
  kubectl apply -f ${join(examples, "trusted-images/pod.yaml")}
  kubectl get validatingadmissionpolicies

  curl --cacert ${pki("ca.crt")} --cert ${pki("admin.crt")} --key ${pki("admin.key")} ${url}/api/v1/namespaces
`);
if (process.argv.includes("--stop")) server.kill("SIGINT");
else console.log("Serving until Ctrl-C. `npm run demo` shows the command without a server.");
const code = await ended;
rmSync(data, { recursive: true, force: true });
// Ended by a signal is ended as it should.
process.exitCode ||= [0, 130, 143].includes(code) ? 0 : 1;

function post(path, body) {
  const [ca, cert, key] = ["ca.crt", "admin.crt", "admin.key"].map((file) => readFileSync(pki(file)));
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      { method: "POST", ca, cert, key, headers: { "content-type": "application/json" } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
        response.on("end", () => resolve({ code: response.statusCode, ...JSON.parse(text), status: undefined }));
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
}
