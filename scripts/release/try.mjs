// Tries the artifacts of a release in empty directories, as somebody who has downloaded them.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { root } from "../sources.mjs";
import { platform } from "./executable.mjs";

const TRIALS = {
  npm: tryNpm,
  executable: tryExecutable,
  vscode: tryExtension,
  chart: tryChart,
  container: tryContainer,
  site: trySite,
};

export async function tryArtifacts(out, { version, names }) {
  checkSums(out);
  for (const name of names) {
    const started = performance.now();
    const directory = mkdtempSync(join(tmpdir(), `celadon-${name}-`));
    try {
      await TRIALS[name]({ directory, version, file: (path) => resolve(out, path) });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
    console.log(`tried ${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
}

function checkSums(out) {
  must("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: out });
}

function tryNpm({ directory, version, file }) {
  writeFileSync(join(directory, "package.json"), "{}");
  const packages = ["cli", "cel", "base"].map((name) => file(`npm/celadon-${name}-${version}.tgz`));
  must("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], { cwd: directory });
  tryCommand([join(directory, "node_modules/.bin/celadon")], directory, version);
  const program = `import { createEnv } from "@celadon/cel"; console.log(createEnv().program("1 + 1").evaluate({}).value)`;
  expect(must(process.execPath, ["--input-type=module", "-e", program], { cwd: directory }), /^2$/m);
}

async function tryExecutable({ directory, version, file }) {
  must("tar", ["-xzf", file(`executable/celadon-v${version}-${platform.os}-${platform.arch}.tar.gz`), "-C", directory]);
  const executable = join(directory, "celadon");
  tryCommand([executable], directory, version);
  expect(
    must(executable, ["init", "no-latest-tag", "-d", "catalogue"], { cwd: directory, env: homeIn(directory) }),
    /wrote 1 policy/,
  );
  // The embedded store is native code beside the program.
  await tryServer(executable, directory);
  // Without a place to keep anything, it still runs.
  const nowhere = { HOME: "/nowhere", XDG_CACHE_HOME: "/nowhere", TMPDIR: directory };
  expect(must(executable, ["eval", "1 + 1"], { cwd: directory, env: nowhere }), /^2$/m);
  const manifest = readFileSync(file("krew/celadon.yaml"), "utf8");
  const sums = readFileSync(file("SHA256SUMS"), "utf8");
  const [, digest] = /sha256: "(\w{64})"/.exec(manifest) ?? [];
  expect(sums, new RegExp(`^${digest}  executable/`, "m"));
  showStart(executable, directory);
}

/** The times of a short command by the executable and by Node with the bundle, in turns; the least of each. */
function showStart(executable, directory) {
  const least = { executable: Number.POSITIVE_INFINITY, node: Number.POSITIVE_INFINITY };
  const env = homeIn(directory);
  for (let i = 0; i < 12; i++) {
    for (const [name, command] of Object.entries({
      executable: [executable],
      node: [process.execPath, join(root, "apps/cli/bin/celadon.mjs")],
    })) {
      const started = performance.now();
      must(command[0], [...command.slice(1), "eval", "1 + 1"], { cwd: directory, env });
      least[name] = Math.min(least[name], performance.now() - started);
    }
  }
  console.log(
    `celadon eval: executable ${least.executable.toFixed(0)} ms, node with the bundle ${least.node.toFixed(0)} ms`,
  );
}

async function tryServer(executable, directory) {
  const port = await freePort();
  const server = spawn(executable, ["up", "--port", String(port), "--data-dir", join(directory, "data")], {
    cwd: directory,
    env: { ...process.env, ...homeIn(directory) },
  });
  let output = "";
  try {
    await new Promise((ready, fail) => {
      const timer = setTimeout(() => fail(new Error(`the server is not ready: ${output}`)), 30_000);
      for (const stream of [server.stdout, server.stderr]) {
        stream.on("data", (data) => {
          output += data;
          if (!output.includes("ready")) return;
          clearTimeout(timer);
          ready();
        });
      }
      server.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${output}`)));
    });
  } finally {
    server.kill();
    await new Promise((ended) =>
      server.exitCode === null && server.signalCode === null ? server.on("exit", ended) : ended(),
    );
  }
}

