// @celadon/lint/costs: estimated and measured costs of expressions, and the versions of Kubernetes that reject them.

export { byShare, type CostRow, estimateTotal, type Measured, type RowEstimate, shareOf } from "./cost-row.ts";
export { costRows, definitionCosts } from "./cost-rows.ts";
export { CostWatch, Measurements } from "./measurements.ts";
