// The apiregistration.k8s.io group: APIs that other servers serve.

import { quoteGo } from "@celadon/base";
import type { APIService, APIServiceSpec, ServiceReference } from "../../api/generated/apiregistration-v1.ts";
import { checkDns1035Label, checkDns1123Subdomain, checkPathSegmentName, checkPortNumber } from "../../names.ts";
import { byteLength } from "../checks/bytes.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, type Request, SPEC, STATUS } from "../rules.ts";

const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;
const STATUS_VALUES = ["True", "False", "Unknown"];

const apiService: AnyKindRules = kindRules<APIService>({
  kind: { group: "apiregistration.k8s.io", kind: "APIService" },
  resource: "apiservices",
  namespaced: false,
  unconditionalUpdate: false,
  drops: [STATUS],
  keeps: [STATUS],
  prepareCreate: withLocalStatus,
  validate: wholeService,
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"), { anyFinalizer: true });
    wholeService(object, at);
  },
  subresources: {
    status: {
      keeps: [
        SPEC,
        ["metadata", "labels"],
        ["metadata", "annotations"],
        ["metadata", "finalizers"],
        ["metadata", "ownerReferences"],
      ],
      validateUpdate(object, old, at) {
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"), { anyFinalizer: true });
        at.child("status", "conditions").each(object.status?.conditions, (condition, each) =>
          each.child("status").oneOf(condition.status, STATUS_VALUES),
        );
      },
    },
  },
});

/** APIs that this server serves itself are available at once. */
function withLocalStatus(object: APIService, { now }: Request): APIService {
  if (object.spec?.service !== undefined && object.spec.service !== null) return object;
  const available = {
    type: "Available",
    status: "True",
    lastTransitionTime: now,
    reason: "Local",
    message: "Local APIServices are always available",
  };
  return { ...object, status: { conditions: [available] } };
}

function wholeService(object: APIService, at: ValidatedField): void {
  const { group = "", version = "" } = object.spec ?? {};
  const wanted = `${version}.${group}`;
  const name = (text: string): string[] => {
    const problems = checkPathSegmentName(text);
    if (problems.length > 0 || text === wanted) return problems;
    return [`must be \`spec.version+"."+spec.group\`: ${quoteGo(wanted)}`];
  };
  metadata(object.metadata, { namespaced: false, name, anyFinalizer: true }, at.child("metadata"));
  serviceSpec(object.spec ?? {}, at.child("spec"));
}

function serviceSpec(spec: APIServiceSpec, at: ValidatedField): void {
  if (!spec.group && spec.version !== "v1") {
    at.child("group").required("only v1 may have an empty group and it better be legacy kube");
  }
  at.child("group").mayBe(spec.group, checkDns1123Subdomain);
  at.child("version").check(spec.version, checkDns1035Label);
  priority(spec.groupPriorityMinimum ?? 0, MAX_GROUP_PRIORITY, at.child("groupPriorityMinimum"));
  priority(spec.versionPriority ?? 0, MAX_VERSION_PRIORITY, at.child("versionPriority"));
  const { service, caBundle, insecureSkipTLSVerify: insecure } = spec;
  if (service != null) remote(service, at.child("service"));
  else if (caBundle) {
    at.child("caBundle").invalid(`${byteLength(caBundle)} bytes`, "local APIServices may not have a caBundle");
  }
  if (!insecure) return;
  const place = at.child("insecureSkipTLSVerify");
  if (service == null) place.invalid(true, "local APIServices may not have insecureSkipTLSVerify");
  else if (caBundle) place.invalid(true, "may not be true if caBundle is present");
}

function priority(value: number, max: number, at: ValidatedField): void {
  if (value <= 0 || value > max) at.invalid(value, `must be positive and less than ${max}`);
}

function remote(service: ServiceReference, at: ValidatedField): void {
  at.child("namespace").mustExist(service.namespace);
  at.child("name").mustExist(service.name);
  const port = service.port ?? 0;
  const problems = checkPortNumber(port);
  if (problems.length > 0) at.child("port").invalid(port, `port is not valid: ${problems.join(", ")}`);
}

export const KINDS: readonly AnyKindRules[] = [apiService];
