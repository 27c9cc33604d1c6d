// Archives that are the same whenever and wherever they are made: entries in order, without owners and times.

import { gzipSync } from "node:zlib";

const BLOCK = 512;

/** `files` are bytes by path; `executables` are the paths that may be run. */
export function tgz(files, executables = new Set()) {
  return gzipSync(tar(files, executables), { level: 6 });
}

export function tar(files, executables = new Set()) {
  const parts = [];
  for (const path of [...files.keys()].sort()) {
    const bytes = Buffer.from(files.get(path));
    parts.push(header(path, bytes.length, executables.has(path) ? 0o755 : 0o644), bytes);
    parts.push(Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK));
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function header(path, size, mode) {
  const { prefix, name } = split(path);
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(0, 11), 136);
  block.fill(" ", 148, 156);
  block.write("0", 156);
  block.write("ustar\u000000", 257);
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

const octal = (value, digits) => value.toString(8).padStart(digits, "0");

/** A path of up to 255 bytes stands in two fields, cut at a slash. */
function split(path) {
  if (Buffer.byteLength(path) <= 100) return { prefix: "", name: path };
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return { prefix, name };
  }
  throw new Error(`the path is too long for an archive: ${path}`);
}
