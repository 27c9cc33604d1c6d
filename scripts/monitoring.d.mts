export const dashboardNames: readonly string[];
/** A dashboard as Grafana imports it. */
export function dashboardOf(name: string): {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
};
