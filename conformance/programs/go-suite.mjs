// Tests of a published Go module, as it is: copied from the module cache, compiled, and run with KUBEBUILDER_ASSETS, by which envtest finds
// the programs of its control plane.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { installed, run, Skipped } from "./processes.mjs";
import { ginkgoTests, goTests } from "./test-output.mjs";

/** A program of the campaign: packages of a module, with their tests. */
export function goSuite({ name, module, version, packages, flags = [] }) {
  return {
    name,
    version,
    async prepare(work) {
      const go = installed("go");
      const directory = await copyOf(go, `${module}@${version}`, work);
      const binaries = [];
      for (const path of packages) binaries.push({ path, file: await compiled(go, directory, path) });
      return async (side) => {
        const parts = [];
        for (const { path, file } of binaries)
          parts.push([path, await runPackage(file, join(directory, path), flags, side)]);
        return together(parts);
      };
    },
  };
}

/** Modules in the cache cannot be written to, and tests write beside themselves. */
async function copyOf(go, module, work) {
  const directory = join(work, "go", module.replaceAll(/[/@]/g, "-"));
  if (existsSync(directory)) return directory;
  const { output, code } = await run(go, ["mod", "download", "-json", module], { cwd: tmpdir() });
  const answer = /^\{[\s\S]*^\}/m.exec(output)?.[0];
  const { Dir, Error: problem } = answer === undefined ? {} : JSON.parse(answer);
  if (Dir === undefined || code !== 0) throw new Skipped(`cannot be downloaded: ${problem ?? lastLine(output)}`);
  mkdirSync(join(work, "go"), { recursive: true });
  cpSync(Dir, directory, { recursive: true });
  await run("chmod", ["-R", "u+w", directory]);
  return directory;
}

async function compiled(go, directory, path) {
  const file = `${directory}.tests/${path === "." ? "root" : path.replaceAll("/", "_")}.test`;
  if (existsSync(file)) return file;
  const { code, output } = await run(go, ["test", "-c", "-o", file, `./${path}`], { cwd: directory, seconds: 7200 });
  if (code !== 0) throw new Skipped(`${path} does not compile: ${lastLine(output)}`);
  return file;
}

async function runPackage(file, cwd, flags, side) {
  const report = `${file}.json`;
  rmSync(report, { force: true });
  const usage = await run(file, ["-test.list", "."], { cwd });
  const isGinkgo = (await run(file, ["--help"], { cwd })).output.includes("-ginkgo.json-report");
  if (usage.code !== 0) throw new Skipped(`cannot be started: ${lastLine(usage.output)}`);
  const { KUBECONFIG: _, USE_EXISTING_CLUSTER: __, ...env } = process.env;
  const args = ["-test.v", "-test.timeout=60m", ...flags, ...(isGinkgo ? [`-ginkgo.json-report=${report}`] : [])];
  const result = await run(file, args, {
    cwd,
    env: { ...env, KUBEBUILDER_ASSETS: side.assets },
    seconds: 3600,
  });
  side.keep(`${basename(dirname(file))}-${basename(file)}`, result.output);
  const tests = goTests(result.output);
  if (existsSync(report))
    for (const [name, end] of ginkgoTests(JSON.parse(readFileSync(report, "utf8")))) tests.set(name, end);
  if (result.code !== 0 && ![...tests.values()].includes("failed")) tests.set("the whole package", "failed");
  return { ...result, tests };
}

/** The packages of a module as one: one after the other, so that times add up. */
function together(parts) {
  const all = { tests: new Map(), seconds: 0, memoryMiB: 0, cpuSeconds: 0 };
  for (const [path, { tests, seconds, memoryMiB, cpuSeconds }] of parts) {
    for (const [name, end] of tests) all.tests.set(`${path}: ${name}`, end);
    all.seconds += seconds;
    all.cpuSeconds += cpuSeconds;
    all.memoryMiB = Math.max(all.memoryMiB, memoryMiB);
  }
  return all;
}

const lastLine = (text) => text.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
