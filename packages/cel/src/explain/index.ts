// @celadon/cel/explain: why an expression has its result. A recorder for evaluations, and the tree to show to people.

export { type DataPath, dataPathText } from "./data-path.ts";
export { type Explained, type ExpressionObserver, explained, type Observed } from "./explained.ts";
export { Recording } from "./recording.ts";
export { showValue } from "./show-value.ts";
export { type ExplainedLoop, type ExplainedNode, type ExplainOptions, explainTree } from "./tree.ts";