function tryExtension({ directory, version, file }) {
  must("unzip", ["-q", file(`vscode/celadon-${version}.vsix`), "-d", directory]);
  const manifest = JSON.parse(readFileSync(join(directory, "extension/package.json"), "utf8"));
  if (manifest.version !== version) throw new Error(`the extension has version ${manifest.version}`);
  must(process.execPath, ["--check", join(directory, "extension", manifest.main)]);
  expect(
    must(process.execPath, [join(directory, "extension/celadon/main.mjs"), "--version"]),
    new RegExp(`^celadon ${version}$`, "m"),
  );
}

function tryChart({ directory, version, file }) {
  must("tar", ["-xzf", file(`chart/celadon-${version}.tgz`), "-C", directory]);
  const chart = join(directory, "celadon");
  expect(readFileSync(join(chart, "Chart.yaml"), "utf8"), new RegExp(`^version: ${version}$`, "m"));
  JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8"));
  readFileSync(join(chart, "templates/NOTES.txt"));
  if (spawnSync("helm", ["version"]).status !== 0) {
    console.log("helm is not installed: the chart was not rendered by it");
    return;
  }
  must("helm", ["lint", "--strict", chart]);
  expect(must("helm", ["template", "celadon", chart]), /^kind: Deployment$/m);
}

function tryContainer({ directory, version, file }) {
  must("tar", ["-xzf", file(`container/rootfs-${version}.tar.gz`), "-C", directory]);
  const program = join(directory, "celadon.mjs");
  const copied = [
    ...readFileSync(file("container/Dockerfile"), "utf8").matchAll(/^COPY --from=build \S+ \/(\S+)$/gm),
  ].map(([, path]) => path);
  for (const path of copied) readFileSync(join(directory, path));
  const env = { PATH: "" };
  const clean = (args) => must(process.execPath, [program, ...args], { cwd: directory, env, alone: true });
  expect(clean(["--version"]), new RegExp(`^celadon ${version}$`, "m"));
  expect(clean(["webhook", "--help"]), /celadon webhook/);
}

function trySite({ directory, version, file }) {
  must("tar", ["-xzf", file(`site/celadon-site-${version}.tgz`), "-C", directory]);
  expect(readFileSync(join(directory, "index.html"), "utf8"), /<script/);
  expect(readFileSync(join(directory, `docs/${version}/index.html`), "utf8"), /<main/);
}

/** Every form of the command prints its version and help, denies an object and runs a suite. */
function tryCommand([program, ...before], directory, version) {
  const env = homeIn(directory);
  const example = join(root, "examples/trusted-images");
  const call = (...args) =>
    spawnSync(program, [...before, ...args], { cwd: directory, env: { ...process.env, ...env }, encoding: "utf8" });
  expect(call("--version").stdout, new RegExp(`^celadon ${version}$`, "m"));
  expect(call("--help").stdout, /^ {2}check /m);
  const denied = call("check", "-f", example);
  expect(denied.stdout, /images must come from registry\.example\.com/);
  if (denied.status !== 1) throw new Error(`check ended with ${denied.status}: ${denied.stderr}`);
  const tested = call("test", example);
  if (tested.status !== 0) throw new Error(`test ended with ${tested.status}: ${tested.stdout}${tested.stderr}`);
}

function homeIn(directory) {
  const home = join(directory, "home");
  mkdirSync(home, { recursive: true });
  return { HOME: home, XDG_CACHE_HOME: join(home, "cache") };
}

function must(program, args, { cwd, env = {}, alone = false } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: alone ? env : { ...process.env, ...env },
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
  return stdout + stderr;
}

function expect(text, pattern) {
  if (!pattern.test(text)) throw new Error(`expected ${pattern} in: ${text.slice(0, 2000)}`);
}

function freePort() {
  return new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}
