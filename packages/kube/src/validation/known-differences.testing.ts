// Recorded requests that are answered otherwise here, with the reason.

/** By file of recordings: the id of the request, and why it differs. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

/** Answers of older servers that are not given here, by reason and minor. All are about texts and warnings; every verdict is the same. */
export const MINOR_DIFFERENCES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "The text of the data is kept with its blanks, and has another type in 1.30": {
    "1.30": ["controllerrevision/update data"],
    "1.32": ["controllerrevision/update data"],
  },
  "Go keeps the digits that a quantity was written with; here it is canonical once it is decoded": {
    "1.30": [
      "deployment/spec.template.spec.containers.0.resources.requests put example.com/x=1.5",
      'limitrange/spec.limits.0.max.memory "1.5"',
      'limitrange/spec.limits.0.min.cpu "1.5"',
      'limitrange/spec.limits.0.defaultRequest.cpu "1.5"',
      'limitrange/spec.limits.0.defaultRequest.memory "1.5"',
      "pod-container/spec.containers.0.resources.requests put example.com/x=1.5",
      'pod-container/spec.containers.0.resources.requests.example.com/gpu "1.5"',
      "pod-container/spec.containers.0.resources.limits put example.com/x=1.5",
      'pod-container/spec.containers.0.resources.limits.example.com/gpu "1.5"',
      'pod-container/spec.containers.0.resources.limits.example.com/gpu "0.0001"',
      "resourcequota/hard fraction",
      'resourcequota/spec.hard.pods "1.5"',
      'resourcequota/spec.hard.sc.storageclass.storage.k8s.io/requests.storage "1.5"',
      "runtimeclass/overhead.podFixed put example.com/x=1.5",
    ],
    "1.32": [
      "deployment/spec.template.spec.containers.0.resources.requests put example.com/x=1.5",
      'limitrange/spec.limits.0.max.memory "1.5"',
      'limitrange/spec.limits.0.min.cpu "1.5"',
      'limitrange/spec.limits.0.defaultRequest.cpu "1.5"',
      'limitrange/spec.limits.0.defaultRequest.memory "1.5"',
      "pod-container/spec.containers.0.resources.requests put example.com/x=1.5",
      'pod-container/spec.containers.0.resources.requests.example.com/gpu "1.5"',
      "pod-container/spec.containers.0.resources.limits put example.com/x=1.5",
      'pod-container/spec.containers.0.resources.limits.example.com/gpu "1.5"',
      'pod-container/spec.containers.0.resources.limits.example.com/gpu "0.0001"',
      "resourcequota/hard fraction",
      'resourcequota/spec.hard.pods "1.5"',
      'resourcequota/spec.hard.sc.storageclass.storage.k8s.io/requests.storage "1.5"',
      "runtimeclass/overhead.podFixed put example.com/x=1.5",
    ],
    "1.33": [
      "deployment/spec.template.spec.containers.0.resources.requests put example.com/x=1.5",
      'limitrange/spec.limits.0.min.cpu "1.5"',
      'limitrange/spec.limits.0.defaultRequest.cpu "1.5"',
      'limitrange/spec.limits.0.defaultRequest.memory "1.5"',
      "pod-container/spec.containers.0.resources.requests put example.com/x=1.5",
      'pod-container/spec.containers.0.resources.requests.example.com/gpu "1.5"',
      "pod-container/spec.containers.0.resources.limits put example.com/x=1.5",
      'pod-container/spec.containers.0.resources.limits.example.com/gpu "1.5"',
      'pod-container/spec.containers.0.resources.limits.example.com/gpu "0.0001"',
      "resourcequota/hard fraction",
      'resourcequota/spec.hard.pods "1.5"',
      'resourcequota/spec.hard.sc.storageclass.storage.k8s.io/requests.storage "1.5"',
      "runtimeclass/overhead.podFixed put example.com/x=1.5",
    ],
  },
  "The template is compared after it was defaulted once more": {
    "1.30": [
      "job-indexed/update completions+parallelism",
      "job-indexed/update successPolicy",
      "job-indexed/update completions only",
    ],
  },
  "The change is shown as go-cmp prints it, in a layout that it does not promise to keep": {
    "1.30": [
      "pv/update source",
      "pv/update driver",
      "pv/update secret",
      "pv-hostpath/update source",
      "pvc/update bound grow unbound",
      "pvc/update shrink",
      "pvc/update bound shrink",
      "pvc/update modes",
      "pvc/update bound class",
      "pvc/update volumeName",
      "pvc/update bound volumeName removed",
      "pvc/update selector",
      "pvc/update volumeMode",
      "pvc/update bound limits",
      "pvc-source/update dataSource",
      "pvc/update shrink below capacity",
      "pvc/update shrink to recover",
      "pod-min/update image empty",
      "pod-min/update image space",
      "pod-min/update nodeName",
      "pod-min/update resources",
      "pod-min/update hostNetwork",
      "pod-min/update container name",
      "pod-min/update grace 30 -1",
      "pod-min/update grace -1 5",
      "pod-min/update affinity",
      "pod-min/update gated podAffinity",
      "pod-min/update apparmor annotation remove",
      "pod-min/update apparmor annotation change",
      "pod-min/update invalid env on update",
    ],
    "1.32": [
      "pv/update source",
      "pv/update driver",
      "pv/update secret",
      "pv-hostpath/update source",
      "pvc/update bound grow unbound",
      "pvc/update shrink",
      "pvc/update bound shrink",
      "pvc/update modes",
      "pvc/update bound class",
      "pvc/update volumeName",
      "pvc/update bound volumeName removed",
      "pvc/update selector",
      "pvc/update volumeMode",
      "pvc/update bound limits",
      "pvc-source/update dataSource",
      "pvc/update shrink below capacity",
      "pvc/update shrink to recover",
      "pod-min/update image empty",
      "pod-min/update image space",
      "pod-min/update nodeName",
      "pod-min/update resources",
      "pod-min/update hostNetwork",
      "pod-min/update container name",
      "pod-min/update grace 30 -1",
      "pod-min/update grace -1 5",
      "pod-min/update affinity",
      "pod-min/update gated podAffinity",
      "pod-min/update apparmor annotation remove",
      "pod-min/update apparmor annotation change",
      "pod-min/update invalid env on update",
    ],
  },
  "A text that is too long has other words for this field up to 1.31": {
    "1.30": ["pod-min/pod appArmor {'type': 'Localhost', 'localhostProfile': 'xxxxxxxxxxxxxxxxx"],
  },
  "An empty map is kept apart from none": {
    "1.32": ["pv/spec.capacity.storage remove"],
    "1.33": ["pv/spec.capacity.storage remove"],
  },
  "The files of account tokens have a source, and 1.32 and 1.33 compare them": {
    "1.32": ["pod-volumes/spec.volumes.6.projected.sources.1.configMap.items remove"],
    "1.33": ["pod-volumes/spec.volumes.6.projected.sources.1.configMap.items remove"],
  },
  "The deprecation of the kind is reported last in the recording": {
    "1.33": ["endpoints/padded"],
  },
  "An empty restart policy of an init container is not reported by 1.34.1": {
    "1.34": ['pod-init/spec.initContainers.1.restartPolicy ""'],
  },
  "1.34.1 warns about a session affinity of None, too, which later patches do not": {
    "1.34": [
      "service-min/no ports headless",
      "service-min/headless externalIPs",
      "service-headless/warn loadBalancerIP",
      "service-headless/valid",
      "service-headless/spec.ports remove",
    ],
  },
};

/** The requests that a minor answers otherwise than here. */
export function knownMinorDifferences(minor: string): string[] {
  return Object.values(MINOR_DIFFERENCES).flatMap((minors) => minors[minor] ?? []);
}

/** Kinds without rules. */
export const NOT_COVERED: ReadonlySet<string> = new Set([]);
