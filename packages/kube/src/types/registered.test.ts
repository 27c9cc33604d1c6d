import { expect, test } from "vitest";
import type { Minor } from "../versions.ts";
import { isRegistered } from "./registered.ts";

test.each<[string, string, Minor, boolean]>([
  ["apps/v1beta1", "Deployment", "1.37", true],
  ["apps/v1beta1", "DaemonSet", "1.37", false],
  ["autoscaling/v2beta2", "HorizontalPodAutoscaler", "1.35", true],
  ["autoscaling/v2beta2", "HorizontalPodAutoscaler", "1.36", false],
  ["scheduling.k8s.io/v1alpha1", "Workload", "1.34", false],
  ["scheduling.k8s.io/v1alpha1", "Workload", "1.35", true],
  ["scheduling.k8s.io/v1alpha1", "Workload", "1.36", false],
  ["resource.k8s.io/v1beta2", "DeviceClass", "1.37", true],
  ["example.com/v1", "Deployment", "1.37", false],
])("%s %s is registered in %s: %s", (apiVersion, kind, minor, registered) => {
  expect(isRegistered(apiVersion, kind, minor)).toBe(registered);
});
