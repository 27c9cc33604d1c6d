import { fieldErrorText } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import type { ClientConfig, Webhook, WebhookConfiguration } from "./configuration.ts";
import { decodeConfiguration, defaultConfiguration, withGeneration } from "./defaults.ts";
import { configuration, webhook } from "./hosts.testing.ts";
import { configurationWarnings, validateConfiguration } from "./validate.ts";

const errorsOf = (...webhooks: Webhook[]): string[] =>
  validateConfiguration(configuration("Validating", "c", ...webhooks)).map(fieldErrorText);
const changed = (fields: object): Webhook => ({ ...webhook("a"), ...fields }) as Webhook;

describe("webhooks", () => {
  // biome-ignore format: one case per line
  const cases: { fields: object; want: string[] }[] = [
    { fields: {},                                     want: [] },
    { fields: { rules: [] },                          want: [] },
    { fields: { name: "" },                           want: ["webhooks[0].name: Required value"] },
    { fields: { name: "k8s.io" },                     want: [`webhooks[0].name: Invalid value: "k8s.io": should be a domain with at least three segments separated by dots`] },
    { fields: { name: "A.b.c" },                      want: [`webhooks[0].name: Invalid value: "A.b.c": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`] },
    { fields: { failurePolicy: "other" },             want: [`webhooks[0].failurePolicy: Unsupported value: "other": supported values: "Fail", "Ignore"`] },
    { fields: { matchPolicy: "x" },                   want: [`webhooks[0].matchPolicy: Unsupported value: "x": supported values: "Equivalent", "Exact"`] },
    { fields: { sideEffects: undefined },             want: ["webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun"] },
    { fields: { sideEffects: "Some" },                want: [`webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"`] },
    { fields: { timeoutSeconds: 0 },                  want: ["webhooks[0].timeoutSeconds: Invalid value: 0: the timeout value must be between 1 and 30 seconds"] },
    { fields: { admissionReviewVersions: [] },        want: ["webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1"] },
    { fields: { admissionReviewVersions: ["v2"] },    want: [`webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1`] },
    { fields: { admissionReviewVersions: ["v1", "v1"] }, want: [`webhooks[0].admissionReviewVersions[1]: Invalid value: "v1": duplicate version`] },
    { fields: { reinvocationPolicy: "x" },            want: [] },
    { fields: { rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: [""], resources: ["pods"] }] }, want: ["webhooks[0].rules[0].apiVersions[0]: Required value"] },
    { fields: { matchConditions: [{ name: "", expression: " " }] }, want: ["webhooks[0].matchConditions[0].expression: Required value", "webhooks[0].matchConditions[0].name: Required value"] },
    { fields: { matchConditions: [{ name: "a", expression: " 6 " }, { name: "a", expression: "true" }] }, want: [`webhooks[0].matchConditions[0].expression: Invalid value: "6": must evaluate to bool but got int`, `webhooks[0].matchConditions[1].name: Duplicate value: "a"`] },
    { fields: { matchConditions: [{ name: "a", expression: "dyn(true)" }] }, want: [`webhooks[0].matchConditions[0].expression: Invalid value: "dyn(true)": must evaluate to bool but got dyn`] },
    { fields: { matchConditions: [{ name: "a", expression: "params == null" }] }, want: [`webhooks[0].matchConditions[0].expression: Invalid value: "params == null": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params == null\n | ^`] },
    { fields: { matchConditions: Array.from({ length: 65 }, (_, i) => ({ name: `n${i}`, expression: "true" })) }, want: ["webhooks[0].matchConditions: Too many: 65: must have at most 64 items"] },
  ];
  test.each(cases)("$fields", ({ fields, want }) => expect(errorsOf(changed(fields))).toEqual(want));

  test("names are unique; a mutating webhook's reinvocation is one of two", () => {
    expect(errorsOf(webhook("a"), webhook("a"))).toEqual([`webhooks[1].name: Duplicate value: "a.test.example.com"`]);
    const mutating = configuration("Mutating", "c", changed({ reinvocationPolicy: "x" }));
    expect(validateConfiguration(mutating).map(fieldErrorText)).toEqual([
      `webhooks[0].reinvocationPolicy: Unsupported value: "x": supported values: "IfNeeded", "Never"`,
    ]);
  });
});

describe("clients", () => {
  const form = "; desired format: https://host[/path]";
  // biome-ignore format: one case per line
  const cases: { client: ClientConfig; want: string[] }[] = [
    { client: {},                                                    want: [": Required value: exactly one of url or service is required"] },
    { client: { url: "https://a", service: {} },                     want: [": Required value: exactly one of url or service is required"] },
    { client: { url: "" },                                           want: [`.url: Invalid value: "": 'https' is the only allowed URL scheme${form}`, `.url: Invalid value: "": host must be specified${form}`] },
    { client: { url: "https://u:p@h/x?a=b#f" },                      want: [`.url: Invalid value: "u:p": user information is not permitted in the URL`, `.url: Invalid value: "f": fragments are not permitted in the URL`, `.url: Invalid value: "a=b": query parameters are not permitted in the URL`] },
    { client: { url: "https://[::1" },                               want: [`.url: Required value: url must be a valid URL: parse "https://[::1": missing ']' in host${form}`] },
    { client: { service: { name: "n", namespace: "s" } },            want: [] },
    { client: { service: { name: "", namespace: "s" } },             want: [".service.namespace: Required value"] },
    { client: { service: { name: "n", namespace: "", port: 70000 } }, want: [".service.name: Required value", ".service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive"] },
    { client: { service: { name: "n", namespace: "s", path: "/" } }, want: [] },
    { client: { service: { name: "n", namespace: "s", path: "//" } }, want: [`.service.path: Invalid value: "//": segment[0] may not be empty`] },
    { client: { service: { name: "n", namespace: "s", path: "/foo//bar/" } }, want: [`.service.path: Invalid value: "/foo//bar/": segment[1] may not be empty`] },
    { client: { service: { name: "n", namespace: "s", path: "foo/" } }, want: [`.service.path: Invalid value: "foo/": must start with a '/'`] },
  ];
  test.each(cases)("$client", ({ client, want }) => {
    expect(errorsOf(changed({ clientConfig: client }))).toEqual(want.map((text) => `webhooks[0].clientConfig${text}`));
  });
});

