// Writes docs/reference/libraries.md from the libraries' own tables. `--check` writes nothing and fails when the file is stale.

import { readFileSync, writeFileSync } from "node:fs";
import * as lib from "@celadon/cel/lib";

const target = new URL("../docs/reference/libraries.md", import.meta.url);

// biome-ignore format: as written, by name
const OPERATORS = {
  "!_": "!", "-_": "-", "_+_": "+", "_-_": "-", "_*_": "*", "_/_": "/", "_%_": "%", "_==_": "==", "_!=_": "!=",
  "_<_": "<", "_<=_": "<=", "_>_": ">", "_>=_": ">=", "_&&_": "&&", "_||_": "||", "@in": "in",
};

const text = page(
  Object.entries(lib)
    .filter(([name]) => name.endsWith("Library"))
    .map(([name, value]) =>
      typeof value === "function" ? versioned(name, value) : { name, library: value, since: undefined },
    ),
);
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== text) {
    console.error("docs/reference/libraries.md is not what the tables say: run npm run docs");
    process.exit(1);
  }
} else {
  writeFileSync(target, text);
  console.log("written: docs/reference/libraries.md");
}

/** A library published in versions: its newest form, and for each function the version that brought it. */
function versioned(name, make) {
  const library = make();
  const since = new Map();
  for (let version = library.version; version >= 0; version--) {
    for (const entry of entriesOf(make(version))) since.set(entry.key, version);
  }
  return { name, library, since };
}

function entriesOf({ overloads, macros = [] }) {
  return [
    ...macros.map((macro) => ({ key: `macro ${macroSignature(macro)}`, macro })),
    ...overloads.map((row) => ({ key: row.id, row })),
  ];
}

function page(libraries) {
  const order = (entry) => (entry.library.name === "cel.lib.std" ? "" : entry.library.name);
  const sorted = libraries.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  return `# Function libraries

Generated from the tables in \`packages/cel/src/lib/\` by \`npm run docs\`. Cost is that of the call itself, its arguments
apart; "by size" grows with the sizes of the arguments as cel-go counts it.

${sorted.map(({ library }) => `- [${library.name}](#${anchor(library.name)})`).join("\n")}

${sorted.map(section).join("\n")}`;
}

function section({ name, library, since }) {
  const entries = entriesOf(library);
  const versions = since !== undefined && new Set(since.values()).size > 1;
  const head = ["function", "overload", "cost", ...(versions ? ["since version"] : [])];
  const rows = entries.map((entry) => [
    entry.row === undefined ? `\`${macroSignature(entry.macro)}\`` : `\`${signature(entry.row)}\``,
    entry.row === undefined ? "macro" : `\`${entry.row.id}\``,
    entry.row === undefined ? "" : (entry.row.cost.fixed ?? "by size"),
    ...(versions ? [since.get(entry.key)] : []),
  ]);
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");
  const version = library.version === undefined ? "" : `, version ${library.version}`;
  const types = (library.types ?? []).map((type) => `\`${type.name}\``);
  return `## ${library.name}

\`${name}\`${version}.${types.length === 0 ? "" : ` Types: ${types.join(", ")}.`}

${table}
`;
}

function cell(value) {
  return String(value).replaceAll("|", "\\|");
}

function anchor(name) {
  return name.toLowerCase().replaceAll(/[^a-z0-9_-]/g, "");
}

function signature({ name, member, args, result }) {
  const types = args.map(String);
  const operator = OPERATORS[name];
  if (name === "_[_]") return `${types[0]}[${types[1]}] → ${result}`;
  if (name === "_[?_]") return `${types[0]}[?${types[1]}] → ${result}`;
  if (name === "_?._") return `${types[0]}.?field → ${result}`;
  if (name === "_?_:_") return `${types[0]} ? ${types[1]} : ${types[2]} → ${result}`;
  if (operator !== undefined && types.length === 1) return `${operator}${types[0]} → ${result}`;
  if (operator !== undefined) return `${types[0]} ${operator} ${types[1]} → ${result}`;
  if (member) return `${types[0]}.${name}(${types.slice(1).join(", ")}) → ${result}`;
  return `${name}(${types.join(", ")}) → ${result}`;
}

function macroSignature({ name, arity, receiver }) {
  const args = arity === undefined ? "…" : Array.from({ length: arity }, (_, i) => `arg${i + 1}`).join(", ");
  return `${receiver ? "target." : ""}${name}(${args})`;
}
