// A file of code that stays compiled between runs: what V8 has compiled is kept in a directory that only the user can write to.
// Why: docs/decisions/0024-the-command-stays-compiled.md.

import { closeSync, fstatSync, openSync, readFileSync, renameSync, type Stats, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { makeDirectory } from "@celadon/storage/directory";

export interface CompiledCode<Exports> {
  readonly exports: Exports;
  /** Keeps what V8 has compiled by now for the next run. */
  readonly keep: () => void;
}

/**
 * The file is a function of `exports`, `require`, `module` and `__filename`, in ASCII, and has another name when its content is another.
 * The kept code has a name too.
 */
export function loadCompiled<Exports>(
  file: URL,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): CompiledCode<Exports> {
  const path = fileURLToPath(file);
  const kept = env.NODE_DISABLE_COMPILE_CACHE
    ? undefined
    : new KeptCode(join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "celadon"), name, basename(path));
  const cachedData = kept?.read();
  const script = new Script(readFileSync(path, "latin1"), { filename: path, ...(cachedData && { cachedData }) });
  const loaded = { exports: {} as Exports };
  script.runInThisContext()(loaded.exports, createRequire(file), loaded, path);
  let isKept = kept === undefined || script.cachedDataRejected === false;
  const keep = (): void => {
    if (!isKept) kept?.write(script.createCachedData());
    isKept = true;
  };
  return { exports: loaded.exports, keep };
}

/**
 * A file: a line with the name of the source and a checksum, then what V8 made of it. V8 takes that back in the same version, with the same flags;
 * it does not look whether the code is whole.
 */
class KeptCode {
  readonly #directory: string;
  readonly #path: string;
  readonly #source: string;

  constructor(directory: string, name: string, source: string) {
    this.#directory = directory;
    this.#path = join(directory, `${name}-${process.version}-${process.arch}`);
    this.#source = source;
  }

  read(): Buffer | undefined {
    try {
      if (!isOwn(statSync(this.#directory))) return undefined;
      const content = readOwn(this.#path);
      const start = content.indexOf("\n") + 1;
      const code = content.subarray(start);
      return content.subarray(0, start).equals(this.#heading(code)) ? code : undefined;
    } catch {
      return undefined; // the first time
    }
  }

  /** Without a place to write, the next run takes as long as this one. */
  write(code: Buffer): void {
    const beside = `${this.#path}.${process.pid}.new`;
    try {
      makeDirectory(this.#directory);
      if (!isOwn(statSync(this.#directory))) return;
      writeFileSync(beside, Buffer.concat([this.#heading(code), code]), { mode: 0o600, flush: true });
      renameSync(beside, this.#path);
    } catch {}
  }

  #heading(code: Buffer): Buffer {
    return Buffer.from(`${this.#source} ${crc32(code)}\n`);
  }
}

function readOwn(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    if (!isOwn(fstatSync(file))) throw new Error(`${path} is not the user's`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Code that others wrote there would run with the user's rights. */
function isOwn({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
