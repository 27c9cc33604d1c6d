// Suites of `gator verify`. Each assertion of a case becomes a case of its own, as each has to hold.

import type { Operation } from "@celadon/admission";
import { type JsonPath, pushAll } from "@celadon/base";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Expectation } from "../../suite/read/document.ts";
import type { SuiteSource } from "../../suite/read/read-suite.ts";
import type { Case } from "../../suite/suite.ts";
import { get, isFields, listAt, textAt, textsAt } from "../foreign.ts";
import { asManifest, type DocumentLoader, Importing, type ImportReading, nameFromFile } from "../imported.ts";
import { convertTemplate, isConstraint, isTemplate } from "../policies/gatekeeper.ts";

export async function importGator({ value, origin }: SuiteSource, loader: DocumentLoader): Promise<ImportReading> {
  const into = new Importing({ value, origin }, loader);
  for (const [i, test] of listAt(value, "tests").entries())
    await importTest(test, ["tests", i], get(value, "skip") === true, into);
  return into.done("gator", textAt(value, "metadata", "name") ?? nameFromFile(origin.file));
}

async function importTest(test: unknown, path: JsonPath, skipped: boolean, into: Importing): Promise<void> {
  const setUp = await setUpOf(test, skipped, into);
  for (const [i, testCase] of listAt(test, "cases").entries()) {
    const at = [...path, "cases", i];
    const name = [textAt(test, "name") ?? `test ${path[1]}`, textAt(testCase, "name") ?? `case ${i}`].join("/");
    const request = setUp.reason === undefined ? await requestOf(testCase, into) : setUp.reason;
    const resources = typeof request === "string" ? [] : await inventory(testCase, into);
    for (const [j, assertion] of listAt(testCase, "assertions").entries()) {
      const place = [...at, "assertions", j];
      const expect = expectationOf(assertion, setUp.action ?? "deny");
      const reason =
        get(testCase, "skip") === true ? "the suite skips it" : typeof request === "string" ? request : undefined;
      if (reason !== undefined || typeof request === "string") into.skip({ name, path: place }, reason ?? "");
      else if (typeof expect === "string") into.skip({ name, path: place, ...request }, expect);
      else {
        const about = {
          policies: [setUp.policy ?? ""],
          bindings: [setUp.binding ?? ""],
          resources: [...setUp.resources, ...resources],
        };
        const said = { expected: assertionText(assertion), because: BECAUSE };
        into.add(
          { name, path: place, ...request, ...about, serverDefaults: false, serverValidation: true, expect },
          said,
        );
      }
    }
  }
}

const BECAUSE: Readonly<Record<string, string>> = {
  unmatched: "gator also reports no violations when the constraint does not match",
  error: "gator counts an expression that fails as a violation",
};

interface SetUp {
  /** Why no case can be run. */
  readonly reason?: string;
  readonly policy?: string;
  readonly binding?: string;
  readonly action?: "deny" | "warn" | "audit";
  readonly resources: readonly Manifest[];
}

/** Template and constraint. Tests of a suite may bind one template in several ways: each has its binding for itself. */
async function setUpOf(test: unknown, skipped: boolean, into: Importing): Promise<SetUp> {
  const none = (reason: string): SetUp => ({ reason, resources: [] });
  if (skipped || get(test, "skip") === true) return none("the suite skips it");
  if (get(test, "invalid") === true) return none("it tests a constraint that Gatekeeper rejects");
  if (textAt(test, "expansion")) return none("API servers have no expansions");
  const [template] = (await load(textAt(test, "template"), into)).filter(({ object }) => isTemplate(object));
  const [constraint] = (await load(textAt(test, "constraint"), into)).filter(({ object }) => isConstraint(object));
  if (template === undefined) return none("the template is missing");
  if (constraint === undefined) return none("the constraint is missing");
  const { policies, problems } = convertTemplate(template.object, [constraint.object]);
  into.convert(
    {
      policies: policies.filter(
        ({ policy }) => !into.policies.some((convertedPolicy) => nameOf(convertedPolicy.policy) === nameOf(policy)),
      ),
      problems,
    },
    template.origin!,
  );
  const [made] = policies;
  if (made === undefined) return none(problems[0]!.message);
  const actions = made.bindings[0]!.spec.validationActions ?? [];
  const objects = [made.policy, ...made.bindings, ...made.params] as readonly KubeObject[];
  return {
    policy: nameOf(made.policy),
    binding: nameOf(made.bindings[0]),
    action: actions.includes("Deny") ? "deny" : actions.includes("Warn") ? "warn" : "audit",
    resources: objects.map((object) => ({ object })),
  };
}

