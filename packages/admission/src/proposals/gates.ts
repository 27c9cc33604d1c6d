// Ideas of the proposals that Kubernetes never shipped, each behind a gate, all off. With a gate off its fields mean the same as in a
// cluster: unknown, and without effect.

/** The effects of each gate. */
export const GATES: Readonly<
  Record<
    | "SingletonPolicies"
    | "NamespacedBindings"
    | "NamespaceLists"
    | "NamedValidations"
    | "ValidationFailurePolicy"
    | "StrictTypeChecking"
    | "PolicyLimits",
    string
  >
> = {
  SingletonPolicies: "spec.singletonPolicy: a policy that needs no binding",
  NamespacedBindings: "metadata.namespace of a binding: it applies in that namespace alone",
  NamespaceLists: "namespaces and excludeNamespaces in matchConstraints and matchResources",
  NamedValidations: "name and code of a validation",
  ValidationFailurePolicy: "failurePolicy of a validation, in place of the policy's",
  StrictTypeChecking: "expressions that do not fit the types they are about are refused when written",
  PolicyLimits: "limits on bindings per policy and on the length of lists",
};

/** The name of a gate. */
export type GateName = keyof typeof GATES;

/** Feature gates that are on; all others are off. */
export type Gates = Readonly<Partial<Record<GateName, boolean>>>;

export const NO_GATES: Gates = {};

/** Reads `A=true,B=false`, as Kubernetes' own flag does. */
export function parseGates(text: string): Gates | { readonly error: string } {
  const gates: Partial<Record<GateName, boolean>> = {};
  for (const part of text.split(",").map((item) => item.trim())) {
    if (part === "") continue;
    const [name = "", value = "true"] = part.split("=", 2);
    if (!Object.hasOwn(GATES, name))
      return { error: `unknown gate '${name}'; there are ${Object.keys(GATES).join(", ")}` };
    if (value !== "true" && value !== "false") return { error: `gate '${name}' is true or false, not '${value}'` };
    gates[name as GateName] = value === "true";
  }
  return gates;
}
