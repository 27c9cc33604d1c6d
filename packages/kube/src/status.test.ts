import { expect, test } from "vitest";
import { invalidValue, requiredValue } from "./field-error.ts";
import * as s from "./status.ts";

const pods = { group: "", resource: "pods" };
const deployments = { group: "apps", resource: "deployments" };

// biome-ignore format: one case per line
const cases: [s.Status, number, string, string][] = [
  [s.notFound(pods, "web"),                     404, "NotFound",         'pods "web" not found'],
  [s.alreadyExists(deployments, "web"),         409, "AlreadyExists",    'deployments.apps "web" already exists'],
  [s.generateNameConflict(pods, "web-", 1),     409, "AlreadyExists",    'pods "web-" already exists, the server was not able to generate a unique name for the object'],
  [s.unauthorized(""),                          401, "Unauthorized",     "not authorized"],
  [s.forbidden(pods, "web", "no"),              403, "Forbidden",        'pods "web" is forbidden: no'],
  [s.forbidden(pods, "", "no"),                 403, "Forbidden",        "pods is forbidden: no"],
  [s.forbidden({ group: "", resource: "" }, "", "no"), 403, "Forbidden", "forbidden: no"],
  [s.conflict(pods, "web", "changed"),          409, "Conflict",         'Operation cannot be fulfilled on pods "web": changed'],
  [s.badRequest("x"),                           400, "BadRequest",       "x"],
  [s.tooManyRequests("x", 1),                   429, "TooManyRequests",  "x"],
  [s.serviceUnavailable("x"),                   503, "ServiceUnavailable", "x"],
  [s.serverTimeout(pods, "list", 2),            500, "ServerTimeout",    "The list operation against pods could not be completed at this time, please try again."],
  [s.internalError("boom"),                     500, "InternalError",    "Internal error occurred: boom"],
  [s.timeout("x", 0),                           504, "Timeout",          "Timeout: x"],
  [s.requestEntityTooLarge("limit is 3145728"), 413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728"],
  [s.resourceExpired("old"),                    410, "Expired",          "old"],
];

test.each(cases)("%#", (status, code, reason, message) => {
  expect(status).toMatchObject({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message });
});

test("details omit empty fields", () => {
  expect(s.notFound(pods, "web").details).toEqual({ name: "web", kind: "pods" });
  expect(s.forbidden(deployments, "", "no").details).toEqual({ group: "apps", kind: "deployments" });
  expect(s.serverTimeout(pods, "list", 2).details).toEqual({ name: "list", kind: "pods", retryAfterSeconds: 2 });
  expect(s.badRequest("x").details).toBeUndefined();
});

test("an invalid object has a cause for every error", () => {
  const errors = [requiredValue("spec.a"), invalidValue("spec.b", -1, "must be positive"), requiredValue("spec.a")];
  expect(s.invalidObject({ group: "example.com", kind: "Widget" }, "w", errors)).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: 'Widget.example.com "w" is invalid: [spec.a: Required value, spec.b: Invalid value: -1: must be positive]',
    reason: "Invalid",
    details: {
      name: "w",
      group: "example.com",
      kind: "Widget",
      causes: [
        { reason: "FieldValueRequired", message: "Required value", field: "spec.a" },
        { reason: "FieldValueInvalid", message: "Invalid value: -1: must be positive", field: "spec.b" },
        { reason: "FieldValueRequired", message: "Required value", field: "spec.a" },
      ],
    },
    code: 422,
  });
  expect(s.invalidObject({ group: "", kind: "Pod" }, "p", []).message).toBe('Pod "p" is invalid');
});