describe("updates", () => {
  const update = (old: object, fields: object): string[] =>
    validateConfiguration(
      configuration("Validating", "c", changed(fields)),
      configuration("Validating", "c", changed(old)),
    ).map(fieldErrorText);
  const bad = [{ name: "a", expression: "1" }];

  test("unchanged conditions are not validated again", () => {
    expect(update({ matchConditions: bad }, { matchConditions: bad, timeoutSeconds: 5 })).toEqual([]);
    expect(
      update({ matchConditions: bad }, { matchConditions: [...bad, { name: "b", expression: "true" }] }),
    ).toHaveLength(1);
  });

  test("what an old webhook was allowed, new ones are", () => {
    expect(update({ sideEffects: "Some" }, { sideEffects: "Unknown" })).toEqual([]);
    expect(update({ sideEffects: "Some" }, { sideEffects: "x" })).toEqual([
      `webhooks[0].sideEffects: Unsupported value: "x": supported values: "None", "NoneOnDryRun", "Some", "Unknown"`,
    ]);
    expect(update({ admissionReviewVersions: ["v9"] }, { admissionReviewVersions: ["v8"] })).toEqual([]);
    const selector = { matchLabels: { a: "b c" } };
    expect(update({ objectSelector: selector }, { objectSelector: selector })).toEqual([]);
    expect(update({}, { objectSelector: selector })).toHaveLength(1);
  });
});

describe("decoding", () => {
  test("defaults, and fields that the kind does not have", () => {
    const given = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "c" },
      extra: 1,
      webhooks: [
        {
          ...webhook("a"),
          reinvocationPolicy: "Never",
          clientConfig: { service: { name: "s", namespace: "n", x: 1 } },
        },
      ],
    } as unknown as WebhookConfiguration;
    const { configuration: decoded, unknownFields } = decodeConfiguration(given);
    expect(unknownFields.map(String).sort()).toEqual([
      "extra",
      "webhooks[0].clientConfig.service.x",
      "webhooks[0].reinvocationPolicy",
    ]);
    expect(decoded.webhooks?.[0]).toMatchObject({
      clientConfig: { service: { name: "s", namespace: "n", port: 443 } },
      rules: [{ scope: "*" }],
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
    });
    expect(decoded.webhooks?.[0]).not.toHaveProperty("reinvocationPolicy");
    expect(
      defaultConfiguration({ ...decoded, kind: "MutatingWebhookConfiguration" }).webhooks?.[0]?.reinvocationPolicy,
    ).toBe("Never");
  });

  // biome-ignore format: one case per line
  const shapes = [
    { webhooks: "x",                                             error: true },
    { webhooks: [{ name: 3 }],                                   error: true },
    { webhooks: [{ name: "a.b.c", matchConditions: ["x"] }],     error: true },
    { webhooks: [{ name: "a.b.c", rules: [{ resources: 1 }] }],  error: true },
    { webhooks: null,                                            error: false },
    { webhooks: [null],                                          error: false },
    { webhooks: [{ name: null, rules: [null], matchConditions: [{}], admissionReviewVersions: [null] }], error: false },
    { webhooks: [{ namespaceSelector: { matchLabels: { a: null }, matchExpressions: [{}] } }],           error: false },
  ];
  test.each(shapes)("$webhooks is read or refused", ({ webhooks, error }) => {
    const given = { kind: "ValidatingWebhookConfiguration", apiVersion: "admissionregistration.k8s.io/v1", webhooks };
    const decoded = decodeConfiguration(given as unknown as WebhookConfiguration);
    expect(decoded.error?.startsWith(`ValidatingWebhookConfiguration in version "v1" cannot be handled`) ?? false).toBe(
      error,
    );
    expect(validateConfiguration(decoded.configuration).length).toBeGreaterThan(0);
  });

  test("generation counts changes of webhooks", () => {
    const first = withGeneration(configuration("Validating", "c", webhook("a")));
    expect(first.metadata.generation).toBe(1);
    expect(withGeneration({ ...first, metadata: { name: "c", labels: { a: "b" } } }, first).metadata.generation).toBe(
      1,
    );
    expect(withGeneration(configuration("Validating", "c", webhook("b")), first).metadata.generation).toBe(2);
  });

  test("reserved names are warned about, or refused when the feature is on", () => {
    const reserved = configuration("Validating", "x.static.k8s.io", webhook("a"));
    expect(configurationWarnings(reserved)).toHaveLength(1);
    expect(validateConfiguration(reserved)).toEqual([]);
    expect(validateConfiguration(reserved, undefined, { manifestBasedConfig: true })).toHaveLength(1);
  });
});
