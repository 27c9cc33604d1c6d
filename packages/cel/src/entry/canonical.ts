// @celadon/cel/canonical: parsed and checked expressions in the `cel.expr` form that other implementations exchange.

export {
  type CanonicalChecked,
  type CanonicalExpr,
  type CanonicalParsed,
  type CanonicalType,
  checkedFromCanonical,
  checkedToCanonical,
  parsedFromCanonical,
  parsedToCanonical,
} from "../canonical/canonical.ts";