async function load(path: string | undefined, into: Importing): Promise<readonly Manifest[]> {
  const documents = path === undefined || path === "" ? [] : await into.load([path]);
  return documents.filter(({ value }) => isFields(value)).map(asManifest);
}

/** Reads the objects of the inventory that expressions can see: namespaces. */
async function inventory(value: unknown, into: Importing): Promise<readonly Manifest[]> {
  const found: Manifest[] = [];
  for (const path of textsAt(value, "inventory")) pushAll(found, await load(path, into));
  return found.filter(({ object }) => object.kind === "Namespace" && object.apiVersion === "v1");
}

type Request = Pick<Case, "object" | "operation"> & Partial<Pick<Case, "oldObject" | "user" | "namespace">>;

/** Or why it cannot be built. */
async function requestOf(value: unknown, into: Importing): Promise<Request | string> {
  const objects = await load(textAt(value, "object"), into);
  const [object] = objects;
  if (object === undefined || objects.length !== 1) return `the object's file has ${objects.length} objects`;
  if (object.object.kind !== "AdmissionReview") return { object, operation: "CREATE" };
  const request = get(object.object, "request");
  const operation = (textAt(request, "operation") ?? "CREATE") as Operation;
  const part = (key: string): Manifest | undefined => {
    const found = get(request, key);
    return isFields(found) ? { object: found as KubeObject } : undefined;
  };
  const [fresh, old] = [part("object"), part("oldObject")];
  const userInfo = get(request, "userInfo");
  const namespace = textAt(request, "namespace");
  // A review may omit the old object; an API server never does.
  const before = operation === "UPDATE" ? (old ?? fresh) : operation === "DELETE" ? (old ?? fresh) : undefined;
  if ((fresh ?? before) === undefined) return "the AdmissionReview has no object";
  return {
    operation,
    ...(operation !== "DELETE" && fresh && { object: fresh }),
    ...(before && { oldObject: before }),
    ...(isFields(userInfo) && { user: userInfo as NonNullable<Case["user"]> }),
    ...(namespace !== undefined && { namespace }),
  };
}

const violationsOf = (assertion: unknown): unknown => {
  const said = get(assertion, "violations");
  if (said === undefined || said === null) return "yes";
  // Unquoted, yes and no are booleans to readers of YAML 1.1.
  return said === true ? "yes" : said === false ? "no" : said;
};

function assertionText(assertion: unknown): string {
  const message = textAt(assertion, "message");
  return `violations ${String(violationsOf(assertion))}${message === undefined ? "" : ` matching ${message}`}`;
}

/** Or why it cannot be converted. */
function expectationOf(assertion: unknown, verdict: "deny" | "warn" | "audit"): Expectation | string {
  const violations = violationsOf(assertion);
  const message = textAt(assertion, "message");
  const none = violations === "no" || violations === 0;
  if (none) return message === undefined ? { verdict: "allow" } : "the absence of a message cannot be expected";
  if (violations !== "yes" && typeof violations !== "number") return `violations is ${JSON.stringify(violations)}`;
  return {
    verdict,
    ...(message !== undefined && { message: { matches: message }, anyFailure: true }),
    ...(typeof violations === "number" && message === undefined && { failures: violations }),
  };
}
