// A file of code that stays compiled between runs: what V8 has compiled is kept in a directory that nobody but the user can write to.
// Why: docs/decisions/0024-the-command-stays-compiled.md.

import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

export interface CompiledCode<Exports> {
  readonly exports: Exports;
  /** Keeps what V8 has compiled by now for the next run. */
  readonly keep: () => void;
}

/** The file is a module for `require`, in ASCII, and has another name when its content is another. What is kept has a name too. */
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
  const source = `(function (exports, require, module, __filename) {${readFileSync(path, "latin1")}\n})`;
  const script = new Script(source, { filename: path, ...(cachedData && { cachedData }) });
  const loaded = { exports: {} as Exports };
  script.runInThisContext()(loaded.exports, createRequire(file), loaded, path);
  let isKept = kept === undefined || script.cachedDataRejected === false;
  const keep = (): void => {
    if (!isKept) kept?.write(script.createCachedData());
    isKept = true;
  };
  return { exports: loaded.exports, keep };
}

/** A file: the name of the source, then what V8 made of it. V8 takes that back in the same version, with the same flags. */
class KeptCode {
  readonly #directory: string;
  readonly #path: string;
  readonly #source: Buffer;

  constructor(directory: string, name: string, source: string) {
    this.#directory = directory;
    this.#path = join(directory, `${name}-${process.version}-${process.arch}`);
    this.#source = Buffer.from(`${source}\n`);
  }

  read(): Buffer | undefined {
    try {
      if (!isOwn(this.#directory)) return undefined;
      const content = readFileSync(this.#path);
      const { length } = this.#source;
      return content.subarray(0, length).equals(this.#source) ? content.subarray(length) : undefined;
    } catch {
      return undefined; // the first time
    }
  }

  /** Where nothing can be written, the next run takes as long as this one. */
  write(code: Buffer): void {
    const beside = `${this.#path}.${process.pid}.new`;
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      if (!isOwn(this.#directory)) return;
      writeFileSync(beside, Buffer.concat([this.#source, code]), { mode: 0o600, flush: true });
      renameSync(beside, this.#path);
    } catch {}
  }
}

/** What others wrote there would run with the user's rights. */
function isOwn(directory: string): boolean {
  const { uid, mode } = statSync(directory);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
