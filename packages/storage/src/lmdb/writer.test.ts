import { expect, test } from "vitest";
import { codeOf } from "../contract/texts.testing.ts";
import { freshDirectory } from "./directory.testing.ts";
import type { Table } from "./environment.ts";
import { openDirectory } from "./open.ts";
import { Writer } from "./writer.ts";

test("every write is answered when a record cannot be read", async () => {
  const directory = freshDirectory();
  const { environment, disown } = await openDirectory(directory);
  const live = Object.create(environment.tables.live, {
    getBinaryFast: {
      value: () => {
        throw new RangeError("a damaged record");
      },
    },
  }) as Table;
  const writer = new Writer({
    directory,
    environment: () => ({ ...environment, tables: { ...environment.tables, live } }),
    now: () => 0,
    minFreeBytes: 0,
    watched: () => false,
    publish: () => undefined,
    expiryChanged: () => undefined,
  });
  const writes = ["/a", "/b", "/c"].map((key) => writer.write([{ op: "put", key, value: new Uint8Array(1) }]));
  expect(await Promise.all(writes.map(codeOf))).toEqual(["unavailable", "unavailable", "unavailable"]);
  await writer.close();
  await environment.root.close();
  await disown();
});
