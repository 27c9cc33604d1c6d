// docs/reference/catalogue.md, from the catalogue and the last figures of `npm run catalogue`.

import type { CatalogueEntry } from "./catalogue.ts";

/** apps/cli/testdata/catalogue.json. */
export interface CatalogueFigures {
  readonly policies: Readonly<
    Record<string, { readonly changes: number; readonly detected: number; readonly digest: string }>
  >;
  readonly podSecurity: {
    readonly version: string;
    readonly allowed: number;
    readonly denied: number;
    readonly differences: readonly string[];
  };
}

const ABOUT: Readonly<Record<string, string>> = {
  images: "Where images come from, and whether they are the same tomorrow.",
  labels: "Labels that people and tools rely on.",
  namespaces: "Namespaces themselves, and what does not belong into some of them.",
  network: "Ingresses and services: what is reachable, under which names.",
  "pod-security-baseline": "The baseline pod security standard, one policy for each of its controls.",
  "pod-security-restricted":
    "The additions of the restricted pod security standard; use them together with `pod-security-baseline`.",
  rbac: "Roles, bindings and shells. The API server's own roles are left alone.",
  resources: "Memory, processors and storage.",
  workloads: "How workloads run, start, scale and end.",
};

export function cataloguePage(
  catalogue: readonly CatalogueEntry[],
  { policies, podSecurity }: CatalogueFigures,
  versions: string,
): string {
  const categories = [...new Set(catalogue.map(({ category }) => category))];
  const changes = Object.values(policies).reduce((sum, policy) => sum + policy.changes, 0);
  return `# Catalogue

<!-- Written by \`npm run docs\`. -->

\`celadon init\` lists these ${catalogue.length} policies, and \`celadon init NAME…\` writes some of them, by the names of policies or categories, to files
that are yours from then on. Each is a ValidatingAdmissionPolicy with its binding and a test suite, often with a ConfigMap for what is yours to
choose. All are accepted by Kubernetes ${versions} and cost less than 1% of the API server's budget, even for objects with forty
containers or hosts, or a hundred rules. Their suites detect every one of ${changes} changes that [mutation testing](mutation.md) makes to them.

The pod security policies agree with the standards' own tests: of the pods of version ${podSecurity.version.replace(/^v/, "")}, they allow the ${podSecurity.allowed} that the standards allow
and deny the ${podSecurity.denied} that they deny.

Policies for pods and workloads leave the namespace \`kube-system\` alone. Change the binding to narrow them further, or to warn first:
\`validationActions: [Warn, Audit]\`. [\`celadon autogen\`](autogen.md) derives policies for workloads from those for pods.

${categories.map((category) => section(category, catalogue)).join("\n")}`;
}

function section(category: string, catalogue: readonly CatalogueEntry[]): string {
  const rows = catalogue
    .filter((entry) => entry.category === category)
    .map(({ name, title, description, files }) => {
      const params = paramKeys(files.get("params.yaml")).map((key) => `\`${key}\``);
      return `| \`${name}\` | **${title}.** ${description} | ${params.join(", ")} |\n`;
    });
  return `## ${category}

${ABOUT[category] ?? ""}

| policy | | params |
| --- | --- | --- |
${rows.join("")}`;
}

function paramKeys(text = ""): readonly string[] {
  return [...text.slice(text.indexOf("\ndata:")).matchAll(/^ {2}([\w-]+):/gm)].map(([, key]) => key!);
}
