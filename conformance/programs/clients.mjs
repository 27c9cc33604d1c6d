// Client libraries of other languages, with a script of this repository each.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compared } from "./compared.mjs";
import { installed, run, Skipped } from "./processes.mjs";

const script = (name) => fileURLToPath(new URL(`clients/${name}`, import.meta.url));

const clientNode = compared({
  name: "client-node",
  version: "2.0.1",
  async prepare() {
    // Older versions of Node lack what the client uses.
    const [major] = process.versions.node.split(".");
    if (Number(major) < 20) throw new Skipped("client-node needs Node 20");
    return { program: process.execPath, args: [script("client-node.mjs")] };
  },
});

const PYTHON = { kubernetes: "37.0.2", kopf: "1.45.2" };

/** The certificates of the servers are not checked, and the clients warn of that. */
const QUIET = { PYTHONWARNINGS: "ignore" };

/** A virtual environment with the packages of PyPI. */
async function python(work, packages) {
  const directory = join(work, "python", packages.join("+").replaceAll("==", "-"));
  const bin = join(directory, "bin");
  if (existsSync(join(bin, "ready"))) return bin;
  mkdirSync(join(work, "python"), { recursive: true });
  const steps = [
    [installed("python3"), ["-m", "venv", directory]],
    [join(bin, "pip"), ["install", "--quiet", ...packages]],
    ["touch", [join(bin, "ready")]],
  ];
  for (const [program, args] of steps) {
    const { code, output } = await run(program, args);
    if (code !== 0) throw new Skipped(`cannot be installed: ${output.trim().split("\n").at(-1)}`);
  }
  return bin;
}

const pythonClient = compared({
  name: "python-client",
  version: PYTHON.kubernetes,
  async prepare(work) {
    const bin = await python(work, [`kubernetes==${PYTHON.kubernetes}`]);
    return { program: join(bin, "python"), args: [script("python-client.py")], env: QUIET };
  },
});

const kopf = compared({
  name: "kopf",
  version: PYTHON.kopf,
  async prepare(work) {
    const bin = await python(work, [`kopf==${PYTHON.kopf}`, `kubernetes==${PYTHON.kubernetes}`]);
    return { program: join(bin, "python"), args: [script("kopf-operator.py")], env: QUIET };
  },
});

const FABRIC8 = "7.3.1";

const fabric8 = compared({
  name: "fabric8",
  version: FABRIC8,
  async prepare(work) {
    const java = installed("java");
    const directory = join(work, "fabric8", FABRIC8);
    if (!existsSync(directory)) {
      const copied = await run(installed("mvn"), [
        "-q",
        "-f",
        script("fabric8/pom.xml"),
        "dependency:copy-dependencies",
        `-DoutputDirectory=${directory}`,
      ]);
      if (copied.code !== 0) throw new Skipped(`cannot be downloaded: ${copied.output.trim().split("\n")[0]}`);
    }
    return { program: java, args: ["-cp", `${directory}/*`, script("fabric8/Client.java")] };
  },
});

export const clients = [
  { what: "@kubernetes/client-node: objects, informer, apply", ...clientNode },
  { what: "kubernetes of PyPI: objects, patches, watches, dynamic client", ...pythonClient },
  { what: "kopf: an operator from creation to deletion", ...kopf },
  { what: "fabric8: objects, informer over WebSockets, leader election", ...fabric8 },
];
