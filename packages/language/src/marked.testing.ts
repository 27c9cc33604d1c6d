// Texts with a cursor `¦` in them, in a workspace.

import { Workspace } from "./workspace.ts";
import type { WorkspaceOptions } from "./workspace-files.ts";

export interface Marked {
  readonly workspace: Workspace;
  readonly uri: string;
  readonly text: string;
  readonly offset: number;
}

export function marked(
  text: string,
  others: Readonly<Record<string, string>> = {},
  options?: WorkspaceOptions,
): Marked {
  const workspace = new Workspace(options);
  for (const [uri, other] of Object.entries(others)) workspace.set(uri, other);
  const offset = text.indexOf("¦");
  const plain = text.replace("¦", "");
  workspace.set("a.yaml", plain);
  return { workspace, uri: "a.yaml", text: plain, offset };
}

const RULES = `  matchConstraints:
    resourceRules:
    - { apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE] }
`;

/** A policy on deployments; `more` are the lines of its spec below the rules. */
export function policy(more: string, { rules = RULES, name = "p" } = {}): string {
  return `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: { name: ${name} }\nspec:\n${rules}${more}`;
}

/** One validation with this expression, in a block. */
export function validation(expression: string, more = ""): string {
  return policy(`${more}  validations:\n  - expression: |\n      ${expression.replaceAll("\n", "\n      ")}\n`);
}

export const BINDING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: b }
spec: { policyName: p, validationActions: [Deny] }
`;

export const WIDGETS = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget, singular: widget, listKind: WidgetList }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: { type: integer, description: How large it is., maximum: 10 }
              parts: { type: array, maxItems: 5, items: { type: object, properties: { color: { type: string, maxLength: 10 } } } }
            x-kubernetes-validations:
            - rule: RULE
`;
