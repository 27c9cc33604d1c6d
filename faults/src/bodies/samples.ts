// Requests with bodies of a given size, and their parts. Each is the worst of its kind that was found; `bytes` is about the size of the
// body, and expressions, selectors and the like stay within their own limits.

export interface Sample {
  readonly method: string;
  readonly path: string;
  /** JSON by default. */
  readonly type?: string;
  readonly body?: string | Buffer;
}

export type Cases = Readonly<Record<string, (bytes: number) => Sample>>;

export const DRY = "?dryRun=All";
export const NAMESPACE = "/api/v1/namespaces/default";
export const CONFIG_MAPS: string = `${NAMESPACE}/configmaps`;
export const PODS: string = `${NAMESPACE}/pods`;
export const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
export const REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const THINGS = "/apis/example.com/v1/namespaces/default/things";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

export const asJson = (value: unknown): string => JSON.stringify(value);

export const repeat = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: Math.trunc(count) }, (_, i) => make(i));

export const members = (count: number, make: (i: number) => readonly [string, unknown]): object =>
  Object.fromEntries(repeat(count, make));

export const meta = (more: object = {}): object => ({ generateName: "x-", ...more });

export const pod = (spec: object, metadata?: object): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: meta(metadata),
  spec: { containers: [{ name: "a", image: "a" }], ...spec },
});

export const podOf = (spec: object, metadata?: object): Sample => ({
  method: "POST",
  path: PODS + DRY,
  body: asJson(pod(spec, metadata)),
});

export const configMap = (more: object, query: string = DRY): Sample => ({
  method: "POST",
  path: CONFIG_MAPS + query,
  body: asJson({ apiVersion: "v1", kind: "ConfigMap", metadata: meta(), ...more }),
});

export const custom = (spec: object): Sample => ({
  method: "POST",
  path: THINGS + DRY,
  body: asJson({ apiVersion: "example.com/v1", kind: "Thing", metadata: meta(), spec }),
});

const EVERYTHING = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] };

export const policy = (spec: object): Sample => ({
  method: "POST",
  path: POLICIES + DRY,
  body: asJson({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: meta(),
    spec: { matchConstraints: { resourceRules: [EVERYTHING] }, ...spec },
  }),
});

export const patch = (type: string, body: unknown, path: string = `${CONFIG_MAPS}/target${DRY}`): Sample => ({
  method: "PATCH",
  path,
  type,
  body: typeof body === "string" ? body : asJson(body),
});

export const definition = (schema: object): Sample & { readonly body: string } => ({
  method: "POST",
  path: DEFINITIONS + DRY,
  body: asJson(definitionOf("foos", "example.org", "Foo", { type: "object", ...schema })),
});

export function definitionOf(plural: string, group: string, kind: string, openAPIV3Schema: object): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind, singular: kind.toLowerCase() },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function varint(n: number): Buffer {
  const bytes: number[] = [];
  let rest = n;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

/** A ConfigMap in protobuf with as many labels as fit. */
export function labelsInProtobuf(bytes: number): Buffer {
  const labels = repeat(bytes / 14, (i) =>
    message(11, Buffer.concat([message(1, Buffer.from(`k${i}`)), message(2, Buffer.from("v"))])),
  );
  const kind = Buffer.concat([message(1, Buffer.from("v1")), message(2, Buffer.from("ConfigMap"))]);
  const metadata = Buffer.concat([message(2, Buffer.from("g")), ...labels]);
  return Buffer.concat([Buffer.from("k8s\0"), message(1, kind), message(2, message(1, metadata))]);
}
