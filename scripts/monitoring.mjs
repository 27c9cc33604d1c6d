// Writes the Grafana dashboards of monitoring/: node scripts/monitoring.mjs. A test compares their metrics with those of running programs.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./sources.mjs";

/** Panels by dashboard: title, unit, and an expression for each line with its legend. */
// biome-ignore format: one line of a panel per line
const DASHBOARDS = {
  webhook: {
    title: "Celadon webhook",
    panels: [
      { title: "Reviews by verdict", unit: "reqps", lines: [["sum by (review, verdict) (rate(celadon_webhook_reviews_total[$__rate_interval]))", "{{review}} {{verdict}}"]] },
      { title: "Time to answer", unit: "s", lines: [
        ["histogram_quantile(0.5, sum by (le) (rate(celadon_webhook_review_duration_seconds_bucket[$__rate_interval])))", "median"],
        ["histogram_quantile(0.99, sum by (le) (rate(celadon_webhook_review_duration_seconds_bucket[$__rate_interval])))", "99 %"],
      ] },
      { title: "Denials by policy", unit: "reqps", lines: [["topk(10, sum by (policy) (rate(celadon_webhook_policy_evaluations_total{result=\"deny\"}[$__rate_interval])))", "{{policy}}"]] },
      { title: "Errors by policy", unit: "reqps", lines: [["sum by (policy) (rate(celadon_webhook_policy_evaluations_total{result=\"error\"}[$__rate_interval]))", "{{policy}}"]] },
      { title: "Failures by enforcement action", unit: "reqps", lines: [["sum by (policy, enforcement_action) (rate(apiserver_validating_admission_policy_check_total[$__rate_interval]))", "{{policy}} {{enforcement_action}}"]] },
      { title: "Mutations by policy", unit: "reqps", lines: [["sum by (policy) (rate(apiserver_mutating_admission_policy_check_total[$__rate_interval]))", "{{policy}}"]] },
      { title: "Policies in force", unit: "short", lines: [["max(celadon_webhook_policies)", "policies"]] },
      { title: "Kinds of params", unit: "short", lines: [["min by (state) (celadon_webhook_param_kinds)", "{{state}}"]] },
      { title: "Reviews in flight", unit: "short", lines: [["sum(celadon_webhook_requests_in_flight)", "in flight"]] },
      { title: "Days until the certificate expires", unit: "d", lines: [["min(celadon_webhook_certificate_expiration_timestamp_seconds - time()) / 86400", "days"]] },
    ],
  },
};

/** A dashboard as Grafana imports it. */
export function dashboardOf(name) {
  const { title, panels } = DASHBOARDS[name];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
  const datasource = { type: "prometheus", uid: "${datasource}" };
  return {
    uid: `celadon-${name}`,
    title,
    tags: ["celadon"],
    schemaVersion: 39,
    refresh: "1m",
    time: { from: "now-6h", to: "now" },
    templating: { list: [{ name: "datasource", type: "datasource", query: "prometheus", label: "Data source" }] },
    panels: panels.map(({ title: panel, unit, lines }, i) => ({
      id: i + 1,
      title: panel,
      type: "timeseries",
      datasource,
      gridPos: { h: 8, w: 12, x: (i % 2) * 12, y: Math.floor(i / 2) * 8 },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: lines.map(([expr, legendFormat], j) => ({
        refId: String.fromCharCode(65 + j),
        datasource,
        expr,
        legendFormat,
      })),
    })),
  };
}

export const dashboardNames = Object.keys(DASHBOARDS);

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const name of dashboardNames) {
    writeFileSync(join(root, `monitoring/${name}.json`), `${JSON.stringify(dashboardOf(name), null, 2)}\n`);
    console.log(`written: monitoring/${name}.json`);
  }
}
