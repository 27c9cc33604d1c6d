// The hosts of the chain as webhooks need them. Without a transport no webhook is called.

import type { GroupVersionKind, KubeObject } from "@celadon/kube";
import { isInvalid } from "@celadon/kube/errors";
import type { WebhookHosts } from "../webhook/transport.ts";
import type { ChainHosts } from "./chain.ts";

const NOBODY: WebhookHosts["transport"] = {
  knows: () => false,
  call: () => {
    throw new Error("no webhook is called here");
  },
};

/** The hosts of a chain as calls of webhooks need them. */
export function webhookHostsOf(hosts: ChainHosts): WebhookHosts {
  const { complete } = hosts;
  return {
    ...hosts,
    transport: hosts.transport ?? NOBODY,
    uid: hosts.uid ?? (() => ""),
    ...(complete && {
      decode: async (object: KubeObject, kind: GroupVersionKind): Promise<KubeObject> => {
        const completed = await complete.call(hosts, object, kind, "lenient");
        if (isInvalid(completed)) throw new Error(completed.message);
        return completed;
      },
    }),
  };
}
