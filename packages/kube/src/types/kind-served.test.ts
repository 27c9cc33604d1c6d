import { expect, test } from "vitest";
import { kindProblemText, kindServed, servedResources } from "./index.ts";

const gvk = (apiVersion: string, kind: string) => {
  const slash = apiVersion.indexOf("/");
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1), kind };
};

test("what a server lists is served, and its lists", () => {
  for (const { apiVersion, kind, verbs } of servedResources()) {
    expect(kindServed(gvk(apiVersion, kind)), kind).toEqual({ code: "served", ifEnabled: false });
    if (verbs.includes("list"))
      expect(kindServed(gvk(apiVersion, `${kind}List`)), kind).toMatchObject({ code: "served" });
  }
});

// biome-ignore format: one kind per line
const cases: [apiVersion: string, kind: string, minor: string, text: string | undefined][] = [
  ["apps/v1",                              "Deployement",               "1.36", 'no matches for kind "Deployement" in version "apps/v1"; did you mean "Deployment"?'],
  ["admissionregistration.k8s.io/v1",      "ValidatingAdmisionPolicy",  "1.36", 'no matches for kind "ValidatingAdmisionPolicy" in version "admissionregistration.k8s.io/v1"; did you mean "ValidatingAdmissionPolicy"?'],
  ["v1",                                   "Deployment",                "1.36", 'no matches for kind "Deployment" in version "v1"'],
  ["apps/v2",                              "Deployment",                "1.36", 'no matches for kind "Deployment" in version "apps/v2"; use apps/v1'],
  ["extensions/v1beta1",                   "Ingress",                   "1.36", 'no matches for kind "Ingress" in version "extensions/v1beta1": removed in Kubernetes 1.22; use networking.k8s.io/v1'],
  ["policy/v1beta1",                       "PodSecurityPolicy",         "1.36", 'no matches for kind "PodSecurityPolicy" in version "policy/v1beta1": removed in Kubernetes 1.25'],
  ["policy/v1beta1",                       "PodSecurityPolicy",         "1.24", undefined],
  ["autoscaling/v2beta2",                  "HorizontalPodAutoscaler",   "1.36", 'no matches for kind "HorizontalPodAutoscaler" in version "autoscaling/v2beta2": removed in Kubernetes 1.26; use autoscaling/v1 or autoscaling/v2'],
  ["admissionregistration.k8s.io/v1",      "ValidatingAdmissionPolicy", "1.25", 'no matches for kind "ValidatingAdmissionPolicy" in version "admissionregistration.k8s.io/v1": served from Kubernetes 1.30 on'],
  ["admissionregistration.k8s.io/v1beta1", "ValidatingAdmissionPolicy", "1.31", undefined],
  ["admissionregistration.k8s.io/v1beta1", "ValidatingAdmissionPolicy", "1.36", 'no matches for kind "ValidatingAdmissionPolicy" in version "admissionregistration.k8s.io/v1beta1": removed in Kubernetes 1.34; use admissionregistration.k8s.io/v1'],
  ["app/v1",                               "Deployment",                "1.36", "no CustomResourceDefinition for app/v1 Deployment; did you mean apps/v1?"],
  ["rbac.k8s.io/v1",                       "Role",                      "1.36", "no CustomResourceDefinition for rbac.k8s.io/v1 Role; did you mean rbac.authorization.k8s.io/v1?"],
  ["serving.knative.dev/v1",               "Service",                   "1.36", "no CustomResourceDefinition for serving.knative.dev/v1 Service"],
  ["talos.dev/v1alpha1",                   "ServiceAccount",            "1.36", "no CustomResourceDefinition for talos.dev/v1alpha1 ServiceAccount"],
  ["example.com/v1",                       "Widget",                    "1.36", "no CustomResourceDefinition for example.com/v1 Widget"],
  ["autoscaling/v1",                       "Scale",                     "1.36", undefined],
];

test.each(cases)("%s %s in %s", (apiVersion, kind, minor, text) => {
  const wanted = gvk(apiVersion, kind);
  expect(kindProblemText(wanted, kindServed(wanted, minor))).toBe(text);
});

test("a beta is served where it is enabled", () => {
  const beta = gvk("admissionregistration.k8s.io/v1beta1", "MutatingAdmissionPolicy");
  expect(kindServed(beta)).toEqual({ code: "served", ifEnabled: true });
});
