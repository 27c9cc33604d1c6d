// Reads anything but files and directories. A pipe (`<(kubectl get pods -o yaml)`) is read to its end; if nobody has it open for writing, a
// read would wait for ever. A device may never end, so there is a limit.

import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** The time that a script that starts both ends of a pipe may take for the other one. */
const WRITER_MS = 2_000;
const POLL_MS = 5;
const CHUNK = 64 * 1024;

/** Rejects with EPIPE for a pipe without a writer, and with EFBIG beyond `limit` bytes. */
export async function readOther(
  path: string,
  kind: Stats,
  limit: number,
  wait: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<Uint8Array> {
  // Opened otherwise, a pipe waits for a writer.
  const file = await open(path, constants.O_RDONLY | (kind.isFIFO() ? constants.O_NONBLOCK : 0));
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    let waited = 0;
    let isWritten = !kind.isFIFO();
    for (;;) {
      const chunk = await readChunk(file);
      isWritten ||= chunk === undefined || chunk.length > 0;
      if (chunk === undefined || !isWritten) {
        if (!isWritten && waited >= WRITER_MS) throw coded("EPIPE", "nothing writes to the pipe", path);
        waited += POLL_MS;
        await wait(POLL_MS);
      } else if (chunk.length === 0) {
        return Buffer.concat(chunks, size);
      } else {
        chunks.push(chunk);
        size += chunk.length;
        if (size > limit) throw coded("EFBIG", "too large", path);
      }
    }
  } finally {
    await file.close();
  }
}

/** Empty at the end, and while a pipe has no writer; undefined while its writers have nothing. */
async function readChunk(file: FileHandle): Promise<Buffer | undefined> {
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw error;
  }
}

function coded(code: string, message: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${message}, read '${path}'`), { code });
}
