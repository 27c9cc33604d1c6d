import { fieldErrorText, fieldPath } from "@celadon/kube/errors";
import { expect, test } from "vitest";
import { validateWebhookService, validateWebhookUrl, webhookAddress } from "./webhook-address.ts";

const AT = fieldPath("service");
const RFC1123 =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function pathErrors(path: string): string[] {
  return validateWebhookService({ name: "s", namespace: "n", port: 443, path }, AT).map(fieldErrorText);
}

test.each([
  ["", []],
  ["/", []],
  ["/a/b/", []],
  ["//", ['service.path: Invalid value: "//": segment[0] may not be empty']],
  ["/a//b", ['service.path: Invalid value: "/a//b": segment[1] may not be empty']],
  [
    "a",
    [
      `service.path: Invalid value: "a": must start with a '/'`,
      'service.path: Invalid value: "a": segment[0] may not be empty',
    ],
  ],
  [
    "é",
    [
      `service.path: Invalid value: "é": must start with a '/'`,
      `service.path: Invalid value: "é": segment[0]: ${RFC1123}`,
    ],
  ],
])("the path %j of a service", (path, want) => expect(pathErrors(path)).toEqual(want));

test("a missing name is reported for the namespace", () => {
  const errors = validateWebhookService({ namespace: "n", port: 0 }, AT).map(fieldErrorText);
  expect(errors).toEqual([
    "service.namespace: Required value",
    "service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive",
  ]);
});

test("a URL is only where, not who or what", () => {
  const errors = validateWebhookUrl("http://u@/p?q#f", fieldPath("url")).map(fieldErrorText);
  expect(errors).toEqual([
    `url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
    'url: Invalid value: "": host must be specified; desired format: https://host[/path]',
    'url: Invalid value: "u": user information is not permitted in the URL',
    'url: Invalid value: "f": fragments are not permitted in the URL',
    'url: Invalid value: "q": query parameters are not permitted in the URL',
  ]);
});

test.each([
  ["https://host", "https://host/?timeout=10s"],
  ["https://host/", "https://host/?timeout=10s"],
  ["https://127.0.0.1:9443//failing", "https://127.0.0.1:9443/failing?timeout=10s"],
  ["https://host/a//b/./c/../d/", "https://host/a/b/d?timeout=10s"],
  ["https://host/../a", "https://host/a?timeout=10s"],
  ["https://host/a%20b%2Fc", "https://host/a%20b/c?timeout=10s"],
  ["https://host/é(1)", "https://host/%C3%A9%281%29?timeout=10s"],
  ["HTTPS://Host:1/x", "https://Host:1/x?timeout=10s"],
  ["https://[::1]:8443/x", "https://[::1]:8443/x?timeout=10s"],
])("a review for %s is posted to %s", (url, posted) => {
  expect(webhookAddress({ url }, 10)).toEqual({ url: posted });
});

test.each([
  [{}, "https://s.n.svc:443/?timeout=5s"],
  [{ path: "/a/", port: 8443 }, "https://s.n.svc:8443/a?timeout=5s"],
])("a service with %o is called at %s", (more, posted) => {
  const service = { name: "s", namespace: "n", ...more };
  expect(webhookAddress({ service }, 5)).toEqual({ url: posted, serverName: "s.n.svc" });
});
