// The tools of `celadon mcp`: what an assistant may ask, and the command line that answers. Every value becomes the value of a flag or stands
// behind `--`, so that none is read as a flag.

export interface Property {
  readonly type: "string" | "boolean" | "array";
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: "string" };
}

export interface Invocation {
  readonly argv: readonly string[];
  readonly stdin: string;
}

/** Checked values by the names of a tool's properties. */
export type Input = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
  invocation(input: Input): Invocation;
}

const text = (description: string): Property => ({ type: "string", description });
const texts = (description: string): Property => ({ type: "array", items: { type: "string" }, description });
const toggle = (description: string): Property => ({ type: "boolean", description });

const MANIFESTS = text(
  "YAML or JSON documents, separated by ---: policies, bindings, params, CRDs, namespaces, roles, objects",
);
const PATHS = texts("files or directories with manifests, below the allowed directories");
const VERSION = text("Kubernetes version to emulate, such as 1.30; by default the newest");
const VERSIONS = text("Kubernetes versions, such as 1.30..1.37 or 1.30,1.33; by default the newest");
const FORMAT: Property = {
  type: "string",
  enum: ["text", "json"],
  description: "text for reading, json for the whole document; by default text",
};
const REQUEST = {
  user: text("user who sends the requests; by default an administrator"),
  groups: texts("groups of the user"),
  operation: {
    type: "string",
    enum: ["CREATE", "UPDATE", "DELETE", "CONNECT"],
    description: "by default CREATE",
  },
  subresource: text("such as status or ephemeralcontainers"),
  namespace: text("namespace of objects without one; by default default"),
} satisfies Record<string, Property>;

const SOURCES = { manifests: MANIFESTS, paths: PATHS } as const;

/** The flags of properties that are passed on as they are. */
const FLAGS: Readonly<Record<string, string>> = {
  user: "as",
  groups: "as-group",
  operation: "operation",
  subresource: "subresource",
  namespace: "namespace",
  kubeVersion: "kube-version",
  kubeVersions: "kube-version",
  policies: "policy",
  run: "run",
  format: "output",
};

function flagsOf(input: Input): readonly string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    const flag = FLAGS[name];
    return flag === undefined ? [] : [value].flat().map((one) => `--${flag}=${one}`);
  });
}

/** Manifests on standard input, files by -f. */
function overSources(command: string, more: (input: Input) => readonly string[] = () => []): Tool["invocation"] {
  return (input) => {
    const { manifests, paths = [] } = input as { manifests?: string; paths?: readonly string[] };
    const inputs = [...(manifests === undefined ? [] : ["-"]), ...paths];
    const files = inputs.map((path) => `--filename=${path}`);
    return { argv: [command, ...files, ...flagsOf(input), ...more(input)], stdin: manifests ?? "" };
  };
}

