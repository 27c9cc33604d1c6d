// Files that an API server reads at its start. They are no objects of the API: nobody sends them, no policy sees them, and they need no name.

import { valueAt } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { FieldPath } from "@celadon/kube/errors";
import { roleOf } from "../manifest/roles.ts";
import type { Problem } from "../outcome/outcome.ts";
import { errorProblems, statusProblem, unknownFieldProblems, withoutReturned } from "../outcome/problems.ts";
import type { ReviewHost } from "../review-host.ts";
import { type ObjectStage, passing } from "./stage.ts";

/** Whether an object is such a file. */
export function isConfigurationFile(object: KubeObject): boolean {
  const role = roleOf(object);
  return role === "authentication" || role === "authorization";
}

/** Reads and validates the file. With an error the server does not start. */
export function fileStage(cluster: ReviewHost, file: KubeObject): ObjectStage {
  return {
    ...passing(file, () => null),
    decode() {
      const { errors = [], unknownFields = [], unreadable, status } = cluster.accepted(file) ?? {};
      const unknown = unknownFieldProblems(unknownFields, true, undefined);
      const invalid = errorProblems(errors, file);
      // The server ends at unknown fields; people want to see everything.
      const problems: Problem[] = [...unknown, ...(unknown.length === 0 ? invalid : withoutReturned(invalid))];
      if (problems.length === 0 && status !== undefined) problems.push(unreadableProblem(status, file, unreadable));
      return { object: file, problems, warnings: [], isFile: true, ...(status && { status }) };
    },
  };
}

function unreadableProblem(status: Parameters<typeof statusProblem>[0], file: KubeObject, at?: FieldPath): Problem {
  const problem = statusProblem(status, "validation", undefined, at);
  const value = at && valueAt(file, at.steps);
  return value === undefined ? problem : { ...problem, value };
}
