// `celadon devices`: the devices of ResourceSlices that device classes and resource claims select.

import { type DeviceRequest, deviceRequests } from "../../devices/device-requests.ts";
import { devicesText } from "../../devices/devices-text.ts";
import { loadInputs, pathsOf } from "../../inputs/inputs.ts";
import { FILES, READING } from "../../inputs/options.ts";
import { withUnread } from "../../inputs/unread.ts";
import type { CommandReport } from "../../output/answer.ts";
import { writeAnswer } from "../../output/write.ts";
import { type ArgsOf, type Command, defineCommand, type Option } from "../../program/command.ts";
import { EXIT, type ExitCode, UsageError } from "../../program/exit.ts";
import type { Io } from "../../program/io.ts";

const OPTIONS = [FILES, ...READING] as const satisfies readonly Option[];

export const command: Command = defineCommand({
  name: "devices",
  summary: "show which devices of ResourceSlices match device classes and resource claims",
  failure: "a selector cannot be evaluated, or a request matches no device",
  usage: "[-f] PATH… [flags]",
  about: `Evaluates the CEL selectors of DeviceClasses, and of the requests of ResourceClaims and ResourceClaimTemplates with those of their class,
for every device of the ResourceSlices. For each device that does not match, shows the selector that excludes it, or its error.

Only selectors are evaluated: nodes, capacity, taints, constraints and devices in use play no part.

The exit code is 1 if a selector cannot be evaluated, a class does not exist, or a request matches no device.`,
  options: OPTIONS,
  positionals: "files",
  examples: [
    { what: "show the devices of a claim", line: "celadon devices -f classes.yaml -f claim.yaml -f slices.yaml" },
    {
      what: "use the devices of a cluster",
      line: "kubectl get resourceslices,deviceclasses -o yaml | celadon devices -f claim.yaml -f -",
    },
  ],
  run: devices,
});

async function devices(args: ArgsOf<typeof OPTIONS>, io: Io): Promise<ExitCode> {
  const { manifests, issues } = await loadInputs(pathsOf(args), "devices", args, io);
  const requests = deviceRequests(manifests);
  if (requests.length === 0) {
    throw new UsageError(
      "no device classes or resource claims in the inputs",
      "name them with -f: celadon devices -f claims/",
    );
  }
  return writeAnswer(withUnread(reportOf(requests), issues), args, io);
}

function reportOf(requests: readonly DeviceRequest[]): CommandReport {
  const failures = requests.map((request) => ({ ...request, message: failureOf(request) }));
  return {
    results: failures.map(({ resource, request = "class", message }) => ({
      group: resource,
      name: request,
      level: message === undefined ? "pass" : "fail",
      rule: "devices/selectors",
      message: message ?? "",
      system: "devices",
    })),
    document: { apiVersion: "celadon.dev/v1", kind: "DeviceReport", requests },
    text: (paint) => devicesText(requests, paint),
    table: {
      columns: ["RESOURCE", "REQUEST", "DEVICE", "MATCHES", "ERROR"],
      rows: requests.flatMap(({ resource, request = "", devices: found }) =>
        found.map(({ device, matches, error = "" }) => [resource, request, device, String(matches), error]),
      ),
    },
    exit: failures.some(({ message }) => message !== undefined) ? EXIT.failed : EXIT.ok,
  };
}

/** A class may be for devices of other nodes. */
function failureOf({ request, problem, devices: found }: DeviceRequest): string | undefined {
  const error = found.find((device) => device.error !== undefined);
  if (problem !== undefined) return problem;
  if (error !== undefined) return `${error.device}: ${error.error}`;
  return request !== undefined && !found.some(({ matches }) => matches) ? "no device matches" : undefined;
}
