// The table and the picture of the packages in ARCHITECTURE.md, from their package.json and tsconfig.json:
// `node scripts/architecture.mjs` writes them between the marks, and a test compares them.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);
const PAGE = new URL("ARCHITECTURE.md", ROOT);
const START = "<!-- packages: written by scripts/architecture.mjs -->";
const END = "<!-- end of packages -->";

const readJson = (path) => JSON.parse(readFileSync(new URL(path, ROOT), "utf8"));

/** Every package and program, as their manifests describe them, those without imports first. */
function readPackages() {
  const paths = ["packages", "apps"].flatMap((parent) =>
    readdirSync(new URL(parent, ROOT)).map((name) => `${parent}/${name}`),
  );
  const all = [...paths, "conformance", "bench", "fuzz", "faults"].flatMap(readPackage);
  return inOrder(all);
}

function readPackage(path) {
  let manifest;
  try {
    manifest = readJson(`${path}/package.json`);
  } catch {
    return [];
  }
  const isLibrary = path.startsWith("packages/");
  const used = isLibrary ? manifest.dependencies : { ...manifest.dependencies, ...manifest.devDependencies };
  const names = Object.keys(used ?? {});
  return [
    {
      path,
      name: path.slice(path.lastIndexOf("/") + 1),
      description: manifest.description,
      imports: names.filter((name) => name.startsWith("@celadon/")).map((name) => name.slice("@celadon/".length)),
      libraries: isLibrary ? names.filter((name) => !name.startsWith("@celadon/")) : [],
      usesNode: isLibrary && readJson(`${path}/tsconfig.json`).compilerOptions.types?.includes("node") === true,
    },
  ];
}

/** Packages after those they import; where that leaves a choice, by path. */
function inOrder(packages) {
  const byName = new Map(packages.map((entry) => [entry.name, entry]));
  const ordered = new Set();
  const visit = (entry) => {
    if (ordered.has(entry)) return;
    for (const name of entry.imports.toSorted()) visit(byName.get(name));
    ordered.add(entry);
  };
  for (const entry of packages) visit(entry);
  return [...ordered];
}

/** Direct imports that no indirect one includes: enough for a picture. */
function directImports(entry, byName) {
  const indirect = new Set(entry.imports.flatMap((name) => [...reachable(byName.get(name), byName)]));
  return entry.imports.filter((name) => !indirect.has(name));
}

function reachable(entry, byName) {
  return new Set(entry.imports.flatMap((name) => [name, ...reachable(byName.get(name), byName)]));
}

function table(packages) {
  const libraries = packages.filter((entry) => entry.path.startsWith("packages/"));
  const rows = packages.map((entry) => {
    const ours = entry.imports.length === libraries.length ? "all packages" : entry.imports.toSorted().join(", ");
    const others = entry.libraries.length > 0 ? ` [${entry.libraries.join(", ")}]` : "";
    return `| \`${entry.path}/\` | ${entry.description}${entry.usesNode ? " (Node)" : ""} | ${ours}${others} |`;
  });
  return ["| directory | what it is | imports |", "| --- | --- | --- |", ...rows].join("\n");
}

function picture(packages) {
  const libraries = packages.filter((entry) => entry.path.startsWith("packages/"));
  const byName = new Map(packages.map((entry) => [entry.name, entry]));
  const lines = libraries.flatMap((entry) => {
    const targets = directImports(entry, byName).toSorted();
    return targets.length === 0 ? [`  ${entry.name}`] : targets.map((name) => `  ${entry.name} --> ${name}`);
  });
  return ["```mermaid", "graph BT", ...lines, "```"].join("\n");
}

/** ARCHITECTURE.md as it should be. */
export function architecturePage() {
  const text = readFileSync(PAGE, "utf8");
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start === -1 || end === -1) throw new Error(`ARCHITECTURE.md lacks the mark ${start === -1 ? START : END}`);
  const packages = readPackages();
  return `${text.slice(0, start)}${START}\n${table(packages)}\n\n${picture(packages)}\n${text.slice(end)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(PAGE, architecturePage());
  console.log("written: ARCHITECTURE.md");
}
