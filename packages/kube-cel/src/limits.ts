// Budgets and limits under the names Kubernetes gives them. Upstream: apiserver pkg/apis/cel/config.go, pkg/cel/limits.go,
// apiextensions-apiserver pkg/apis/apiextensions/validation.

/** Cost of one evaluation; one more and it ends with "operation cancelled: actual cost limit exceeded". */
export const PerCallLimit = 1_000_000;
/** Cost of all rules of one custom resource, or of all expressions of one policy binding, for one request. */
export const RuntimeCELCostBudget = 10_000_000;
/** Cost of all match conditions of one webhook or policy for one request. */
export const RuntimeCELCostBudgetMatchConditions = 2_500_000;
/** The size of the largest request, which every estimate assumes. */
export const MaxRequestSizeBytes: number = 3 * 1024 * 1024;
/** A longer message of a messageExpression is not used. */
export const MaxEvaluatedMessageExpressionSizeBytes: number = 5 * 1024;

/** Estimated cost of one rule of a CRD, times the number of places it applies to. */
export const StaticEstimatedCostLimit = 10_000_000;
/** Estimated cost of all rules of one version's schema. */
export const StaticEstimatedCRDCostLimit = 100_000_000;

/** Sizes of JSON texts that estimates are made of; quotes count. */
export const MaxDurationSizeJSON = 32;
/** The size of the longest point in time in JSON. */
export const MaxDatetimeSizeJSON = 32;
/** The size of the shortest duration in JSON. */
export const MinDurationSizeJSON = 3;
/** The size of a date in JSON. */
export const JSONDateSize = 12;
/** The size of the shortest point in time in JSON. */
export const MinDatetimeSizeJSON = 21;
/** The size of the shortest text in JSON. */
export const MinStringSize = 2;
/** The size of the shortest boolean in JSON. */
export const MinBoolSize = 4;
/** The size of the shortest number in JSON. */
export const MinNumberSize = 1;
/** Size that the equality of named formats is estimated by. */
export const MaxFormatSize = 64;
/** Size of the pattern that checking a named format is estimated by. */
export const MaxNameFormatRegexSize = 128;

/** Limits of the language itself, which Kubernetes leaves as cel-go has them. */
export const ExpressionSizeCodePointLimit = 100_000;
/** The greatest depth of an expression. */
export const MaxRecursionDepth = 250;
