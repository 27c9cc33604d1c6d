// npm run release -- [directory] [--verify] [--only NAME]: makes everything that a release consists of below a directory, `release/` by default,
// with checksums and a bill of materials. Nothing is published. With --verify it is made twice, which must give the same bytes, and every
// artifact is tried as its users would.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { siteFiles } from "../site/build.mjs";
import { root } from "../sources.mjs";
import { publishedPackages, stagePackage } from "../stage-package.mjs";
import { executableOf, platform } from "./executable.mjs";
import { krewManifest } from "./krew.mjs";
import { packagesIn, sbomOf } from "./sbom.mjs";
import { tgz } from "./tar.mjs";
import { tryArtifacts } from "./try.mjs";

const { values, positionals } = parseArgs({
  options: { verify: { type: "boolean", default: false }, only: { type: "string", multiple: true, default: [] } },
  allowPositionals: true,
});
const out = positionals[0] ?? "release";
const { version } = JSON.parse(readFileSync(join(root, "apps/cli/package.json"), "utf8"));
const license = readFileSync(join(root, "LICENSE"));
const cli = stagePackage("apps/cli");
const notices = cli.get("dist/bundle/NOTICES.txt");

/** Makers of the artifacts by kind; each returns files by path. */
const MAKERS = {
  npm: () =>
    publishedPackages().map((path) => {
      const files = path === "apps/cli" ? cli : stagePackage(path);
      const bins = Object.values(JSON.parse(files.get("package.json")).bin ?? {}).map((file) => file.replace("./", ""));
      const inside = new Map([...files].map(([file, bytes]) => [`package/${file}`, bytes]));
      return [
        `npm/celadon-${basename(path)}-${version}.tgz`,
        tgz(inside, new Set(bins.map((file) => `package/${file}`))),
      ];
    }),
  executable: () => {
    const name = platform.os === "windows" ? "celadon.exe" : "celadon";
    const files = new Map([
      [name, executableOf(cli, version)],
      ["LICENSE", license],
      ["NOTICES.txt", notices],
    ]);
    const file = `celadon-v${version}-${platform.os}-${platform.arch}.tar.gz`;
    const bytes = tgz(files, new Set([name]));
    const krew = krewManifest({ version, archives: [{ ...platform, file, sha256: sha256(bytes) }] });
    return [
      [`executable/${file}`, bytes],
      ["krew/celadon.yaml", Buffer.from(krew)],
    ];
  },
  vscode: () => {
    run(process.execPath, [join(root, "apps/vscode/build.mjs")]);
    return [[`vscode/celadon-${version}.vsix`, readFileSync(join(root, "apps/vscode/dist/celadon.vsix"))]];
  },
  chart: () =>
    inTemporaryDirectory((directory) => {
      run(process.execPath, [join(root, "apps/cli/bin/celadon.mjs"), "manifests", "chart", directory, "--quiet"]);
      const files = new Map(
        [...below(directory), ["LICENSE", license]].map(([path, bytes]) => [`celadon/${path}`, bytes]),
      );
      return [[`chart/celadon-${version}.tgz`, tgz(files)]];
    }),
  container: () =>
    inTemporaryDirectory((directory) => {
      run(process.execPath, [join(root, "scripts/bundle-image.mjs"), join(directory, "celadon.mjs")]);
      const files = new Map([...below(directory), ["LICENSE", license]]);
      return [
        [`container/rootfs-${version}.tar.gz`, tgz(files)],
        ["container/Dockerfile", readFileSync(join(root, "Dockerfile"))],
      ];
    }),
  site: () => {
    const site = below(join(root, "apps/cli/dist/site")).filter(([path]) => !path.endsWith(".br"));
    return [[`site/celadon-site-${version}.tgz`, tgz(new Map([...site, ...siteFiles()]))]];
  },
};

const names = values.only.length > 0 ? values.only : Object.keys(MAKERS);
for (const name of names) {
  if (MAKERS[name] === undefined) {
    console.error(`release: unknown artifact '${name}'; there are: ${Object.keys(MAKERS).join(", ")}`);
    process.exit(2);
  }
}

const files = make(true);
if (values.verify) {
  const again = make(false);
  const differ = [...files].filter(([path, bytes]) => !bytes.equals(again.get(path) ?? Buffer.alloc(0)));
  if (differ.length > 0) throw new Error(`not reproducible: ${differ.map(([path]) => path).join(", ")}`);
  console.log(`made twice: the same ${files.size} files`);
}
rmSync(out, { recursive: true, force: true });
for (const [path, bytes] of files) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), bytes);
}
console.log(`${out}/: ${files.size} files, digests in ${join(out, "SHA256SUMS")}`);
if (values.verify) await tryArtifacts(out, { version, names });

function make(isShown) {
  const made = new Map();
  for (const name of names) {
    const started = performance.now();
    for (const [path, bytes] of MAKERS[name]()) {
      made.set(path, bytes);
      if (isShown) console.log(`${path}  ${(bytes.length / 1e6).toFixed(2)} MB`);
    }
    if (isShown) console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
  const inCommand = [...packagesIn(String(notices)), ["lmdb", installedVersion("lmdb")]];
  const inPage = packagesIn(String(cli.get("dist/site/NOTICES.txt") ?? cli.get("dist/site/notices.txt") ?? ""));
  made.set(
    "sbom.cdx.json",
    Buffer.from(
      sbomOf({
        root,
        version,
        contained: new Map([
          ["command", inCommand],
          ["playground", inPage],
        ]),
      }),
    ),
  );
  const sums = [...made].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, bytes]) => `${sha256(bytes)}  ${path}\n`);
  made.set("SHA256SUMS", Buffer.from(sums.join("")));
  return made;
}

function installedVersion(name) {
  return JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;
}

function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

function below(directory) {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return paths.map((entry) => {
    const file = join(entry.parentPath, entry.name);
    return [file.slice(directory.length).replaceAll("\\", "/").replace(/^\//, ""), readFileSync(file)];
  });
}

function inTemporaryDirectory(make) {
  const directory = mkdtempSync(join(tmpdir(), "celadon-release-"));
  try {
    return make(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function run(program, args) {
  const { status, stderr } = spawnSync(program, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}
