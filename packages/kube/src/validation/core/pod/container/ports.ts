// Ports of containers.

import type { Container, ContainerPort } from "../../../../api/generated/core-v1.ts";
import { checkPortName } from "../../../../names.ts";
import { portNumber } from "../../../checks/ports.ts";
import type { ValidatedField } from "../../../field.ts";

export const PROTOCOLS: readonly string[] = ["SCTP", "TCP", "UDP"];

export function containerPorts(ports: readonly ContainerPort[] | undefined, at: ValidatedField): void {
  const names = new Set<string>();
  at.each(ports, (port, each) => {
    if (port.name) {
      const { name } = port;
      const isName = each.holds(() => each.child("name").check(name, checkPortName));
      if (isName && names.has(name)) each.child("name").duplicate(name);
      if (isName) names.add(name);
    }
    if (port.containerPort) portNumber(port.containerPort, each.child("containerPort"));
    else each.child("containerPort").required();
    if (port.hostPort) portNumber(port.hostPort, each.child("hostPort"));
    each.child("protocol").mustBeOneOf(port.protocol, PROTOCOLS);
  });
}

/** No two containers take the same port of the host. */
export function uniqueHostPorts(containers: readonly Container[] | null | undefined, at: ValidatedField): void {
  const taken = new Set<string>();
  at.each(containers, (container, each) => {
    each.child("ports").each(container.ports, (port, place) => {
      if (!port.hostPort) return;
      const key = `${port.protocol ?? ""}/${port.hostIP ?? ""}/${port.hostPort}`;
      if (taken.has(key)) place.child("hostPort").duplicate(key);
      taken.add(key);
    });
  });
}
