// Files that are dropped or chosen are read as text, or not at all.

import { expect, test } from "vitest";
import { readFiles } from "./import-files.ts";

const POD = "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n";

test("text, with line ends of one kind", async () => {
  const file = new File([POD.replaceAll("\n", "\r\n")], "pod.yaml");
  expect(await readFiles([file])).toEqual({ sources: [{ name: "pod.yaml", text: POD }], problems: [] });
});

test("a signing request in DER becomes PEM", async () => {
  const { sources } = await readFiles([new File([new Uint8Array([0x30, 0x03, 0x02, 0x01, 0x01])], "web.der")]);
  expect(sources[0]!.text).toBe("-----BEGIN CERTIFICATE REQUEST-----\nMAMCAQE=\n-----END CERTIFICATE REQUEST-----\n");
});

// biome-ignore format: one case per line
test.each([
  { name: "photo.png",  bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { name: "wide.yaml",  bytes: [0xff, 0xfe, 0x61, 0x00] },
  { name: "zeros.yaml", bytes: [0x61, 0x00] },
])("$name is no text", async ({ name, bytes }) => {
  const file = new File([new Uint8Array(bytes)], name);
  const read = await readFiles([file, new File([POD], "pod.yaml")]);
  expect(read).toEqual({ sources: [{ name: "pod.yaml", text: POD }], problems: [`${name} is not a text file`] });
});
