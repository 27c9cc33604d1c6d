// User, operation and namespace of the request: the form, and its one-line summary.

import type { WorkRequest } from "@celadon/language/playground";
import { byId, h } from "./dom.ts";

const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

export interface RequestForm {
  set(request: WorkRequest): void;
}

export function makeRequestForm(onChange: (request: WorkRequest) => void): RequestForm {
  const form = byId<HTMLFormElement>("request-form");
  const operation = h(
    "select",
    { id: "request-operation" },
    h("option", { value: "" }, "from the objects"),
    ...OPERATIONS.map((item) => h("option", { value: item }, item)),
  );
  const text = (id: string, hint: string): HTMLInputElement =>
    h("input", { id: `request-${id}`, type: "text", placeholder: hint, spellcheck: "false", autocapitalize: "off" });
  const user = text("user", "kubernetes-admin");
  const groups = text("groups", "system:masters, …");
  const namespace = text("namespace", "default");
  const subresource = text("subresource", "none");
  const dryRun = h("input", { id: "request-dry-run", type: "checkbox" });
  const field = (label: string, control: HTMLElement): HTMLElement =>
    h("label", { class: "field" }, h("span", {}, label), control);
  form.replaceChildren(
    field("Operation", operation),
    field("User", user),
    field("Groups", groups),
    field("Namespace", namespace),
    field("Subresource", subresource),
    h("label", { class: "field check" }, dryRun, h("span", {}, "Dry run")),
  );
  const read = (): WorkRequest => {
    const list = groups.value.split(/[\s,]+/).filter((item) => item !== "");
    const chosen = OPERATIONS.find((item) => item === operation.value);
    return {
      ...(chosen && { operation: chosen }),
      ...(user.value.trim() && { user: user.value.trim() }),
      ...(list.length > 0 && { groups: list }),
      ...(namespace.value.trim() && { namespace: namespace.value.trim() }),
      ...(subresource.value.trim() && { subresource: subresource.value.trim() }),
      ...(dryRun.checked && { dryRun: true }),
    };
  };
  const tell = (request: WorkRequest): void => {
    const parts = [
      request.operation,
      request.user && `by ${request.user}`,
      request.groups && `${request.groups.length > 1 ? "groups" : "group"} ${request.groups.join(", ")}`,
      request.namespace && `namespace ${request.namespace}`,
      request.subresource && `/${request.subresource}`,
      request.dryRun && "dry run",
    ];
    byId("request-summary").textContent = parts.filter(Boolean).join(" · ") || "from the objects, as kubernetes-admin";
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const request = read();
    tell(request);
    onChange(request);
  });
  return {
    set(request) {
      operation.value = request.operation ?? "";
      user.value = request.user ?? "";
      groups.value = (request.groups ?? []).join(", ");
      namespace.value = request.namespace ?? "";
      subresource.value = request.subresource ?? "";
      dryRun.checked = request.dryRun === true;
      tell(request);
    },
  };
}
