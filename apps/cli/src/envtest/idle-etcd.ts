/** A program that says it is a healthy etcd until it is ended, and has nothing to give. */
export const IDLE_ETCD = `import { createServer } from "node:http";
import program from "node:process";

const args = program.argv.slice(2);
if (args.includes("--help")) {
  console.log("An etcd that keeps nothing.\\n  --listen-client-urls URLS\\n  --data-dir DIR, --unsafe-no-fsync and others are ignored");
  program.exit(0);
}
const at = args.findIndex((arg) => arg.startsWith("--listen-client-urls"));
const value = at === -1 ? undefined : args[at].includes("=") ? args[at].slice(args[at].indexOf("=") + 1) : args[at + 1];
const servers = (value ?? "http://127.0.0.1:2379").split(",").map((text) => {
  const { protocol, hostname, port } = new URL(text);
  if (protocol !== "http:") {
    console.error("etcd: only http is served, not " + text);
    program.exit(1);
  }
  const server = createServer((request, response) => {
    const isHealth = request.url === "/health";
    response.writeHead(isHealth ? 200 : 501, { "content-type": "application/json" });
    response.end(isHealth ? '{"health":"true","reason":""}' : '{"error":"this etcd keeps nothing: celadon keeps objects in memory"}');
  });
  server.on("error", (error) => {
    console.error("etcd: " + error.message);
    program.exit(1);
  });
  return server.listen(Number(port), hostname.replace(/^\\[|\\]$/g, ""));
});
for (const signal of ["SIGTERM", "SIGINT"]) {
  program.on(signal, () => {
    for (const server of servers) server.close();
    program.exit(0);
  });
}
`;
