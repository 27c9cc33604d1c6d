// Probes and lifecycle hooks: one handler each, and how often it is called.

import type {
  ExecAction,
  GRPCAction,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  Probe,
  SleepAction,
  TCPSocketAction,
} from "../../../../api/generated/core-v1.ts";
import { portNumber, portNumberOrName } from "../../../checks/ports.ts";
import { checkHttpHeaderName } from "../../../checks/texts.ts";
import type { ValidatedField } from "../../../field.ts";

const SCHEMES: readonly string[] = ["HTTP", "HTTPS"];

/** The three probes of a container. */
export interface Probes {
  readonly livenessProbe?: Probe | undefined;
  readonly readinessProbe?: Probe | undefined;
  readonly startupProbe?: Probe | undefined;
}

export function probes(container: Probes, gracePeriod: number | undefined, at: ValidatedField): void {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  if (livenessProbe) probeThatSucceedsOnce(livenessProbe, gracePeriod, at.child("livenessProbe"));
  if (readinessProbe) {
    const place = at.child("readinessProbe");
    probe(readinessProbe, gracePeriod, place);
    if (readinessProbe.terminationGracePeriodSeconds !== undefined) {
      const seconds = readinessProbe.terminationGracePeriodSeconds;
      place.child("terminationGracePeriodSeconds").invalid(seconds, "must not be set for readinessProbes");
    }
  }
  if (startupProbe) probeThatSucceedsOnce(startupProbe, gracePeriod, at.child("startupProbe"));
}

function probeThatSucceedsOnce(given: Probe, gracePeriod: number | undefined, at: ValidatedField): void {
  probe(given, gracePeriod, at);
  const times = given.successThreshold ?? 0;
  if (times !== 1) at.child("successThreshold").invalid(times, "must be 1");
}

function probe(given: Probe, gracePeriod: number | undefined, at: ValidatedField): void {
  handler(given, gracePeriod, at);
  at.child("initialDelaySeconds").notNegative(given.initialDelaySeconds);
  at.child("timeoutSeconds").notNegative(given.timeoutSeconds);
  at.child("periodSeconds").notNegative(given.periodSeconds);
  at.child("successThreshold").notNegative(given.successThreshold);
  at.child("failureThreshold").notNegative(given.failureThreshold);
  const seconds = given.terminationGracePeriodSeconds;
  if (seconds !== undefined && seconds <= 0) {
    at.child("terminationGracePeriodSeconds").invalid(seconds, "must be greater than 0");
  }
}

export function lifecycle(hooks: Lifecycle, gracePeriod: number | undefined, at: ValidatedField): void {
  if (hooks.postStart) handler(hooks.postStart, gracePeriod, at.child("postStart"));
  if (hooks.preStop) handler(hooks.preStop, gracePeriod, at.child("preStop"));
}

type Handler = LifecycleHandler & { readonly grpc?: GRPCAction | undefined };

function handler(given: Handler, gracePeriod: number | undefined, at: ValidatedField): void {
  const { exec, httpGet, tcpSocket, grpc, sleep } = given;
  let found = false;
  const use = <T>(name: string, action: T | undefined, rule: (action: T, at: ValidatedField) => void): void => {
    if (action === undefined) return;
    if (found) at.child(name).forbidden("may not specify more than 1 handler type");
    else rule(action, at.child(name));
    found = true;
  };
  use("exec", exec, command);
  use("httpGet", httpGet, httpRequest);
  use("tcpSocket", tcpSocket, (action: TCPSocketAction, place) => portNumberOrName(action.port, place.child("port")));
  use("grpc", grpc, (action: GRPCAction, place) => portNumber(action.port, place.child("port")));
  use("sleep", sleep, (action: SleepAction, place) => pause(action, gracePeriod, place));
  if (!found) at.required("must specify a handler type");
}

function command(action: ExecAction, at: ValidatedField): void {
  at.child("command").mustExist(action.command);
}

function httpRequest(action: HTTPGetAction, at: ValidatedField): void {
  at.child("path").mustExist(action.path);
  portNumberOrName(action.port, at.child("port"));
  at.child("scheme").oneOf(action.scheme, SCHEMES);
  for (const header of action.httpHeaders ?? []) at.child("httpHeaders").check(header.name, checkHttpHeaderName);
}

function pause(action: SleepAction, gracePeriod: number | undefined, at: ValidatedField): void {
  const seconds = action.seconds ?? 0;
  if (!at.by.enables("PodLifecycleSleepActionAllowZero")) {
    if (gracePeriod === undefined || (seconds > 0 && seconds <= gracePeriod)) return;
    const range = `must be greater than 0 and less than terminationGracePeriodSeconds (${gracePeriod})`;
    const gate = ". Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.";
    at.invalid(seconds, at.by.since(32) ? `${range}${gate}` : range);
    return;
  }
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return;
  at.invalid(seconds, `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`);
}
