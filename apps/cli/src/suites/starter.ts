// A first suite for policies without one: objects that each policy allows and denies, with their params and namespaces. If none can be
// generated, one case on an object of the first kind it matches; `--update` then fills in the expected result.

import { posix } from "node:path";
import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import type { WebhookConfiguration } from "@celadon/admission/webhook";
import { pushAll } from "@celadon/base";
import type { CustomResourceDefinition } from "@celadon/crd";
import { apiVersionOf, type KubeObject, nameOf } from "@celadon/kube";
import { builtinResources } from "@celadon/kube/builtin";
import { SimulatedCluster } from "@celadon/simulator";
import { type Role, roleOf } from "@celadon/simulator/manifests";
import { API_VERSION, SUITE_KIND } from "@celadon/testing";
import { starterCases } from "@celadon/testing/mutate";
import { badInput } from "../inputs/inputs.ts";
import { toYaml } from "../output/format/yaml.ts";
import { writeFile } from "../output/write.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { loadManifests } from "../sources/index.ts";
import { sampleBody } from "./sample-body.ts";

export const EXAMPLE_SUITE: string = `apiVersion: ${API_VERSION}
kind: ${SUITE_KIND}
resources: [policy.yaml]
tests:
- name: images from elsewhere are denied
  object: pod.yaml
  expect: deny

celadon test --init policy.yaml writes one to begin with`;

/** A suite that was written: its path, and whether cases are left without an expected result. */
export interface Starter {
  readonly file: string;
  readonly isIncomplete: boolean;
}

/** Writes a starter suite next to the policies. */
export async function writeStarter(path: string, io: Io): Promise<Starter> {
  const { manifests, issues } = await loadManifests([path], { command: "celadon check -f -" }, io);
  if (issues.length > 0) throw badInput(issues, io);
  const isDirectory = (await io.files.kind(path)) === "directory";
  const directory = isDirectory ? path : posix.dirname(path);
  const file = posix.join(directory, "tests.yaml");
  if ((await io.files.kind(file)) !== undefined)
    throw new UsageError(`${file} already exists`, "remove it, or add cases to it");
  const simulated = SimulatedCluster.of(manifests);
  for (const { object } of manifests) {
    const message = simulated.rejection(object)?.message;
    if (message !== undefined)
      throw new UsageError(`an API server would reject it: ${message}`, "`celadon lint -f` shows where");
  }
  const tests: (Test | Generated)[] = [];
  for (const manifest of manifests) {
    const generated = GENERATED.has(roleOf(manifest.object)) ? await starterCases(manifests, manifest) : [];
    pushAll(tests, generated.length > 0 ? generated : starterTest(manifest.object, simulated));
  }
  if (tests.length === 0) {
    throw new UsageError(
      `nothing to test in ${path}`,
      "name a file with policies, CRDs, webhook configurations or certificate policies",
    );
  }
  const suite = {
    apiVersion: API_VERSION,
    kind: SUITE_KIND,
    resources: [isDirectory ? "." : posix.basename(path)],
    tests,
  };
  await writeFile(file, toYaml(suite), io);
  return { file, isIncomplete: tests.some((test) => !("expect" in test)) };
}

type Test = Readonly<Record<string, unknown>>;

type Generated = Awaited<ReturnType<typeof starterCases>>[number];

/** Roles of resources for which objects can be generated. */
const GENERATED: ReadonlySet<Role> = new Set<Role>(["policy", "definition"]);

/** A starter test for a resource that the simulated cluster has accepted, so that its shape is correct. */
function starterTest(object: KubeObject, simulated: SimulatedCluster): Test[] {
  const name = nameOf(object);
  const resource = simulated.accepted(object)?.resource;
  const test = (subject: KubeObject): Test[] => [{ name: `an object for ${name}`, policy: name, object: subject }];
  switch (roleOf(object)) {
    case "policy": {
      const { spec } = resource as ValidatingAdmissionPolicy;
      return test(sample(spec.matchConstraints?.resourceRules?.[0], simulated));
    }
    case "webhooks":
      return test(sample((resource as WebhookConfiguration).webhooks?.[0]?.rules?.[0], simulated));
    case "definition":
      return test(customObject(resource as CustomResourceDefinition));
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
  readonly resources?: readonly string[];
}

/** An object of the kind a rule means; a Pod where it means anything. */
function sample({ apiGroups = [], resources = [] }: Rule = {}, simulated: SimulatedCluster): KubeObject {
  const [group = ""] = apiGroups;
  const resource = (resources[0] ?? "pods").split("/")[0]!;
  const builtin = builtinResources().find(
    (builtinResource) => builtinResource.resource === resource && (group === "*" || builtinResource.group === group),
  );
  if (builtin !== undefined) return builtinObject(apiVersionOf(builtin), builtin.kind);
  const definitions = simulated.manifests("definition").map(({ object }) => simulated.inForce(object));
  const definition = (definitions as (CustomResourceDefinition | undefined)[]).find(
    (customResourceDefinition) => customResourceDefinition?.spec.names.plural === resource,
  );
  return definition === undefined ? builtinObject("v1", "Pod") : customObject(definition);
}

function customObject({ spec }: CustomResourceDefinition): KubeObject {
  return named(`${spec.group}/${spec.versions?.[0]?.name}`, spec.names.kind ?? "");
}

function builtinObject(apiVersion: string, kind: string): KubeObject {
  return { ...named(apiVersion, kind), ...sampleBody(apiVersion, kind) };
}

function named(apiVersion: string, kind: string): KubeObject {
  return { apiVersion, kind, metadata: { name: "example" } };
}
