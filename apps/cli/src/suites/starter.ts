// A first suite for policies that have none: one case for each policy, on an object of the first kind it matches. What it expects
// is left to `--update`, which writes down what comes.

import { posix } from "node:path";
import { apiVersionOf, guessResource, type KubeObject, nameOf } from "@celadon/kube";
import { builtinResources } from "@celadon/kube/builtin";
import { type Manifest, roleOf } from "@celadon/simulator";
import { API_VERSION, SUITE_KIND } from "@celadon/testing";
import { stringify } from "yaml";
import { UsageError } from "../exit.ts";
import { badInput } from "../inputs.ts";
import type { Io } from "../io.ts";
import { loadManifests } from "../sources/index.ts";

export const EXAMPLE_SUITE = `apiVersion: ${API_VERSION}
kind: ${SUITE_KIND}
resources: [policy.yaml]
tests:
- name: images from elsewhere are refused
  object: pod.yaml
  expect: deny

celadon test --init policy.yaml writes one to begin with`;

/** The path of the suite that was written. */
export async function writeStarter(path: string, io: Io): Promise<string> {
  const { manifests, issues } = await loadManifests([path], { command: "celadon check -f -" }, io);
  if (issues.length > 0) throw badInput(issues, io);
  const isDirectory = (await io.files.kind(path)) === "directory";
  const directory = isDirectory ? path : posix.dirname(path);
  const file = posix.join(directory, "tests.yaml");
  if ((await io.files.kind(file)) !== undefined)
    throw new UsageError(`${file} is there already`, "remove it, or add to it");
  const tests = manifests.flatMap(({ object }) => starterTest(object, manifests));
  if (tests.length === 0) {
    throw new UsageError(
      `${path} has nothing to test`,
      "policies, CRDs, webhook configurations and certificate policies can be tested",
    );
  }
  const suite = {
    apiVersion: API_VERSION,
    kind: SUITE_KIND,
    resources: [isDirectory ? "." : posix.basename(path)],
    tests,
  };
  await io.files.write(file, stringify(suite, { version: "1.1", lineWidth: 0 }));
  return file;
}

type Test = Readonly<Record<string, unknown>>;

function starterTest(object: KubeObject, manifests: readonly Manifest[]): Test[] {
  const name = nameOf(object);
  const test = (subject: KubeObject): Test[] => [{ name: `${name} is asked`, policy: name, object: subject }];
  switch (roleOf(object)) {
    case "policy":
      return test(sample(firstRule((object.spec as Spec)?.matchConstraints?.resourceRules), manifests));
    case "webhooks":
      return test(
        sample(firstRule((object.webhooks as { rules?: readonly Rule[] }[] | undefined)?.[0]?.rules), manifests),
      );
    case "definition": {
      const { group, names, versions } = object.spec as {
        group: string;
        names: { kind: string };
        versions: { name: string }[];
      };
      return test(named(`${group}/${versions[0]?.name}`, names.kind));
    }
    case "certificatePolicy": {
      const spec = { request: "", issuerRef: { name: "ca" } };
      return test({ ...named("cert-manager.io/v1", "CertificateRequest"), spec });
    }
    default:
      return [];
  }
}

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
}

type Spec = { readonly matchConstraints?: { readonly resourceRules?: readonly Rule[] } } | undefined;

const firstRule = (rules: readonly Rule[] | undefined): Rule => rules?.[0] ?? {};

/** An object of the kind a rule means; a Pod where it means anything. */
function sample({ apiGroups = [], resources = [] }: Rule, manifests: readonly Manifest[]): KubeObject {
  const [group = ""] = apiGroups;
  const [resource = "pods"] = resources;
  const plain = resource.split("/")[0]!;
  const builtin = builtinResources().find((one) => one.resource === plain && (group === "*" || one.group === group));
  if (builtin !== undefined) return named(apiVersionOf(builtin), builtin.kind);
  const definition = manifests
    .filter(({ object }) => roleOf(object) === "definition")
    .map(
      ({ object }) =>
        object.spec as { group: string; names: { kind: string; plural?: string }; versions: { name: string }[] },
    )
    .find(({ names }) => (names.plural ?? guessResource(names.kind)) === plain);
  if (definition) return named(`${definition.group}/${definition.versions[0]?.name}`, definition.names.kind);
  return named("v1", "Pod");
}

function named(apiVersion: string, kind: string): KubeObject {
  return { apiVersion, kind, metadata: { name: "example" } };
}
