// The pages of docs/reference/libraries/ as text, from the libraries' own tables. The packages are arguments, so that the pages
// can be made from sources (in tests) and from the build (`npm run docs`).

/** By the export's name: the title of the page, and the purpose of the library. Every library has an entry here. */
// biome-ignore format: a table
const PAGES = {
  standardLibrary:    { page: "standard",       about: "The standard functions: in every environment, unless it has `standard: false`." },
  numericComparisons: { page: "numeric",        about: "`<`, `<=`, `>`, `>=` between int, uint and double, for the checker. Dynamic values can always be compared so." },
  optionalLibrary:    { page: "optional",       about: "Optional values: `a.?b`, `a[?0]`, `[?x]`, `{?\"k\": x}`, `Message{?field: x}`, and functions for them." },
  stringsLibrary:     { page: "strings",        about: "Strings: search, replace, split, join, format, quote." },
  mathLibrary:        { page: "math",           about: "Greatest and least, rounding, signs, bits, square root." },
  listsLibrary:       { page: "lists",          about: "Slices, ranges, sorting, flattening." },
  setsLibrary:        { page: "sets",           about: "Lists as sets." },
  encodersLibrary:    { page: "encoders",       about: "Base64." },
  regexLibrary:       { page: "regex",          about: "Extract and replace by RE2 patterns. `matches` is in the standard library." },
  bindingsLibrary:    { page: "bindings",       about: "Local variables: `cel.bind(name, value, expression)`." },
  blockLibrary:       { page: "block",          about: "`cel.block`, the notation of the specification's tests for optimised expressions." },
  twoVariableLibrary: { page: "comprehensions", about: "Comprehensions over index and element, or key and value." },
  protosLibrary:      { page: "protos",         about: "Extension fields of protobuf messages." },
  networkLibrary:     { page: "network",        about: "IP addresses and ranges." },
};

/** The same for the libraries that only Kubernetes has. `version` is the one it has. */
// biome-ignore format: a table
const KUBERNETES_PAGES = {
  listsLibrary:          { page: "kubernetes-lists",           about: "Order, sums and positions in lists." },
  regexLibrary:          { page: "kubernetes-regex",           about: "Find matches of patterns in strings." },
  urlsLibrary:           { page: "kubernetes-urls",            about: "URLs and their parts." },
  ipLibrary:             { page: "kubernetes-ip",              about: "IP addresses." },
  cidrLibrary:           { page: "kubernetes-cidr",            about: "Ranges of IP addresses." },
  quantityLibrary:       { page: "kubernetes-quantity",        about: "Quantities: `10Mi`, `500m`." },
  formatLibrary:         { page: "kubernetes-format",          about: "Named string formats, and validation against them." },
  semverLibrary:         { page: "kubernetes-semver",          about: "Semantic versions." },
  authzLibrary:          { page: "kubernetes-authz",           about: "Permission checks, with the variable `authorizer`." },
  authzSelectorsLibrary: { page: "kubernetes-authz-selectors", about: "Permission checks with field and label selectors." },
  jsonPatchLibrary:      { page: "kubernetes-jsonpatch",       about: "Escaping of keys in JSON pointers, for patches of mutating policies." },
  kubeStringsLibrary:    { page: "kubernetes-strings",         about: "The strings library with Kubernetes' version and costs.", version: 2 },
};

/**
 * Texts by file name. `cel` and `lib` are the entries `@celadon/cel` and `@celadon/cel/lib`, `kube` and `kubeLib` are
 * `@celadon/kube-cel` and its `/library`.
 */
export function libraryPages(cel, lib, kube, kubeLib) {
  const { describeLibrary } = cel;
  const common = entriesOf(PAGES, lib, "@celadon/cel/lib", describeLibrary);
  const kubernetes = entriesOf(KUBERNETES_PAGES, kubeLib, "@celadon/kube-cel/library", describeLibrary).map(
    (entry) => ({
      ...entry,
      // The rows are in the order of minors: the first has the oldest version of the library.
      minor: kube.BASE_OPTIONS.find(({ libraries }) =>
        libraries?.some(({ name }) => name === entry.loaded.library.name),
      )?.since,
    }),
  );
  const pages = new Map([["README.md", index(common, kubernetes)]]);
  for (const entry of [...common, ...kubernetes]) pages.set(`${entry.page}.md`, pageOf(entry, cel));
  return pages;
}

