// The single executable: the Node that runs this, with the command's package inside, in Node's own format.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

/** Node looks for this text to know whether it has a program inside. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** The names of platforms in archives and in manifests for Krew. */
export const platform = {
  os: { linux: "linux", darwin: "darwin", win32: "windows" }[process.platform] ?? process.platform,
  arch: { x64: "amd64", arm64: "arm64" }[process.arch] ?? process.arch,
};

/** The bytes of the executable; `packaged` are the files of the command's package. */
export function executableOf(packaged, version) {
  const files = new Map([...payloadOf(packaged), ...nativeStore()]);
  const names = [...files.keys()].sort();
  const index = Buffer.from(JSON.stringify(names.map((name) => [name, files.get(name).length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(index.length);
  const bytes = Buffer.concat([length, index, ...names.map((name) => files.get(name))]);
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const only = (pattern) => {
    const found = names.filter((name) => pattern.test(name));
    if (found.length !== 1)
      throw new Error(`${found.length} files for ${pattern}; remove apps/cli/dist/bundle and build again`);
    return found[0];
  };
  const manifest = {
    version,
    digest,
    start: only(/^dist\/bundle\/shared\/start-compiled-\w+\.cjs$/),
    whole: only(/^dist\/bundle\/shared\/celadon-\w+\.cjs$/),
    up: only(/^dist\/bundle\/shared\/up-\w+\.cjs$/),
  };
  const directory = mkdtempSync(join(tmpdir(), "celadon-executable-"));
  try {
    const file = (name) => join(directory, name);
    writeFileSync(file("package.json"), JSON.stringify(manifest));
    const quality = {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(file("package.br"), brotliCompressSync(bytes, { params: quality }));
    const assets = { "package.json": file("package.json"), "package.br": file("package.br") };
    const main = fileURLToPath(new URL("executable-start.cjs", import.meta.url));
    writeFileSync(
      file("sea.json"),
      JSON.stringify({ main, output: file("blob"), disableExperimentalSEAWarning: true, assets }),
    );
    run(process.execPath, ["--experimental-sea-config", file("sea.json")], directory);
    copyFileSync(process.execPath, file("celadon"));
    chmodSync(file("celadon"), 0o755);
    // The symbols of Node are a tenth of it. Without the program, it stays as it is.
    if (process.platform === "linux") spawnSync("strip", [file("celadon")], { stdio: "ignore" });
    const macho = process.platform === "darwin" ? ["--macho-segment-name", "NODE_SEA"] : [];
    const postject = createRequire(import.meta.url).resolve("postject/dist/cli.js");
    run(
      process.execPath,
      [postject, file("celadon"), "NODE_SEA_BLOB", file("blob"), "--sentinel-fuse", FUSE, ...macho],
      directory,
    );
    return readFileSync(file("celadon"));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The playground's compressed copies save time where a server answers many. */
function payloadOf(packaged) {
  return [...packaged].filter(([path]) => !path.endsWith(".br") && !path.startsWith("bin/") && !path.endsWith(".md"));
}

/** The embedded store's native code for this platform, where `require.resolve` finds it. */
function nativeStore() {
  const require = createRequire(import.meta.url);
  const lmdb = dirname(dirname(require.resolve("lmdb")));
  const name = `@lmdb/lmdb-${process.platform}-${process.arch}`;
  const native = join(lmdb, "..", name);
  const files = new Map([
    ["node_modules/lmdb/package.json", readFileSync(join(lmdb, "package.json"))],
    ["node_modules/lmdb/LICENSE", readFileSync(join(lmdb, "LICENSE"))],
    ["node_modules/lmdb/dist/index.cjs", Buffer.from("// Its code is in the bundle.\n")],
  ]);
  if (!existsSync(native)) return files;
  const glibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  const isForThis = (file) =>
    !file.endsWith(".node") ||
    (file.startsWith(`node.abi${process.versions.modules}.`) &&
      (process.platform !== "linux" || file.includes(glibc ? ".glibc." : ".musl.")));
  for (const file of readdirSync(native)) {
    if (isForThis(file) && /\.(?:node|js|json)$/.test(file))
      files.set(`node_modules/${name}/${file}`, readFileSync(join(native, file)));
  }
  return files;
}

function run(program, args, cwd) {
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}
