// The policies of the corpus with their bindings, CRDs and params, a group for each directory. Nothing without the corpus.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Manifest, readManifests } from "@celadon/simulator/manifests";

const POLICIES = `${process.env.CELADON_CORPUS ?? fileURLToPath(new URL("../../../../shared/corpus", import.meta.url))}/policies`;

export const hasCorpus = (): boolean => existsSync(POLICIES);

const KINDS: ReadonlySet<unknown> = new Set([
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "CustomResourceDefinition",
]);

/** The set-up of every directory that has a policy. */
export function realPolicies(): readonly (readonly Manifest[])[] {
  return hasCorpus()
    ? directories(POLICIES)
        .map((directory) => manifestsOf(directory).filter(({ object }) => KINDS.has(object.kind)))
        .filter((group) => group.some(({ object }) => object.kind === "ValidatingAdmissionPolicy"))
    : [];
}

function manifestsOf(directory: string): Manifest[] {
  return readdirSync(directory)
    .filter((name) => /\.ya?ml$/.test(name))
    .flatMap((name) => [...readManifests(readFileSync(`${directory}/${name}`, "utf8"), name).manifests]);
}

function directories(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = `${directory}/${name}`;
    return statSync(path).isDirectory() ? [path, ...directories(path)] : [];
  });
}
