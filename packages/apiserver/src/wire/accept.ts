// The media types that a client accepts, with the parameters Kubernetes adds to them (`as`, `g`, `v`), best first.
// `application/json;as=Table;v=v1;g=meta.k8s.io, application/json`. Upstream: apiserver pkg/endpoints/handlers/negotiation.

export interface AcceptedType {
  /** `application/json`, `*` + `/*`. */
  readonly type: string;
  /** The requested form: Table, PartialObjectMetadata, APIGroupDiscoveryList; empty for the object itself. */
  readonly as: string;
  readonly group: string;
  readonly version: string;
  readonly stream: string;
  readonly pretty: boolean;
  readonly q: number;
}

export const JSON_TYPE = "application/json";
export const YAML_TYPE = "application/yaml";
export const PROTOBUF_TYPE = "application/vnd.kubernetes.protobuf";

const PLAIN: AcceptedType = { type: JSON_TYPE, as: "", group: "", version: "", stream: "", pretty: false, q: 1 };
const PLAIN_JSON: readonly AcceptedType[] = [PLAIN];
const known = new Map<string, readonly AcceptedType[]>();

/** The header's clauses by falling quality. Clients repeat themselves, so answers are kept. */
export function parseAccept(header: string | undefined): readonly AcceptedType[] {
  if (header === undefined || header === "" || header === JSON_TYPE) return PLAIN_JSON;
  const seen = known.get(header);
  if (seen !== undefined) return seen;
  const clauses = header
    .split(",")
    .map(parseClause)
    .filter(({ type }) => type !== "")
    .sort((a, b) => b.q - a.q);
  if (known.size > 200) known.clear();
  known.set(header, clauses);
  return clauses;
}

function parseClause(text: string): AcceptedType {
  const [type = "", ...params] = text.split(";");
  const values = new Map<string, string>();
  for (const param of params) {
    const eq = param.indexOf("=");
    if (eq !== -1)
      values.set(
        param.slice(0, eq).trim().toLowerCase(),
        param
          .slice(eq + 1)
          .trim()
          .replaceAll('"', ""),
      );
  }
  const q = Number(values.get("q") ?? "1");
  return {
    type: type.trim().toLowerCase(),
    as: values.get("as") ?? "",
    group: values.get("g") ?? "",
    version: values.get("v") ?? "",
    stream: values.get("stream") ?? "",
    pretty: values.get("pretty") === "1",
    q: Number.isFinite(q) ? q : 0,
  };
}

/** Is the media type one of those, or a pattern that means the first of them? */
export function typeOf({ type }: AcceptedType, offered: readonly string[]): string | undefined {
  if (type === "*/*" || type === "application/*") return offered[0];
  return offered.includes(type) ? type : undefined;
}
