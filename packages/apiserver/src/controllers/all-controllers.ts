// The controllers of a server, in the order they start.

import { hostname } from "node:os";
import type { Minor } from "@celadon/kube/versions";
import { timestamp } from "@celadon/write";
import type { KindTable } from "../kinds/kind-table.ts";
import type { NamedCaches } from "../store/named-caches.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { ApiServiceController } from "./api-service-controller.ts";
import { ClientAuthorityController } from "./client-authority-controller.ts";
import { ComponentObjects } from "./component-objects.ts";
import type { Controller } from "./controller.ts";
import { DefinitionController } from "./definition-controller.ts";
import { FlowSchemaController } from "./flow-schema-controller.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import { NamespaceController } from "./namespace-controller.ts";
import { PolicyStatusController } from "./policy-status-controller.ts";
import { QuotaController } from "./quota-controller.ts";
import { RoleAggregationController } from "./role-aggregation-controller.ts";
import { RootCaController } from "./root-ca-controller.ts";
import { ServerIdentityController } from "./server-identity-controller.ts";
import { ServiceAccountController } from "./service-account-controller.ts";
import { ServiceAddressesController } from "./service-addresses-controller.ts";
import { StorageProtectionController } from "./storage-protection-controller.ts";

export interface ControllerHosts {
  readonly kinds: KindTable;
  readonly objects: ObjectStore;
  readonly caches: NamedCaches;
  readonly now: () => number;
  /** PEM: given to every namespace. */
  readonly rootCa: string | undefined;
  /** PEM: the authorities of client certificates. */
  readonly clientCa: string | undefined;
  /** Also what Kubernetes' components and tools expect. */
  readonly componentObjects: boolean;
  /** The emulated minor; the newest when absent. */
  readonly kubeVersion?: Minor | undefined;
}

export function allControllers(hosts: ControllerHosts): readonly Controller[] {
  const { kinds, objects, caches, now, rootCa, clientCa, componentObjects, kubeVersion } = hosts;
  const time = (): string => timestamp(now());
  const namespaces = caches.of("namespaces");
  const definitions = caches.of("customresourcedefinitions.apiextensions.k8s.io");
  return [
    new DefinitionController(definitions, kinds, time),
    new NamespaceController(namespaces, kinds, time),
    new ServiceAccountController(namespaces, caches.of("serviceaccounts")),
    new RootCaController(namespaces, caches.of("configmaps"), rootCa),
    new FlowSchemaController(
      caches.of("flowschemas.flowcontrol.apiserver.k8s.io"),
      caches.of("prioritylevelconfigurations.flowcontrol.apiserver.k8s.io"),
      time,
    ),
    new RoleAggregationController(caches.of("clusterroles.rbac.authorization.k8s.io")),
    new GarbageCollector(objects, kinds),
    new QuotaController({
      quotas: caches.of("resourcequotas"),
      objects,
      cacheOf: (name) => caches.served(name),
      now,
    }),
    new StorageProtectionController({
      pods: caches.unparsed("pods"),
      claims: caches.unparsed("persistentvolumeclaims"),
      volumes: caches.unparsed("persistentvolumes"),
      classes: caches.unparsed("volumeattributesclasses.storage.k8s.io"),
    }),
    new PolicyStatusController(
      caches.of("validatingadmissionpolicies.admissionregistration.k8s.io"),
      definitions,
      kubeVersion,
    ),
    ...(componentObjects
      ? [
          new ApiServiceController(kinds, definitions, caches.of("apiservices.apiregistration.k8s.io")),
          new ComponentObjects(kubeVersion),
          new ClientAuthorityController(clientCa),
          new ServerIdentityController(hostname(), time),
          new ServiceAddressesController(kinds, caches.of("services"), caches.of("ipaddresses.networking.k8s.io")),
        ]
      : []),
  ];
}
