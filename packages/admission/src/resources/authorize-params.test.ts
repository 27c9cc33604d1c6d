// Policies with params and bindings to them may be written by some users; others get errors.

import { fieldErrorText } from "@celadon/kube/errors";
import type { Attributes, AuthorizerDecision, User } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { authorizeParamKind, authorizeParamRef, type BindingParamAccess } from "./authorize-params.ts";
import { binding, policy } from "./policies.testing.ts";

const JANE: User = { name: "jane", uid: "7", groups: ["g1", "g2"], extra: { k: ["v"] } };
const SHOWN = "&{jane 7 [g1 g2] map[k:[v]]}";
const CONFIG_MAPS = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
const EVERYTHING = `to determine minimum required permissions and user ${SHOWN} does not have "get" permission for all groups, versions and resources`;

function access(
  decision: AuthorizerDecision,
  more: Partial<BindingParamAccess> = {},
): BindingParamAccess & { asked: Attributes[] } {
  const asked: Attributes[] = [];
  return {
    asked,
    user: JANE,
    authorizer: {
      authorize: (attributes) => {
        asked.push(attributes);
        return decision;
      },
    },
    resourceOf: ({ kind }) => (kind === "ConfigMap" ? "configmaps" : undefined),
    policy: () => policy(CONFIG_MAPS),
    ...more,
  };
}

const DENY: AuthorizerDecision = { decision: "deny" };
const ref = (paramRef: Record<string, unknown>) =>
  binding({ paramRef: { parameterNotFoundAction: "Deny", ...paramRef } });

test("a policy's author must be able to read all params", async () => {
  const host = access(DENY);
  expect((await authorizeParamKind(policy(CONFIG_MAPS), undefined, host)).map(fieldErrorText)).toEqual([
    `spec.paramKind: Forbidden: user ${SHOWN} must have "get" permission on all objects of the referenced paramKind (kind=ConfigMap, apiVersion=v1)`,
  ]);
  expect(host.asked).toEqual([
    {
      user: JANE,
      verb: "get",
      resourceRequest: true,
      apiGroup: "",
      apiVersion: "v1",
      resource: "configmaps",
      namespace: "*",
      name: "*",
    },
  ]);
});

test("hosts are called only if needed", async () => {
  const host = access(DENY);
  expect(await authorizeParamKind(policy(), undefined, host)).toEqual([]);
  expect(await authorizeParamKind(policy(CONFIG_MAPS), policy(CONFIG_MAPS), host)).toEqual([]);
  expect(
    await authorizeParamKind(policy(CONFIG_MAPS), undefined, {
      ...host,
      user: { name: "a", groups: ["system:masters"] },
    }),
  ).toEqual([]);
  expect(await authorizeParamRef(binding(), host)).toEqual([]);
  expect(host.asked).toEqual([]);
});

// biome-ignore format: one case per line
test.each<readonly [title: string, paramRef: Record<string, unknown>, host: Partial<BindingParamAccess>, answer: AuthorizerDecision, error: string]>([
  ["by name", { name: "a" }, {}, DENY, `user ${SHOWN} does not have "get" permission on the object referenced by paramRef`],
  ["by selector", { selector: {} }, {}, DENY, `user ${SHOWN} does not have "list" permission on the object referenced by paramRef`],
  ["no policy", { name: "a" }, { policy: () => undefined }, DENY, `unable to get policy p ${EVERYTHING}`],
  ["unreadable kind", { name: "a" }, { policy: () => policy({ paramKind: { apiVersion: "a/b/c", kind: "K" } }) }, DENY, `unable to parse paramKind &{a/b/c K} ${EVERYTHING}`],
  ["unknown kind", { name: "a" }, { policy: () => policy({ paramKind: { apiVersion: "x.example.com/v1", kind: "K" } }) }, DENY, `unable to resolve paramKind &{x.example.com/v1 K} ${EVERYTHING}`],
  ["policy without params", { name: "a" }, { policy: () => policy() }, DENY, `user ${SHOWN} does not have "get" permission on the object referenced by paramRef`],
  ["authorizer fails", { name: "a" }, {}, { decision: "noOpinion", error: "down" }, "failed to authorize request: down"],
  ["nobody asks", { name: "a" }, { user: undefined }, DENY, "cannot identify user to authorize read access to paramRef object"],
])("a binding: %s", async (_title, paramRef, host, answer, error) => {
  expect((await authorizeParamRef(ref(paramRef), access(answer, host))).map(fieldErrorText)).toEqual([`spec.paramRef: Forbidden: ${error}`]);
});

test("an authorizer that throws has failed", async () => {
  const authorizer = {
    authorize: () => {
      throw new Error("down");
    },
  };
  const errors = await authorizeParamKind(policy(CONFIG_MAPS), undefined, { ...access(DENY), authorizer });
  expect(errors.map(fieldErrorText)).toEqual(["spec.paramKind: Forbidden: down"]);
});

test("a permission on an unknown param kind is checked for everything", async () => {
  const host = access({ decision: "allow" }, { policy: () => undefined });
  expect(await authorizeParamRef(ref({ name: "a", namespace: "n" }), host)).toEqual([]);
  expect(host.asked[0]).toMatchObject({ apiGroup: "*", apiVersion: "*", resource: "*", namespace: "n", name: "a" });
});
