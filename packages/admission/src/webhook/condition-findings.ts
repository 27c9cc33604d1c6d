// Match conditions of webhooks that fail for requests that the webhook matches: with failurePolicy Fail such requests are rejected.

import { expressionFields } from "../resources/expression-fields.ts";
import { factsOf } from "../resources/findings/expression-facts.ts";
import type { PolicyFinding } from "../resources/findings/finding.ts";
import { readWhereNull } from "../resources/findings/null-reads.ts";
import { unguardedReads } from "../resources/findings/unguarded.ts";
import type { Webhook, WebhookConfiguration } from "./configuration.ts";

/** Findings of each webhook of a configuration. */
export function webhookFindings(configuration: WebhookConfiguration): PolicyFinding[] {
  const fields = expressionFields(configuration);
  return (configuration.webhooks ?? []).flatMap((webhook: Webhook, i) => {
    const facts = factsOf(
      fields.filter(({ path }) => path[1] === i),
      [],
    );
    const nulls = readWhereNull(configuration, facts, webhook.rules ?? []);
    return [...nulls, ...unguardedReads(configuration, facts)];
  });
}
