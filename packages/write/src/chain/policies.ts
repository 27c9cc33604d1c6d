// Policies and webhooks as plugins, for hosts without other plugins: mutating ones first, then, after the kind's own validation, validating
// policies before validating webhooks. All their reports are kept.

import { type AdmissionReport, type AdmissionRequest, admit, admitEntries } from "@celadon/admission";
import {
  type Chain,
  type ChainOptions,
  type MutatedRequest,
  mutateRequest,
  webhookHostsOf,
} from "@celadon/admission/chain";
import { type DispatchReport, dispatchValidating } from "@celadon/admission/webhook";
import type { Status } from "@celadon/kube/status";
import { StatusError } from "../status-error.ts";
import type { AdmissionPlugin } from "./plugin.ts";

/** The reports of the plugins that ran. */
export interface PolicyReports {
  mutated?: MutatedRequest;
  policies?: AdmissionReport;
  webhooks?: DispatchReport;
}

/** The plugins for policies and webhooks, in their order. They write their reports into `reports`. */
export function policyPlugins(chain: Chain, options: ChainOptions, reports: PolicyReports): readonly AdmissionPlugin[] {
  const { hosts, webhooks } = chain;
  return [
    {
      name: "MutatingAdmission",
      async mutate(request) {
        reports.mutated = await mutateRequest(request, chain, options);
        const { object, status } = reports.mutated;
        refuse(status);
        return object === null || object === request.object ? undefined : object;
      },
    },
    {
      name: "ValidatingAdmissionPolicy",
      async validate(request) {
        reports.policies = await validate(request, chain, options);
        refuse(reports.policies.status);
      },
    },
    {
      name: "ValidatingAdmissionWebhook",
      async validate(request) {
        if (webhooks.validating.length === 0) return;
        reports.webhooks = await dispatchValidating(request, webhooks.validating, webhookHostsOf(hosts), options);
        refuse(reports.webhooks.status);
      },
    },
  ];
}

function validate(
  request: AdmissionRequest,
  { policies, hosts }: Chain,
  options: ChainOptions,
): Promise<AdmissionReport> {
  return options.everyPolicy
    ? admitEntries(request, policies.entries(), hosts, options)
    : admit(request, policies, hosts, options);
}

function refuse(status: Status | undefined): void {
  if (status !== undefined) throw new StatusError(status);
}
