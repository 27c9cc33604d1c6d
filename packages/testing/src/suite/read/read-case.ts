// One case from its layers: the suite's defaults, the test, the entry of its cases. A later layer wins; resources and the
// authorizer's answers add up, patches are applied one after the other.

import type { UserInfo } from "@celadon/admission";
import type { AuthorizerOverride, DeclaredAnswers } from "@celadon/admission/memory";
import { isRecord, type JsonPath, pushAll } from "@celadon/base";
import { isError } from "@celadon/cel";
import { compileRegex } from "@celadon/cel/regex";
import { type KubeObject, namespaceOf } from "@celadon/kube";
import { isInvalid } from "@celadon/kube/errors";
import { impersonated } from "@celadon/simulator";
import { type Manifest, type Origin, roleOf } from "@celadon/simulator/manifests";
import { issueAt, placeOf, type SuiteIssue } from "../issue.ts";
import { patched } from "../patch.ts";
import type { References } from "../references.ts";
import { type Case, expectationOf } from "../suite.ts";
import { fieldText } from "./check-shape.ts";
import type { CaseText, Expectation, ExpectedText, Patch, ProofText, Situation, Source } from "./document.ts";

export interface Layer {
  readonly text: CaseText;
  readonly path: JsonPath;
}

/** The fields of a case with `prove`. */
const PROOF_FIELDS: ReadonlySet<string> = new Set([
  "name",
  "prove",
  "cases",
  "policy",
  "binding",
  "params",
  "resources",
]);

interface Placed<T> {
  readonly value: T;
  readonly path: JsonPath;
}

export class CaseReader {
  readonly issues: SuiteIssue[] = [];
  readonly #origin: Origin;
  readonly #references: References;
  readonly #defaults: Situation;
  readonly #reported = new Set<string>();
  readonly #objects = new Map<string, Promise<Manifest | undefined>>();
  readonly #lists = new Map<string, Promise<readonly Manifest[]>>();

  constructor(origin: Origin, references: References, defaults: Situation) {
    this.#origin = origin;
    this.#references = references;
    this.#defaults = defaults;
  }

