// The store in memory: the contract, expiry by a clock of the test's own, and no Node.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { storageContract } from "../contract/contract.testing.ts";
import { bytes, shown } from "../contract/texts.testing.ts";
import { openMemory } from "./index.ts";

storageContract("memory", { open: async () => openMemory() });

test("keys expire when the clock says so, in the second they are due", async () => {
  let now = 10_300;
  const timers: { at: number; call: () => void }[] = [];
  const clock = {
    now: () => now,
    after: (ms: number, call: () => void) => {
      const timer = { at: now + ms, call };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  const advance = (to: number): void => {
    for (;;) {
      const next = timers.filter(({ at }) => at <= to).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      timers.splice(timers.indexOf(next), 1);
      now = next.at;
      next.call();
    }
    now = to;
  };
  const store = openMemory({ clock });
  const write = (key: string, ttl: number) => store.write([{ op: "put", key, value: bytes("v"), ttl }]);
  await write("/long", 100);
  await write("/short", 5);
  await write("/again", 5);
  advance(14_000);
  await write("/again", 5);
  advance(15_999);
  expect((await store.list("/")).entries).toHaveLength(3);
  advance(16_000);
  expect(shown((await store.list("/")).entries)).toEqual(["/again=v", "/long=v"]);
  advance(19_000);
  expect(shown((await store.list("/")).entries)).toEqual(["/long=v"]);
  advance(200_000);
  expect((await store.list("/")).entries).toEqual([]);
  expect(timers).toEqual([]);
  await store.close();
});

test("nothing of Node is imported", async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL("./index.ts", import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "esm",
    external: ["node:*"],
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.filter(({ external }) => external));
  expect(imports).toEqual([]);
});
