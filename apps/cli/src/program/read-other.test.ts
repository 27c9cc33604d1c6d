import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOther } from "./read-other.ts";

describe.skipIf(process.platform === "win32")("pipes and devices", () => {
  let pipe = "";
  beforeAll(() => {
    pipe = join(mkdtempSync(join(tmpdir(), "celadon-")), "pipe");
    execFileSync("mkfifo", [pipe]);
  });
  afterAll(() => rmSync(join(pipe, ".."), { recursive: true }));

  const read = async (path: string, limit: number, wait: (turn: number) => void): Promise<string> => {
    let turn = 0;
    const bytes = await readOther(path, statSync(path), limit, () => Promise.resolve(wait(turn++)));
    return new TextDecoder().decode(bytes);
  };
  const openWriter = (): number => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);

  test("a pipe is read until its writer closes it, however long that takes", async () => {
    let writer = -1;
    const turns: Record<number, () => void> = {
      3: () => (writer = openWriter()),
      1000: () => writeSync(writer, "a: "),
      2000: () => writeSync(writer, "1\n"),
      3000: () => closeSync(writer),
    };
    expect(await read(pipe, 100, (turn) => turns[turn]?.())).toBe("a: 1\n");
  });

  test("a pipe that nothing writes to is an error", async () => {
    let turns = 0;
    await expect(read(pipe, 100, () => void turns++)).rejects.toMatchObject({ code: "EPIPE" });
    expect(turns).toBe(400); // of 5 ms
  });

  test("what does not end is an error", async () => {
    await expect(read("/dev/zero", 1_000_000, () => {})).rejects.toMatchObject({ code: "EFBIG" });
    expect(await read("/dev/null", 1_000_000, () => {})).toBe("");
  });
});