  async read(own: readonly Layer[]): Promise<Case> {
    const path = own.at(-1)!.path;
    const layers: readonly { text: Situation & Partial<CaseText>; path: JsonPath }[] = [
      { text: this.#defaults, path: ["defaults"] },
      ...own,
    ];
    const last = <K extends keyof CaseText>(key: K): Placed<NonNullable<CaseText[K]>> | undefined => {
      const layer = layers.findLast(({ text }) => Object.hasOwn(text, key) && text[key] !== undefined);
      return layer && { value: layer.text[key] as NonNullable<CaseText[K]>, path: [...layer.path, key] };
    };
    const value = <K extends keyof CaseText>(key: K): NonNullable<CaseText[K]> | undefined => last(key)?.value;

    const prove = last("prove");
    if (prove !== undefined) return await this.#proofCase(own, prove, value);
    const user = value("user");
    const namespace = value("namespace");
    const namespaceName = typeof namespace === "string" ? namespace : namespace?.name;
    const expect = last("expect");
    const options = value("options");
    const place = placeOf(this.#origin, path);
    if (expect !== undefined) this.#checkPatterns(expectationOf(expect.value), expect.path);
    return {
      name: own.map(({ text }) => text.name).join("/"),
      path,
      ...(place && { place }),
      ...(await this.#objectsOf(layers, last, namespaceName, path)),
      ...optional("subresource", value("subresource")),
      ...optional("user", user === undefined ? undefined : userOf(user)),
      ...optional("namespace", namespaceName),
      ...optional("resource", value("resource")),
      ...optional("objectName", value("objectName")),
      ...optional("dryRun", value("dryRun")),
      ...optional("options", options as KubeObject | undefined),
      resources: [...(await this.#resources(layers)), ...namespaceManifest(namespace)],
      authorizer: layers.toReversed().flatMap(({ text }): readonly AuthorizerOverride[] => text.authorizer ?? []),
      ...optional("webhookAnswers", answersOf(layers)),
      ...optional("policies", listed(value("policy"))),
      ...optional("bindings", listed(value("binding"))),
      serverDefaults: value("serverDefaults") ?? true,
      serverValidation: value("serverValidation") ?? true,
      ...optional("fieldValidation", value("fieldValidation")),
      ...optional("expect", expect && expectationOf(expect.value)),
      expectPath: expect?.path ?? [...path, "expect"],
    };
  }

  /** A case that proves a statement: about a real server, whatever the defaults say about requests. */
  async #proofCase(
    own: readonly Layer[],
    { value: proof, path: provePath }: Placed<ProofText>,
    value: (key: "policy" | "binding") => string | readonly string[] | undefined,
  ): Promise<Case> {
    const path = own.at(-1)!.path;
    const place = placeOf(this.#origin, path);
    for (const { text, path: at } of own) {
      for (const key of Object.keys(text)) {
        if (!PROOF_FIELDS.has(key))
          this.#bad([...at, key], `a case with prove cannot have ${key}`, "a proof is about every request");
      }
    }
    const { statementError } = await import("@celadon/prove");
    for (const [key, expression] of Object.entries(proof) as [string, string][]) {
      const error = statementError(expression);
      if (error !== undefined)
        this.#bad(
          [...provePath, key],
          error,
          "write an expression about a request, such as 'object.spec.replicas <= 100'",
        );
    }
    return {
      name: own.map(({ text }) => text.name).join("/"),
      path,
      ...(place && { place }),
      operation: "CREATE",
      resources: await this.#resources([{ text: this.#defaults, path: ["defaults"] }, ...own]),
      authorizer: [],
      ...optional("policies", listed(value("policy"))),
      ...optional("bindings", listed(value("binding"))),
      serverDefaults: true,
      serverValidation: true,
      proof,
      expectPath: [...path, "expect"],
    };
  }

  async #objectsOf(
    layers: readonly { text: { readonly patch?: Patch }; path: JsonPath }[],
    last: (key: "object" | "oldObject" | "operation") => Placed<unknown> | undefined,
    namespace: string | undefined,
    path: JsonPath,
  ): Promise<Pick<Case, "object" | "oldObject" | "operation">> {
    const object = await this.#object(last("object") as Placed<Source> | undefined);
    const oldObject = await this.#object(last("oldObject") as Placed<Source> | undefined);
    const said = last("operation") as Placed<Case["operation"]> | undefined;
    const operation = said?.value ?? (last("oldObject") === undefined ? "CREATE" : "UPDATE");
    const patches = layers.flatMap(({ text, path }) =>
      text.patch ? [{ value: text.patch, path: [...path, "patch"] }] : [],
    );
    if (last("object") === undefined && last("oldObject") === undefined && operation !== "CONNECT") {
      this.#bad(path, `${fieldText(path)} has no object`, "set object, or oldObject and a patch");
    } else if (operation === "UPDATE" && last("oldObject") === undefined) {
      this.#bad(said?.path ?? path, "an UPDATE needs oldObject");
    } else if (operation === "CREATE" && last("oldObject") !== undefined) {
      this.#bad(said?.path ?? path, "a CREATE cannot have an oldObject");
    } else if (operation === "UPDATE" && last("object") === undefined && patches.length === 0) {
      this.#bad(path, `${fieldText(path)} changes nothing`, "an UPDATE needs object, or a patch of oldObject");
    } else if (operation === "DELETE" && last("object") !== undefined && last("oldObject") !== undefined) {
      this.#bad(path, "a DELETE has one object, the one to delete");
    }
    const changed = this.#patch(object ?? (operation === "UPDATE" ? oldObject : undefined), patches);
    return {
      ...(changed && { object: inNamespace(changed, namespace) }),
      ...(oldObject && { oldObject: inNamespace(oldObject, namespace) }),
      operation,
    };
  }

  #patch(from: Manifest | undefined, patches: readonly Placed<Patch>[]): Manifest | undefined {
    let manifest = from;
    for (const { value, path } of patches) {
      if (manifest === undefined) return undefined;
      const object = patched(manifest.object, value);
      if (isInvalid(object)) this.#issue(path, "bad_patch", object.message);
      else if (isRecord(object)) manifest = { ...manifest, object: object as KubeObject };
      else this.#issue(path, "bad_patch", "the patch leaves no object");
    }
    return manifest;
  }

  // The same text in the defaults is one object for all cases, so that their simulated clusters can be shared.
  #object(source: Placed<Source> | undefined): Promise<Manifest | undefined> | undefined {
    if (source === undefined) return undefined;
    return once(this.#objects, JSON.stringify(source.path), () => this.#references.single(source.value, source.path));
  }

  async #resources(layers: readonly { text: Situation; path: JsonPath }[]): Promise<Manifest[]> {
    const found: Manifest[] = [];
    for (const { text, path } of layers) {
      for (const field of ["resources", "params", "rbac"] as const) {
        for (const [i, source] of (text[field] ?? []).entries()) {
          const at = [...path, field, i];
          pushAll(found, await once(this.#lists, JSON.stringify(at), () => this.#list(source, at, field)));
        }
      }
    }
    return found;
  }

  async #list(source: Source, path: JsonPath, field: "resources" | "params" | "rbac"): Promise<readonly Manifest[]> {
    const manifests = await this.#references.many(source, path);
    const wrong = field === "rbac" ? manifests.find(({ object }) => roleOf(object) !== "rbac") : undefined;
    if (wrong)
      this.#issue(path, "bad_resource", `${String(wrong.object.kind)} is not a Role, ClusterRole or binding of one`);
    return manifests;
  }

  #checkPatterns(expect: Expectation, path: JsonPath): void {
    const { message, statusMessage, failures, warnings, auditAnnotations } = expect;
    this.#checkWords(message, [...path, "message"]);
    this.#checkWords(statusMessage, [...path, "statusMessage"]);
    if (typeof failures === "object") {
      failures.forEach((failure, i) => {
        this.#checkWords(failure.message, [...path, "failures", i, "message"]);
      });
    }
    if (typeof warnings === "object") {
      warnings.forEach((warning, i) => {
        this.#checkWords(warning, [...path, "warnings", i]);
      });
    }
    for (const [key, value] of Object.entries(auditAnnotations ?? {})) {
      this.#checkWords(value ?? undefined, [...path, "auditAnnotations", key]);
    }
  }

  #checkWords(words: ExpectedText | undefined, path: JsonPath): void {
    if (typeof words !== "object" || words.matches === undefined) return;
    const regex = compileRegex(words.matches);
    if (isError(regex)) this.#issue([...path, "matches"], "bad_pattern", regex.message);
  }

