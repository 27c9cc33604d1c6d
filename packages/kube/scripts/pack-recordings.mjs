// Writes src/validation/testdata/: recorded requests and the API server's answers, one file per kind, smaller than they were recorded.
//
//   node packages/kube/scripts/pack-recordings.mjs <folder with bases.json and <kind>.jsonl>
//
// Causes become [reason, field, message]. A message that is made of its causes is left out but for its start, in `invalid`.
// The kind of a file stands in its first line.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const target = new URL("../src/validation/testdata/", import.meta.url);
mkdirSync(target, { recursive: true });
copyFileSync(join(folder, "bases.json"), new URL("bases.json", target));
for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
  const rows = readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean).map(JSON.parse);
  const { apiVersion, kind } = rows[0];
  const lines = rows.map((row) => packed(row, { apiVersion, kind }));
  writeFileSync(
    new URL(file, target),
    `${[{ apiVersion, kind }, ...lines].map((line) => JSON.stringify(line)).join("\n")}\n`,
  );
}

function packed(row, file) {
  const { apiVersion, kind, message, causes, reason, ...rest } = row;
  const known = apiVersion === file.apiVersion && kind === file.kind ? {} : { apiVersion, kind };
  const list = causes?.map((cause) => [cause.reason, cause.field, cause.message]);
  const texts = [...new Set((causes ?? []).map((cause) => `${cause.field}: ${cause.message}`))];
  const made = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const end = ` is invalid: ${made}`;
  if (reason === "Invalid" && message?.endsWith(end)) {
    return { ...known, ...rest, invalid: message.slice(0, -end.length), causes: list };
  }
  return {
    ...known,
    ...rest,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
    ...(list === undefined ? {} : { causes: list }),
  };
}
