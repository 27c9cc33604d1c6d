// The start of the single executable: Node with the command's package inside. The package is unpacked once into a directory of the user, named
// by its contents, and runs from there as if npm had installed it: threads, the embedded store and compiled code are files.
// scripts/release/executable.mjs puts this file and the package into Node.

const { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { homedir, tmpdir } = require("node:os");
const { basename, dirname, join } = require("node:path");
const { getAsset, getRawAsset } = require("node:sea");
const { pathToFileURL } = require("node:url");
const { brotliDecompressSync } = require("node:zlib");

const { version, digest, start, whole, up } = JSON.parse(getAsset("package.json", "utf8"));
const { env } = process;
const argv = process.argv.slice(2);
// kubectl asks for completion by this name of the executable.
if (basename(process.argv0).startsWith("kubectl_complete-")) argv.unshift("completion", "words", "--");

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  process.stdout.write(`celadon ${version}\n`);
} else {
  // There is no script for processes that the command starts: they run the executable itself.
  process.argv[1] = "";
  const directory = unpackedDirectory();
  const { startCompiled } = createRequire(join(directory, "celadon"))(`./${start}`);
  const file = pathToFileURL(join(directory, argv[0] === "up" ? up : whole));
  const word = /^[a-z]+$/.test(argv[0] ?? "") ? argv[0] : "help";
  startCompiled(file, word, process, argv);
}

function unpackedDirectory() {
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "celadon");
  const directory = join(cache, `executable-${digest}`);
  if (isOwn(directory)) return directory;
  const beside = `${directory}.${process.pid}.new`;
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    unpackInto(beside);
    try {
      renameSync(beside, directory);
    } catch {
      rmSync(beside, { recursive: true, force: true }); // another process was first
    }
    if (isOwn(directory)) return directory;
  } catch {
    rmSync(beside, { recursive: true, force: true });
  }
  return temporaryDirectory();
}

/** Without a cache to write to, every run unpacks for itself. */
function temporaryDirectory() {
  try {
    const directory = mkdtempSync(join(tmpdir(), "celadon-"));
    process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
    unpackInto(directory);
    return directory;
  } catch (error) {
    process.stderr.write(
      `celadon: cannot unpack itself: ${error.message}\n  help: set XDG_CACHE_HOME to a directory that can be written\n`,
    );
    process.exit(2);
  }
}

/** Code that others wrote there would run with the user's rights. */
function isOwn(directory) {
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return false;
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
}

function unpackInto(directory) {
  const bytes = brotliDecompressSync(Buffer.from(getRawAsset("package.br")));
  const length = bytes.readUInt32LE(0);
  const files = JSON.parse(bytes.toString("utf8", 4, 4 + length));
  let at = 4 + length;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const [path, size] of files) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, bytes.subarray(at, at + size), { mode: 0o600 });
    at += size;
  }
}