  #bad(path: JsonPath, message: string, hint?: string): void {
    this.#issue(path, "bad_case", message, hint);
  }

  #issue(path: JsonPath, code: SuiteIssue["code"], message: string, hint?: string): void {
    const issue = issueAt(this.#origin, path, code, message, { hint });
    // The common part of a test is read once for each of its cases.
    const key = JSON.stringify([issue.line, issue.column, message]);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.issues.push(issue);
  }
}

function once<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let made = map.get(key);
  if (made === undefined) map.set(key, (made = make()));
  return made;
}

function optional<K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: T };
}

/** One object for cases that say the same, so that their simulated clusters can be shared. */
function answersOf(layers: readonly { readonly text: Situation }[]): DeclaredAnswers | undefined {
  const said = layers.flatMap(({ text }) => (text.webhookAnswers ? [text.webhookAnswers] : []));
  return said.length > 1 ? Object.assign({}, ...said) : said[0];
}

function listed(value: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof value === "string" ? [value] : value;
}

/** The case's namespace wins over the object's. Objects that name none get it when the request is made, if their kind has one. */
function inNamespace(manifest: Manifest, namespace: string | undefined): Manifest {
  const { object } = manifest;
  const own = namespaceOf(object);
  if (namespace === undefined || own === "" || own === namespace) return manifest;
  return { ...manifest, object: { ...object, metadata: { ...object.metadata, namespace } } };
}

function namespaceManifest(namespace: Situation["namespace"]): Manifest[] {
  if (typeof namespace !== "object") return [];
  const { name, labels = {}, annotations } = namespace;
  const metadata = {
    name,
    labels: { "kubernetes.io/metadata.name": name, ...labels },
    ...(annotations && { annotations }),
  };
  return [{ object: { apiVersion: "v1", kind: "Namespace", metadata, status: { phase: "Active" } } }];
}

/** The user that `--as` and `--as-group` would make: the groups that the server adds are added here, too. */
function userOf(user: string | UserInfo): UserInfo {
  if (typeof user === "string") return impersonated(user, []);
  return { ...user, ...impersonated(user.username ?? "", user.groups ?? []) };
}
