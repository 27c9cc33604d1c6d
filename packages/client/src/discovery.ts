// The resources that a server serves, with kind, scope and verbs. Aggregated discovery where the server has it, the lists of each group
// otherwise. A group whose server does not answer is named and left out; the others remain usable.

import type { GroupVersionResource } from "@celadon/kube";
import { type Api, ApiError } from "./api.ts";

/** A resource that an API server serves. */
export interface DiscoveredResource extends GroupVersionResource {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
  readonly singular: string;
  readonly shortNames: readonly string[];
}

/** The resources that an API server serves. */
export interface Discovered {
  readonly resources: readonly DiscoveredResource[];
  /** Group versions without an answer. */
  readonly failed: readonly string[];
}

/** Reads from an API server which resources it serves. */
export async function discover(api: Api): Promise<Discovered> {
  const parts = await Promise.all(["/api", "/apis"].map((path) => discoverBelow(api, path)));
  return { resources: parts.flatMap(({ resources }) => resources), failed: parts.flatMap(({ failed }) => failed) };
}

async function discoverBelow(api: Api, path: string): Promise<Discovered> {
  const answer = await api.raw(path, { accept: AGGREGATED });
  return isAggregated(answer) ? fromAggregated(answer) : fromLists(api, path, answer as LegacyRoot);
}

const AGGREGATED =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

interface Aggregated {
  readonly kind: "APIGroupDiscoveryList";
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope?: string;
        readonly verbs?: readonly string[];
        readonly singularResource?: string;
        readonly shortNames?: readonly string[];
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

function isAggregated(value: unknown): value is Aggregated {
  return (value as { readonly kind?: unknown } | null)?.kind === "APIGroupDiscoveryList";
}

function fromAggregated({ items = [] }: Aggregated): Discovered {
  const failed: string[] = [];
  const resources = items.flatMap(({ metadata, versions = [] }) =>
    versions.flatMap(({ version, freshness, resources: served = [] }) => {
      const group = metadata?.name ?? "";
      if (freshness === "Stale") failed.push(`${group}/${version}`);
      return served.map(
        (item): DiscoveredResource => ({
          group,
          version,
          resource: item.resource,
          kind: item.responseKind?.kind ?? "",
          namespaced: item.scope === "Namespaced",
          verbs: item.verbs ?? [],
          subresources: (item.subresources ?? []).map(({ subresource }) => subresource),
          singular: item.singularResource ?? "",
          shortNames: item.shortNames ?? [],
        }),
      );
    }),
  );
  return { resources, failed };
}

interface LegacyRoot {
  readonly versions?: readonly string[];
  readonly groups?: readonly { readonly versions?: readonly { readonly groupVersion: string }[] }[];
}

interface LegacyList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs?: readonly string[];
    readonly singularName?: string;
    readonly shortNames?: readonly string[];
  }[];
}

async function fromLists(api: Api, path: string, root: LegacyRoot): Promise<Discovered> {
  const versions = [
    ...(root.versions ?? []),
    ...(root.groups ?? []).flatMap((group) => (group.versions ?? []).map(({ groupVersion }) => groupVersion)),
  ];
  const failed: string[] = [];
  const lists = await Promise.all(
    versions.map(async (groupVersion) => {
      try {
        return fromList(groupVersion, (await api.raw(`${path}/${groupVersion}`)) as LegacyList);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        failed.push(groupVersion);
        return [];
      }
    }),
  );
  return { resources: lists.flat(), failed };
}

function fromList(groupVersion: string, { resources = [] }: LegacyList): readonly DiscoveredResource[] {
  const slash = groupVersion.indexOf("/");
  const [group, version] =
    slash === -1 ? ["", groupVersion] : [groupVersion.slice(0, slash), groupVersion.slice(slash + 1)];
  const below = (name: string): readonly string[] =>
    resources.flatMap((resource) =>
      resource.name.startsWith(`${name}/`) ? [resource.name.slice(name.length + 1)] : [],
    );
  return resources.flatMap((resource) =>
    resource.name.includes("/")
      ? []
      : [
          {
            group,
            version,
            resource: resource.name,
            kind: resource.kind,
            namespaced: resource.namespaced,
            verbs: resource.verbs ?? [],
            subresources: below(resource.name),
            singular: resource.singularName ?? "",
            shortNames: resource.shortNames ?? [],
          },
        ],
  );
}
