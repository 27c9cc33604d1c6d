// Links for what fails: they hold the work, and no secret.

import { inflateRawSync } from "node:zlib";
import { decodeWork, type Work } from "@celadon/language/playground";
import { expect, test } from "vitest";
import { paintOf } from "../output/paint.ts";
import { wholeText } from "../output/pieces.ts";
import { EXIT } from "../program/exit.ts";
import { withLinks } from "./links.ts";

const ANSWER = {
  results: [],
  document: { kind: "TestReport" },
  text: () => "FAIL\n",
  table: { columns: [], rows: [] },
  exit: EXIT.failed,
};
const POD = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: { containers: [{ name: "web", env: [{ name: "DB_PASSWORD", value: "hunter2" }] }] },
};

test("the object without its secrets, behind the address that was given", async () => {
  const failed = [{ name: "suite/case", asked: { manifests: [], object: POD, request: { user: "ann" } } }];
  const { document, text } = await withLinks(ANSWER, "https://example.com/play/", failed);
  const [link] = document.playground as { name: string; url: string; masked: string[] }[];
  expect(link).toMatchObject({ name: "suite/case", masked: ["Pod web spec.containers.0.env.0.value"] });
  const [address, fragment = ""] = link!.url.split("#");
  expect(address).toBe("https://example.com/play/");
  const work = (await decodeWork(fragment, (bytes) => inflateRawSync(bytes))) as Work;
  expect(work).toMatchObject({ mode: "validating", request: { user: "ann" } });
  expect(work.object).toContain("value: masked");
  expect(work.object).not.toContain("hunter2");
  expect(wholeText(text(paintOf(false)))).toBe(
    `FAIL\n\nin the playground\n  suite/case\n    ${link!.url}\n    masked: ${link!.masked[0]}\n`,
  );
});

test("a large object has no link, and only the first of very many have one", async () => {
  const noise = Array.from({ length: 20_000 }, (_, i) => (i * 2_654_435_761).toString(36)).join(" ");
  const large = { ...POD, metadata: { name: "web", annotations: { noise } } };
  const failed = Array.from({ length: 22 }, (_, i) => ({
    name: `case ${i}`,
    asked: { manifests: [], object: i === 0 ? large : POD },
  }));
  const { document, text } = await withLinks(ANSWER, "https://example.com/", failed);
  const links = document.playground as { url?: string }[];
  expect(links).toHaveLength(20);
  expect(links[0]).not.toHaveProperty("url");
  expect(wholeText(text(paintOf(false)))).toMatch(/case 0\n {4}too large for a link\n[\s\S]*and 2 more\n$/);
});

test("without failures no link is added", async () => {
  expect(await withLinks(ANSWER, "https://example.com/", [])).toBe(ANSWER);
});
