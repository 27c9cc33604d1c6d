// A pod as an object: metadata and spec together, and what pods have beyond templates.

import type { Container, Pod } from "../../../api/generated/core-v1.ts";
import { checkDns1123Subdomain } from "../../../names.ts";
import { metadata } from "../../checks/metadata.ts";
import type { ValidatedField } from "../../field.ts";
import { podAnnotations, profilesMatch } from "./annotations.ts";
import { imageWithoutBlanks } from "./container/containers.ts";
import { podSpec } from "./spec.ts";

export function podMetadataAndSpec(pod: Pod, at: ValidatedField, old?: Pod): void {
  const { spec = {} } = pod;
  metadata(pod.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  podAnnotations(pod.metadata?.annotations ?? {}, spec, at.child("metadata", "annotations"));
  podSpec(spec, pod.metadata, "pod", at.child("spec"), old?.spec);
  if (!spec.serviceAccountName) {
    at.child("spec", "volumes").each(spec.volumes, (volume, each) => {
      each.child("projected", "sources").each(volume.projected?.sources, (source, place) => {
        if (!source.serviceAccountToken) return;
        place.child("serviceAccountToken").forbidden("must not be specified when serviceAccountName is not set");
      });
    });
  }
  at.child("spec", "containers").each<Container>(spec.containers, imageWithoutBlanks);
  at.child("spec", "initContainers").each<Container>(spec.initContainers, imageWithoutBlanks);
}

export function newPod(pod: Pod, at: ValidatedField): void {
  const { spec = {} } = pod;
  podMetadataAndSpec(pod, at);
  if (spec.ephemeralContainers?.length) at.child("spec", "ephemeralContainers").forbidden("cannot be set on create");
  if (spec.nodeName && spec.schedulingGates?.length) {
    at.child("spec", "nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
  }
  profilesMatch(pod.metadata ?? {}, spec, at.child("spec"));
}