export const TOOLS: readonly Tool[] = [
  {
    name: "check",
    title: "Check objects",
    description:
      "Shows how an API server would answer each object: schemas, CRD rules, policies with their bindings and params, and which webhooks it would call. Give the policies and the objects together.",
    properties: { ...SOURCES, ...REQUEST, kubeVersion: VERSION, format: FORMAT },
    required: [],
    invocation: overSources("check"),
  },
  {
    name: "explain",
    title: "Explain a verdict",
    description:
      "Shows why an object is denied, allowed or ignored: every expression with the values of its parts, or the rule, selector or condition that did not match.",
    properties: {
      ...SOURCES,
      objects: texts("only these objects, as KIND/NAME"),
      policies: texts("only these policies"),
      ...REQUEST,
      kubeVersion: VERSION,
      format: FORMAT,
    },
    required: [],
    invocation: overSources("explain", ({ objects = [] }) => ["--", ...(objects as readonly string[])]),
  },
  {
    name: "test",
    title: "Run test suites",
    description:
      "Runs test suites (kind TestSuite, see the resource celadon://reference/test-format.md). With mutation, changes the policies in every way that matters and lists the changes that no case detects, each with a case that would.",
    properties: {
      paths: texts("suites, or directories with suites"),
      run: text("only cases whose suite/case name matches this regular expression"),
      mutation: toggle("also run mutation testing"),
      coverage: toggle("also show which parts of expressions no case covers"),
      kubeVersions: text(
        "Kubernetes versions to run every case with, such as 1.33..1.37; by default those of the suites",
      ),
      format: FORMAT,
    },
    required: ["paths"],
    invocation: (input) => ({
      argv: [
        "test",
        ...flagsOf(input),
        ...(input.mutation === true ? ["--mutate", "--mutate-time=30", "--mutate-threads=1"] : []),
        ...(input.coverage === true ? ["--coverage"] : []),
        "--",
        ...(input.paths as readonly string[]),
      ],
      stdin: "",
    }),
  },
  {
    name: "lint",
    title: "Find mistakes",
    description:
      "Finds mistakes in policies, bindings, webhooks and CRDs, with their places and what to do about them.",
    properties: { ...SOURCES, kubeVersions: VERSIONS, format: FORMAT },
    required: [],
    invocation: overSources("lint"),
  },
  {
    name: "cost",
    title: "Show costs",
    description:
      "Shows estimated costs of expressions against the API server's limits, and measured ones if there are objects that the policies match.",
    properties: { ...SOURCES, kubeVersions: VERSIONS, format: FORMAT },
    required: [],
    invocation: overSources("cost"),
  },
  {
    name: "prove",
    title: "Prove what a policy does",
    description:
      "Answers for all objects at once: can a policy fail with an error, are there validations that always or never hold, or that repeat others. A counterexample is an object that the real engine has evaluated.",
    properties: { ...SOURCES, format: FORMAT },
    required: [],
    invocation: overSources("prove", () => ["--all"]),
  },
  {
    name: "mutate",
    title: "Show mutated objects",
    description:
      "Prints objects as they would be stored, after defaults and mutating policies, with the changes of each policy.",
    properties: { ...SOURCES, ...REQUEST, kubeVersion: VERSION, format: FORMAT },
    required: [],
    invocation: overSources("mutate"),
  },
  {
    name: "eval",
    title: "Evaluate an expression",
    description: "Evaluates a CEL expression as a policy would: value, type and cost.",
    properties: {
      expression: text("the expression"),
      object: text("the variable object, as YAML or JSON"),
      kubeVersion: VERSION,
      format: FORMAT,
    },
    required: ["expression"],
    invocation: (input) => ({
      argv: [
        "eval",
        ...(input.object === undefined ? [] : ["--object=-"]),
        ...flagsOf(input),
        "--",
        String(input.expression),
      ],
      stdin: String(input.object ?? ""),
    }),
  },
  {
    name: "catalogue",
    title: "List everyday policies",
    description:
      "Lists ready policies with tests: pod security, images, resources, workloads, labels, namespaces, network, RBAC. `celadon init NAME` writes them to files.",
    properties: {},
    required: [],
    invocation: () => ({ argv: ["init"], stdin: "" }),
  },
];

/** The checked input of a tool, or a message about its first mistake. */
export function inputOf(tool: Tool, given: Readonly<Record<string, unknown>>): Input | string {
  for (const name of tool.required) if (given[name] === undefined) return `${name} is required`;
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(tool.properties, name) ? tool.properties[name] : undefined;
    if (property === undefined)
      return `unknown property "${name}"; there are: ${Object.keys(tool.properties).join(", ")}`;
    const problem = problemOf(value, property);
    if (problem !== undefined) return `${name} must be ${problem}`;
  }
  const isWithoutSources = "manifests" in tool.properties && given.manifests === undefined && given.paths === undefined;
  return isWithoutSources ? "give manifests, paths or both" : (given as Input);
}

function problemOf(value: unknown, { type, enum: words }: Property): string | undefined {
  if (type === "array") {
    const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
    return isList ? undefined : "a list of strings";
  }
  if (typeof value !== type) return `a ${type}`;
  return words !== undefined && !words.includes(String(value)) ? `one of ${words.join(", ")}` : undefined;
}
