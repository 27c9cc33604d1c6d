// The columns `kubectl get` prints. Built-in kinds have those people know; a definition may name its own.
// Upstream: kubernetes pkg/printers/internalversion, apiextensions-apiserver pkg/registry/customresource/tableconvertor.

import { toJson } from "@celadon/base";
import { Double } from "@celadon/cel";
import type { PrinterColumn } from "@celadon/crd";
import type { KubeObject } from "@celadon/kube";
import { convertBuiltin } from "./builtin-conversion.ts";
import { AGE, ageOf, type Cell, type Column, NAME } from "./columns/cells.ts";
import { CORE } from "./columns/core.ts";
import { GROUPS } from "./columns/groups.ts";
import { compileJsonPath } from "./columns/json-path.ts";
import { type ColumnDefinition, DEFAULT_COLUMNS, type RowCondition, type TableColumns } from "./table.ts";

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

const [NAME_DESCRIPTION, TIME_DESCRIPTION] = DEFAULT_COLUMNS.definitions.map(({ description }) => description);

/** The columns of a built-in kind; cells show the stored version. */
export function builtinColumns({ apiVersion, kind }: Kind, stored: Kind): TableColumns {
  const columns = CORE[`${apiVersion}/${kind}`] ?? GROUPS[`${apiVersion}/${kind}`];
  if (columns === undefined) return DEFAULT_COLUMNS;
  const { definitions, cells } = columnsOf(columns);
  const isStored = apiVersion === stored.apiVersion;
  return {
    definitions,
    cells: isStored ? cells : (object, now) => cells(convertBuiltin(object, stored), now),
    ...(kind === "Pod" && { conditions: podConditions }),
  };
}

function columnsOf(columns: readonly Column[]): TableColumns {
  const definitions = columns
    .filter(([name]) => name !== "")
    .map(([name, , type = "string", priority = 0]): ColumnDefinition => {
      const isName = name === "Name";
      const description = isName ? NAME_DESCRIPTION : name === "Age" ? TIME_DESCRIPTION : undefined;
      return {
        name,
        type,
        format: isName || name === "Attacher" ? "name" : "",
        description: description ?? "",
        priority,
      };
    });
  return { definitions, cells: (object, now) => columns.map(([, cell]) => cell(object, now)) };
}

/** Finished pods are distinguished. */
function podConditions({ status }: KubeObject): readonly RowCondition[] | undefined {
  const { phase } = (status ?? {}) as { phase?: string };
  if (phase !== "Succeeded" && phase !== "Failed") return undefined;
  const message = phase === "Succeeded" ? "The pod has completed successfully." : "The pod failed.";
  return [{ type: "Completed", status: "True", reason: phase, message }];
}

/** The columns of a custom resource: those of its definition, or the age. */
export function customColumns(columns: readonly PrinterColumn[] | undefined): TableColumns {
  if (columns === undefined || columns.length === 0) return columnsOf([NAME, ["Age", AGE[1], "date"]]);
  const own = columns.map(
    ({ name = "", type = "string", format = "", description = "", jsonPath = "", priority = 0 }) => ({
      name,
      type,
      format,
      description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
      priority,
    }),
  );
  const cells = columns.map(({ jsonPath = "", type = "string" }) => cellOf(jsonPath, type));
  const first = columnsOf([NAME]);
  return {
    definitions: [...first.definitions, ...own],
    cells: (object, now) => [object.metadata?.name ?? "", ...cells.map((cell) => cell(object, now))],
  };
}

/** The first value at a path; empty if it does not exist or has another type. */
function cellOf(jsonPath: string, type: string): Cell {
  const path = compileJsonPath(jsonPath);
  return (object, now) => {
    const value = path?.(object)[0];
    if (value === undefined || value === null) return null;
    switch (type) {
      case "date":
        return typeof value === "string" ? ageOf(value, now) : null;
      case "integer":
        return isNumber(value) ? Math.trunc(Number(value)) : null;
      case "number":
        return isNumber(value) ? value : null;
      case "boolean":
        return typeof value === "boolean" ? value : null;
      default:
        return typeof value === "object" && !(value instanceof Double) ? toJson(value) : String(value);
    }
  };
}

const isNumber = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "bigint" || value instanceof Double;
