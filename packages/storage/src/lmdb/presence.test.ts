import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshDirectory } from "./directory.testing.ts";
import { whileAbsent, whilePresent } from "./presence.ts";

const done = async (): Promise<string> => "done";

test("opening waits for a replacement, and a replacement gives way to open stores", async () => {
  const directory = freshDirectory();
  const order: string[] = [];
  await whilePresent(directory, async () => {
    expect(await whileAbsent(directory, done)).toBeUndefined();
  });
  let opening: Promise<unknown> | undefined;
  await whileAbsent(directory, async () => {
    opening = whilePresent(directory, async () => order.push("opened"));
    await new Promise((resolve) => setTimeout(resolve, 30));
    order.push("replaced");
  });
  await opening;
  expect(order).toEqual(["replaced", "opened"]);
});

// In a container the successor of a process that was killed has its id.
test.skipIf(process.platform !== "linux").each([process.pid, process.ppid])(
  "a mark of an earlier process with the id %i is removed",
  async (pid) => {
    const directory = freshDirectory();
    const marks = [`replacing-${pid}-0`, `present-${pid}-0`].map((name) => join(directory, name));
    for (const mark of marks) writeFileSync(mark, "another boot 1");
    expect(await whilePresent(directory, done)).toBe("done");
    expect(await whileAbsent(directory, done)).toBe("done");
    expect(marks.map((mark) => existsSync(mark))).toEqual([false, false]);
  },
);
