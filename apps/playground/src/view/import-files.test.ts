// Files that are dropped or chosen: into the panes they belong to, or not at all.

import { expect, test } from "vitest";
import { FIRST_WORK } from "../examples/first.ts";
import { importFiles } from "./import-files.ts";

const POD = "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n";

test("objects and policies go into their panes", async () => {
  const files = [new File([POD.replaceAll("\n", "\r\n")], "pod.yaml"), new File(["object.a"], "rule.cel")];
  expect(await importFiles(files.slice(0, 1), FIRST_WORK)).toEqual({
    work: { ...FIRST_WORK, object: POD, oldObject: "" },
    problems: [],
  });
  expect((await importFiles(files.slice(1), FIRST_WORK)).work).toMatchObject({ mode: "cel", policy: "object.a" });
});

// biome-ignore format: one case per line
test.each([
  { name: "photo.png",  bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { name: "wide.yaml",  bytes: [0xff, 0xfe, 0x61, 0x00] },
  { name: "zeros.yaml", bytes: [0x61, 0x00] },
])("$name is no text", async ({ name, bytes }) => {
  const file = new File([new Uint8Array(bytes)], name);
  const { work, problems } = await importFiles([file], FIRST_WORK);
  expect(work).toBe(FIRST_WORK);
  expect(problems).toEqual([`${name} is not a text file`]);
  const both = await importFiles([file, new File([POD], "pod.yaml")], FIRST_WORK);
  expect(both.work.object).toBe(POD);
});
