// npm run bench|fuzz|faults|… -- [program] [flags]: installs and builds if necessary, then runs one of the programs of this repository.
// `npm run bench -- apiserver --quick` runs bench/dist/apiserver.js; without a name, the first program of the table runs. It runs before
// anything is installed, so it may import nothing but Node.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The programs of each script: a name after `--` chooses one. */
const scripts = {
  bench: {
    engines: "bench/dist/run.js",
    admission: "bench/dist/admission.js",
    apiserver: "bench/dist/apiserver.js",
    capacity: "bench/dist/apiserver-capacity.js",
    certpolicy: "bench/dist/certpolicy.js",
    command: "bench/dist/command.js",
    crd: "bench/dist/crd.js",
    expressions: "bench/dist/expressions.js",
    hostile: "bench/dist/hostile.js",
    language: "bench/dist/language.js",
    mutation: "bench/dist/mutation.js",
    playground: "bench/dist/playground.js",
    prove: "bench/dist/prove.js",
    schema: "bench/dist/schema-typed.js",
    size: "bench/dist/size.js",
    storage: "bench/dist/storage.js",
    types: "bench/dist/types.js",
    webhook: "bench/dist/webhook.js",
  },
  catalogue: { catalogue: "scripts/catalogue.mjs" },
  differential: { expressions: "fuzz/dist/differential/main.js", yaml: "fuzz/dist/yaml/main.js" },
  docs: { docs: "scripts/docs.mjs" },
  faults: { campaigns: "faults/dist/main.js" },
  fuzz: { expressions: "fuzz/dist/main.js", proofs: "fuzz/dist/proofs/main.js" },
  programs: { programs: "conformance/programs/main.mjs" },
  nightly: { nightly: "scripts/nightly.mjs" },
  release: { release: "scripts/release/release.mjs" },
  stage: { stage: "scripts/stage.mjs" },
};

const [script, ...rest] = process.argv.slice(2);
const programs = scripts[script];
if (programs === undefined) {
  fail(`unknown script '${script ?? ""}'; there are: ${Object.keys(scripts).join(", ")}`);
}

const [first] = Object.keys(programs);
const several = Object.keys(programs).length > 1;
const named = several && rest[0] !== undefined && !rest[0].startsWith("-");
const name = named ? rest[0] : first;
if (programs[name] === undefined) {
  fail(`unknown program '${name}' of npm run ${script}; there are: ${Object.keys(programs).join(", ")}`);
}

run([`${root}scripts/setup.mjs`]);
run([`${root}${programs[name]}`, ...(named ? rest.slice(1) : rest)]);

function run(argv) {
  const { status, error } = spawnSync(process.execPath, argv, { stdio: "inherit" });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(`run: ${message}`);
  process.exit(2);
}
