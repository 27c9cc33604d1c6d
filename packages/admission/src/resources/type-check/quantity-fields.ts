// Fields of built-in types that hold quantities. The API describes a quantity as "a string or a number" and gives it no type,
// so the type checker does not see these fields at all: selecting one is a warning. Source: kubernetes
// pkg/generated/openapi/zz_generated.openapi.go, references to resource.Quantity.

// biome-ignore format: one type per line
const TABLE: Readonly<Record<string, string>> = {
  ContainerResourceMetricSource:      "targetAverageValue",
  ContainerResourceMetricStatus:      "currentAverageValue",
  ExternalMetricSource:               "targetValue targetAverageValue",
  ExternalMetricStatus:               "currentValue currentAverageValue",
  ObjectMetricSource:                 "targetValue averageValue",
  ObjectMetricStatus:                 "currentValue averageValue",
  PodsMetricSource:                   "targetAverageValue",
  PodsMetricStatus:                   "currentAverageValue",
  ResourceMetricSource:               "targetAverageValue",
  ResourceMetricStatus:               "currentAverageValue",
  HPAScalingRules:                    "tolerance",
  MetricTarget:                       "value averageValue",
  MetricValueStatus:                  "value averageValue",
  ContainerStatus:                    "allocatedResources",
  EmptyDirVolumeSource:               "sizeLimit",
  LimitRangeItem:                     "max min default defaultRequest maxLimitRequestRatio",
  NodeAllocatableResourceClaimStatus: "resources",
  NodeStatus:                         "capacity allocatable",
  PersistentVolumeClaimStatus:        "capacity allocatedResources",
  PersistentVolumeSpec:               "capacity",
  PodSpec:                            "overhead",
  PodStatus:                          "allocatedResources",
  ResourceFieldSelector:              "divisor",
  ResourceQuotaSpec:                  "hard",
  ResourceQuotaStatus:                "hard used",
  ResourceRequirements:               "limits requests",
  VolumeResourceRequirements:         "limits requests",
  Overhead:                           "podFixed",
  CapacityRequestPolicy:              "default validValues",
  CapacityRequestPolicyRange:         "min max step",
  CapacityRequirements:               "requests",
  Counter:                            "value",
  DeviceCapacity:                     "value",
  DeviceRequestAllocationResult:      "consumedCapacity",
  NodeAllocatableResourceMapping:     "allocationMultiplier",
  CSIStorageCapacity:                 "capacity maximumVolumeSize",
};

const FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(TABLE).map(([type, fields]) => [type, new Set(fields.split(" "))]),
);

/** Type names carry their version: `V1ResourceRequirements`. */
export function isQuantityField(typeName: string, field: string): boolean {
  return FIELDS.get(typeName.replace(/^V\d+((alpha|beta)\d+)?/, ""))?.has(field) ?? false;
}

const NAMES: ReadonlySet<string> = new Set(Object.values(TABLE).flatMap((fields) => fields.split(" ")));

/** Whether some type has a quantity under this name. */
export function isQuantityName(field: string): boolean {
  return NAMES.has(field);
}
