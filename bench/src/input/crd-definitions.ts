// A definition the size of Gateway API's HTTPRoute, with rules at several depths, and objects of it; and large definitions by the hundred.
// All of them are made up here: figures must not change with publications of others.

type Schema = Record<string, unknown>;

const text = (maxLength: number, more: Schema = {}): Schema => ({ type: "string", minLength: 1, maxLength, ...more });
const object = (properties: Schema, more: Schema = {}): Schema => ({ type: "object", properties, ...more });
const list = (items: Schema, maxItems: number, more: Schema = {}): Schema => ({
  type: "array",
  items,
  maxItems,
  ...more,
});
const rules = (...texts: readonly string[]): Schema => ({
  "x-kubernetes-validations": texts.map((rule, i) => ({ rule, message: `rule ${i} does not hold` })),
});

const port: Schema = { type: "integer", format: "int32", minimum: 1, maximum: 65535 };
const name = text(253, { pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" });
const header = object(
  { name: text(256, { pattern: "^[A-Za-z0-9!#$%&'*+\\-.^_\\x60|~]+$" }), value: text(4096) },
  { required: ["name", "value"] },
);
const headers = list(header, 16, { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] });

const match = object({
  path: object(
    {
      type: { type: "string", enum: ["Exact", "PathPrefix", "RegularExpression"], default: "PathPrefix" },
      value: text(1024, { default: "/" }),
    },
    {
      default: { type: "PathPrefix", value: "/" },
      ...rules(
        "!(self.type in ['Exact', 'PathPrefix']) || self.value.startsWith('/')",
        "!(self.type in ['Exact', 'PathPrefix']) || !self.value.contains('//')",
        "!(self.type in ['Exact', 'PathPrefix']) || self.value.matches('^[-A-Za-z0-9/._~%!$&()*+,;=:@]+$')",
      ),
    },
  ),
  headers,
  method: { type: "string", enum: ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"] },
});

const filter = object(
  {
    type: { type: "string", enum: ["HeaderModifier", "Redirect", "Mirror"] },
    headerModifier: object({
      set: headers,
      add: headers,
      remove: list(text(256), 16, { "x-kubernetes-list-type": "set" }),
    }),
    redirect: object({
      scheme: { type: "string", enum: ["http", "https"] },
      hostname: name,
      port,
      statusCode: { type: "integer", enum: [301, 302], default: 302 },
    }),
    mirror: object({ name, port, percent: { type: "integer", minimum: 0, maximum: 100 } }, { required: ["name"] }),
  },
  {
    required: ["type"],
    ...rules(
      "!(has(self.headerModifier) && self.type != 'HeaderModifier')",
      "!(!has(self.headerModifier) && self.type == 'HeaderModifier')",
      "!(has(self.redirect) && self.type != 'Redirect')",
      "!(!has(self.redirect) && self.type == 'Redirect')",
      "!(has(self.mirror) && self.type != 'Mirror')",
      "!(!has(self.mirror) && self.type == 'Mirror')",
    ),
  },
);

const backend = object(
  {
    group: { type: "string", maxLength: 253, default: "" },
    kind: text(63, { default: "Service" }),
    name,
    namespace: text(63),
    port,
    weight: { type: "integer", format: "int32", minimum: 0, maximum: 1000000, default: 1 },
    filters: list(filter, 4),
  },
  { required: ["name"], ...rules("(size(self.group) == 0 && self.kind == 'Service') ? has(self.port) : true") },
);

const routeRule = object(
  {
    name: text(253),
    matches: list(match, 8),
    filters: list(filter, 8),
    backendRefs: list(backend, 8),
    timeouts: object(
      {
        request: text(32, { pattern: "^([0-9]{1,5}(h|m|s|ms)){1,4}$" }),
        backend: text(32, { pattern: "^([0-9]{1,5}(h|m|s|ms)){1,4}$" }),
      },
      rules("!(has(self.request) && has(self.backend)) || duration(self.backend) <= duration(self.request)"),
    ),
  },
  rules(
    "!has(self.filters) || !self.filters.exists(f, f.type == 'Redirect') || !has(self.backendRefs) || self.backendRefs.size() == 0",
    "!has(self.filters) || self.filters.filter(f, f.type == 'Redirect').size() <= 1",
  ),
);

const routeSchema = object({
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: { type: "object" },
  spec: object(
    {
      hostnames: list(
        text(253, { pattern: "^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" }),
        16,
      ),
      parentRefs: list(
        object(
          { group: text(253), kind: text(63), name, namespace: text(63), sectionName: text(253), port },
          { required: ["name"] },
        ),
        16,
        rules(
          "self.all(p, self.exists_one(q, p.name == q.name && (has(p.sectionName) ? has(q.sectionName) && p.sectionName == q.sectionName : !has(q.sectionName))))",
        ),
      ),
      rules: list(
        routeRule,
        16,
        rules("self.all(r, !has(r.name) || self.exists_one(s, has(s.name) && s.name == r.name))"),
      ),
    },
    { required: ["parentRefs"] },
  ),
  status: object({ parents: list(object({ controller: text(253) }), 16) }),
});

/** The definition as it is sent. */
export function definitionOf(schema: unknown, plural: string, kind: string): Schema {
  const version = {
    name: "v1",
    served: true,
    storage: true,
    subresources: { status: {} },
    schema: { openAPIV3Schema: schema },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.bench.example.com` },
    spec: { group: "bench.example.com", scope: "Namespaced", names: { plural, kind }, versions: [version] },
  };
}

export const routeDefinition: Schema = definitionOf(routeSchema, "routes", "Route");

/** The same without rules. */
export const plainDefinition: Schema = definitionOf(withoutRules(routeSchema), "routes", "Route");

function withoutRules(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === "x-kubernetes-validations" ? undefined : value)));
}

/** A route like others, no two alike. */
export function route(i: number): Record<string, unknown> {
  const backendRefs = [0, 1].map((j) => ({ name: `service-${i}-${j}`, port: 8080 + j, weight: 1 + j }));
  const routeRules = [0, 1, 2].map((j) => ({
    name: `rule-${j}`,
    matches: [
      {
        path: { type: "PathPrefix", value: `/v${j}/items-${i % 97}` },
        method: "GET",
        headers: [{ name: "X-Version", value: `v${i % 7}` }],
      },
      { path: { type: "Exact", value: `/health/${j}` } },
    ],
    filters: [
      { type: "HeaderModifier", headerModifier: { set: [{ name: "X-Route", value: `r-${i}` }], remove: ["X-Old"] } },
    ],
    backendRefs,
    timeouts: { request: "10s", backend: "5s" },
  }));
  return {
    apiVersion: "bench.example.com/v1",
    kind: "Route",
    metadata: { name: `route-${i}`, namespace: "default", labels: { app: `a${i % 11}` } },
    spec: {
      hostnames: [`host-${i}.example.com`, "*.example.org"],
      parentRefs: [
        { name: "gateway", sectionName: "https" },
        { name: "gateway", sectionName: "http" },
      ],
      rules: routeRules,
    },
  };
}

/** A definition with thousands of nodes and a hundred rules, the i-th of many. */
export function largeDefinition(i: number): Schema {
  const leaf = (n: number): Schema =>
    object(
      Object.fromEntries(
        Array.from({ length: 20 }, (_, k) => [`field${k}`, k % 3 === 0 ? { type: "integer", minimum: n } : text(64)]),
      ),
      rules(`!has(self.field0) || self.field0 >= ${n}`, "!has(self.field1) || self.field1.size() > 0"),
    );
  const groups = Array.from(
    { length: 50 },
    (_, g) => [`group${g}`, object({ leaf: leaf(g), items: list(leaf(g + i), 10) })] as const,
  );
  const schema = object({ spec: object(Object.fromEntries(groups)) });
  return definitionOf(schema, `large${i}s`, `Large${i}`);
}

/** A rule as expensive as is accepted, and data as large as it allows. */
export function worstRule(): { readonly definition: Schema; readonly object: Record<string, unknown> } {
  const size = 1000;
  const items = list({ type: "integer" }, size, rules("self.all(x, self.all(y, x <= y || y <= x))"));
  return {
    definition: definitionOf(object({ spec: object({ items }) }), "worsts", "Worst"),
    object: {
      apiVersion: "bench.example.com/v1",
      kind: "Worst",
      metadata: { name: "w", namespace: "default" },
      spec: { items: Array.from({ length: size }, (_, n) => n) },
    },
  };
}

/** Many rules that together use up the budget of an object. */
export function worstObject(): { readonly definition: Schema; readonly object: Record<string, unknown> } {
  const size = 300;
  const items = list({ type: "integer" }, size, rules("self.all(x, self.all(y, x <= y || y <= x))"));
  const names = Array.from({ length: 20 }, (_, n) => `list${n}`);
  const value = Array.from({ length: size }, (_, n) => n);
  return {
    definition: definitionOf(
      object({ spec: object(Object.fromEntries(names.map((item) => [item, items]))) }),
      "worsts",
      "Worst",
    ),
    object: {
      apiVersion: "bench.example.com/v1",
      kind: "Worst",
      metadata: { name: "w", namespace: "default" },
      spec: Object.fromEntries(names.map((item) => [item, value])),
    },
  };
}