function entriesOf(pages, exported, from, describeLibrary) {
  for (const name of Object.keys(exported)) {
    if (name.endsWith("Library") && !(name in pages)) throw new Error(`scripts/library-pages.mjs: no page for ${name}`);
  }
  return Object.entries(pages).map(([name, { version, ...entry }]) => {
    const make = exported[name];
    const call = typeof make !== "function" ? name : `${name}(${version ?? ""})`;
    return { ...entry, name, call, from, loaded: loaded(make, version, describeLibrary) };
  });
}

function index(common, kubernetes) {
  const row = ({ page, call, about, loaded: { library } }) => [
    `[${page}](${page}.md)`,
    `\`${call}\``,
    about,
    library.name,
  ];
  return `# Function libraries

Generated from the libraries' tables by \`npm run docs\`; do not edit. Pass libraries to \`createEnv({ libraries: […] })\`; they are
exports of \`@celadon/cel/lib\`. A library with several versions is a function: without an argument it returns the newest.

${table(["library", "export", "what it is for", "registered as"], common.map(row))}

## Kubernetes

Kubernetes' own libraries are exports of \`@celadon/kube-cel/library\`. \`kubeEnv\` of \`@celadon/kube-cel\` makes the environment of an
API server of a given Kubernetes version.

${table(
  ["library", "export", "what it is for", "registered as", "since Kubernetes"],
  kubernetes.map((entry) => [...row(entry), minorText(entry)]),
)}

## Costs

Costs are for a call at run time, without its arguments. The size of a string is its number of code points, of bytes, lists and maps the
number of bytes, elements and entries; of anything else it is 1. See [costs](../costs.md) for how they add up.
`;
}

/** `1.0` stands for always: 1.23 was the first minor that knew CEL. */
const minorText = ({ minor }) => (minor === undefined ? "in no base environment" : minor === "1.0" ? "1.23" : minor);

function pageOf(entry, { createEnv, describe, describeLibrary }) {
  const { name, about, from } = entry;
  const { library, since } = entry.loaded;
  const { functions, macros } = describeLibrary(library);
  const versions = new Set(since.values()).size > 1;
  const version =
    library.version === undefined
      ? ""
      : ` ${from === "@celadon/cel/lib" ? "Newest version" : "Version"}: ${library.version}.`;
  const minor = !("minor" in entry) || entry.minor === undefined ? "" : ` Since Kubernetes ${minorText(entry)}.`;
  const types = (library.types ?? []).map((type) => `\`${type.name}\``);
  const own = name === "standardLibrary" ? describe(createEnv()).macros : macros;
  const head = (first) => [first, "result", "cost", "overload", ...(versions ? ["since version"] : [])];
  const rowOf = ({ call, result, cost, id }) => [
    `\`${call}\``,
    `\`${result}\``,
    cost ?? "by size",
    `\`${id}\``,
    ...(versions ? [since.get(id)] : []),
  ];
  const operators = functions.filter(({ operator }) => operator).map(rowOf);
  const others = functions.filter(({ operator }) => !operator).map(rowOf);
  const macroRows = own.map(({ call }) => [`\`${call}\``, ...(versions ? [since.get(call)] : [])]);
  const sections = [
    `# ${library.name}`,
    `${about} Export: \`${name}\` of \`${from}\`.${version}${minor}`,
    types.length === 0 ? undefined : `Types: ${types.join(", ")}.`,
    macroRows.length === 0
      ? undefined
      : `## Macros\n\n${table(["macro", ...(versions ? ["since version"] : [])], macroRows)}`,
    operators.length === 0 ? undefined : `## Operators\n\n${table(head("operator"), operators)}`,
    others.length === 0 ? undefined : `## Functions\n\n${table(head("function"), others)}`,
    "Generated by `npm run docs`; do not edit.",
  ];
  return `${sections.filter((section) => section !== undefined).join("\n\n")}\n`;
}

/** A library in a version, the newest unless one is given, and for each overload and macro the version that brought it. */
function loaded(make, newest, describeLibrary) {
  if (typeof make !== "function") return { library: make, since: new Map() };
  const library = make(newest);
  const since = new Map();
  if (library.version === undefined) return { library, since };
  for (let version = library.version; version >= 0; version--) {
    const { functions, macros } = describeLibrary(make(version));
    for (const { id } of functions) since.set(id, version);
    for (const { call } of macros) since.set(call, version);
  }
  return { library, since };
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
