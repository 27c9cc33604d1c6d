// A simulated cluster: stand-ins for the controllers, the scheduler and the kubelets of a cluster, without containers. Off unless it is asked
// for; a stand-in that cannot do what Kubernetes' own tests ask is not among them.

import type { Controller } from "../controller.ts";
import { World, type WorldHosts } from "./frame/world.ts";
import { KubeletStandIn } from "./nodes/kubelet-stand-in.ts";
import { NodeStandIn } from "./nodes/node-stand-in.ts";
import { SchedulerStandIn } from "./nodes/scheduler-stand-in.ts";
import { VolumeStandIn } from "./nodes/volumes.ts";
import { DisruptionStandIn } from "./services/disruption.ts";
import { EndpointSliceStandIn } from "./services/endpoint-slices.ts";
import { EndpointsStandIn } from "./services/endpoints.ts";
import { CronJobStandIn } from "./workloads/cron-jobs.ts";
import { DaemonSetStandIn } from "./workloads/daemon-sets.ts";
import { DeploymentStandIn } from "./workloads/deployments.ts";
import { JobStandIn } from "./workloads/jobs.ts";
import { replicaSets, replicationControllers } from "./workloads/replica-sets.ts";
import { StatefulSetStandIn } from "./workloads/stateful-sets.ts";

export function simulationControllers(hosts: WorldHosts): readonly Controller[] {
  const world = new World(hosts);
  return [
    new NodeStandIn(world),
    new SchedulerStandIn(world),
    new KubeletStandIn(world),
    replicaSets(world),
    replicationControllers(world),
    new DeploymentStandIn(world),
    new StatefulSetStandIn(world),
    new DaemonSetStandIn(world),
    new JobStandIn(world),
    new CronJobStandIn(world),
    new EndpointSliceStandIn(world),
    new EndpointsStandIn(world),
    new DisruptionStandIn(world),
    new VolumeStandIn(world),
  ];
}
