// Resource quotas: a write that a quota has no room for is refused, and usage is counted before the write. Upstream: apiserver
// pkg/admission/plugin/resourcequota.

import type { AdmissionRequest } from "@celadon/admission";
import type { ResourceQuota } from "@celadon/kube/api/core-v1";
import type { AdmissionPlugin } from "@celadon/write";
import { checkQuotas } from "../../quota/quota-check.ts";
import { type PluginHosts, refusal } from "../plugin-hosts.ts";

const RETRIES = 3;

export interface QuotaHosts extends PluginHosts {
  /** Stores the status; false when the quota has changed meanwhile. */
  updateQuotaStatus(quota: ResourceQuota): Promise<boolean>;
  /** Milliseconds. */
  now(): number;
}

export function resourceQuota(hosts: QuotaHosts): AdmissionPlugin {
  /** One request of a namespace after the other, so that each sees the usage of the previous ones. */
  const turns = new Map<string, Promise<unknown>>();
  return {
    name: "ResourceQuota",
    validate(request) {
      const { namespace = "", resource, operation, subresource = "" } = request;
      if (namespace === "" || (operation !== "CREATE" && operation !== "UPDATE")) return undefined;
      if (resource.group === "" && (resource.resource === "resourcequotas" || resource.resource === "namespaces")) {
        if (resource.resource === "namespaces" || subresource !== "" || operation === "UPDATE") return undefined;
      }
      if (hosts.list("resourcequotas", namespace).length === 0) return undefined;
      const turn = (turns.get(namespace) ?? Promise.resolve()).then(() => charge(hosts, request));
      const settled = turn.catch(() => {});
      turns.set(namespace, settled);
      void settled.then(() => turns.get(namespace) === settled && turns.delete(namespace));
      return turn;
    },
  };
}

async function charge(hosts: QuotaHosts, request: AdmissionRequest): Promise<void> {
  const { namespace = "", dryRun = false } = request;
  for (let attempt = 0; ; attempt++) {
    const quotas = hosts.list("resourcequotas", namespace) as readonly ResourceQuota[];
    const checked = checkQuotas(quotas, request, hosts.now());
    if ("problem" in checked) throw refusal(request, checked.problem);
    if (dryRun || checked.changed.size === 0) return;
    let isWritten = true;
    for (const [quota, used] of checked.changed) {
      const texts = Object.fromEntries([...used].map(([name, quantity]) => [name, String(quantity)]));
      isWritten = await hosts.updateQuotaStatus({ ...quota, status: { ...quota.status, used: texts } });
      if (!isWritten) break;
    }
    if (isWritten) return;
    if (attempt === RETRIES)
      throw refusal(request, `the quotas of namespace ${namespace} are changing too fast, try again`);
  }
}
