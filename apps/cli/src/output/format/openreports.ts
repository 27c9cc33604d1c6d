// `-o openreports`: reports of openreports.io/v1alpha1, the successor of wgpolicyk8s.io.

import type { CommandReport } from "../answer.ts";
import { type ReportApi, renderReports } from "./policyreport.ts";

const OPEN_REPORTS: ReportApi = {
  apiVersion: "openreports.io/v1alpha1",
  kinds: ["Report", "ClusterReport"],
  fields: { source: "celadon" },
};

export const render = (answer: CommandReport): Generator<string> => renderReports(answer, OPEN_REPORTS);
