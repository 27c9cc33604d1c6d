// StatefulSets.

import { semanticEqual } from "@celadon/base";
import type { StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy } from "../../api/generated/apps-v1.ts";
import type { PodTemplateSpec, Volume } from "../../api/generated/core-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { JsonShown } from "../../field-error.ts";
import { fieldPath } from "../../field-path.ts";
import { INT_OR_STRING } from "../../go-syntax.ts";
import { checkDns1123Label } from "../../names.ts";
import { fieldWarning, type Warning } from "../../warning.ts";
import { amountOf, atMost100Percent, intOrPercent } from "../checks/int-or-percent.ts";
import { annotations, labels, metadata, metadataUpdate } from "../checks/metadata.ts";
import { isEmptySelector } from "../checks/selectors.ts";
import { podAnnotations } from "../core/pod/annotations.ts";
import { templateWithoutDisabled } from "../core/pod/prepare.ts";
import { podTemplate } from "../core/pod/template.ts";
import { availableAreReady, replicaCounts } from "../core/replicas.ts";
import { claimSpec } from "../core/volume/claim.ts";
import { claimWarnings } from "../core/volume/claim-warnings.ts";
import {
  isNewGeneration,
  notDecremented,
  runsForever,
  selects,
  shownSelector,
  templateNotSelected,
  templateWarnings,
  workloadSelector,
} from "../core/workload.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

const TEMPLATE = ["spec", "template"];
/** The fields that an update may change. */
/** Since then the length of the history may change, and is warned about. */
const HISTORY_SINCE = 33;

const MUTABLE: readonly (keyof StatefulSetSpec)[] = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
];

const mutableFields = (by: Emulation): readonly (keyof StatefulSetSpec)[] =>
  by.since(HISTORY_SINCE) ? MUTABLE : MUTABLE.filter((field) => field !== "revisionHistoryLimit");

export const statefulSet: AnyKindRules = kindRules<StatefulSet>({
  kind: { group: "apps", kind: "StatefulSet" },
  resource: "statefulsets",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  generation: [SPEC],
  prepareCreate: (object, request) => prepare(object, request.by),
  prepareUpdate: (object, _old, request) => prepare(object, request.by),
  validate(object, at) {
    metadata(object.metadata, { namespaced: true, name: checkDns1123Label }, at.child("metadata"));
    statefulSetSpec(object.spec ?? {}, "create", at.child("spec"));
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    statefulSetSpec(object.spec ?? {}, "update", at.child("spec"));
    if (at.by.since(37)) {
      fixedFields(object.spec ?? {}, old.spec ?? {}, at.child("spec"));
      return;
    }
    let rest = object.spec ?? {};
    for (const field of mutableFields(at.by)) rest = withField(rest, [field], old.spec?.[field]);
    if (!semanticEqual(rest, old.spec ?? {})) {
      const history = at.by.since(HISTORY_SINCE) ? " 'revisionHistoryLimit'," : "";
      at.child("spec").forbidden(
        `updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy',${history} 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`,
      );
    }
  },
  warnOnCreate: (object, by) => [
    ...templateWarnings(by, object.spec?.template, ...TEMPLATE),
    ...claimTemplateWarnings(object),
    ...historyWarnings(object, by),
  ],
  warnOnUpdate: (object, old, by) => [
    ...(isNewGeneration(object, old) ? templateWarnings(by, object.spec?.template, ...TEMPLATE) : []),
    ...claimTemplateWarnings(object, "Spec"),
    ...historyWarnings(object, by),
  ],
  subresources: {
    status: {
      keeps: [SPEC],
      validateUpdate(object, old, at) {
        const place = at.child("status");
        const status = object.status ?? {};
        replicaCounts(status, [...COUNTS, "observedGeneration", "collisionCount"], PARTS, place);
        availableAreReady(status, "status.readyReplicas", place);
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
        notDecremented(status.collisionCount, old.status?.collisionCount, place.child("collisionCount"));
      },
    },
  },
});

/** Each by itself since 1.37. */
function fixedFields(spec: StatefulSetSpec, old: StatefulSetSpec, at: ValidatedField): void {
  at.child("selector").immutable(spec.selector, old.selector, shownSelector);
  at.child("volumeClaimTemplates").immutable(spec.volumeClaimTemplates, old.volumeClaimTemplates, (value) =>
    shownAs("[]core.PersistentVolumeClaim", value),
  );
  at.child("serviceName").immutable(spec.serviceName ?? "", old.serviceName ?? "");
  const policy = (value: unknown): unknown => new JsonShown(value ?? "");
  at.child("podManagementPolicy").immutable(spec.podManagementPolicy, old.podManagementPolicy, policy);
}

const COUNTS = ["replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
const PARTS = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];

function prepare(object: StatefulSet, by: Emulation): StatefulSet {
  const isKept = by.enables("MaxUnavailableStatefulSet");
  const rolling = isKept ? undefined : object.spec?.updateStrategy?.rollingUpdate;
  const kept = rolling && withField(rolling, ["maxUnavailable"], undefined);
  const prepared = rolling ? withField(object, ["spec", "updateStrategy", "rollingUpdate"], kept) : object;
  return withField(prepared, TEMPLATE, templateWithoutDisabled(object.spec?.template, by));
}

function statefulSetSpec(spec: StatefulSetSpec, operation: "create" | "update", at: ValidatedField): void {
  const { podManagementPolicy, selector, template } = spec;
  if (!podManagementPolicy) at.child("podManagementPolicy").required();
  else if (podManagementPolicy !== "OrderedReady" && podManagementPolicy !== "Parallel") {
    at.child("podManagementPolicy").invalid(new JsonShown(podManagementPolicy), "must be 'OrderedReady' or 'Parallel'");
  }
  updateStrategy(spec.updateStrategy ?? {}, at.child("updateStrategy"));
  const retention = at.child("persistentVolumeClaimRetentionPolicy");
  if (spec.persistentVolumeClaimRetentionPolicy) {
    const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy;
    retention.child("whenDeleted").oneOf(whenDeleted, ["Retain", "Delete"]);
    retention.child("whenScaled").oneOf(whenScaled, ["Retain", "Delete"]);
  }
  const isWhole = at.by.since(WHOLE_SINCE);
  if (operation === "create" && isWhole) {
    at.child("volumeClaimTemplates").each(spec.volumeClaimTemplates, (claim, each) =>
      claimSpec(claim.spec ?? {}, each.child("spec")),
    );
  }
  at.child("replicas").notNegative(spec.replicas);
  at.child("minReadySeconds").notNegative(spec.minReadySeconds);
  at.child("ordinals.start").notNegative(spec.ordinals?.start);
  if (operation === "create" && isWhole) at.child("serviceName").mayBe(spec.serviceName, checkDns1123Label);
  workloadSelector(selector, "empty selector is invalid for statefulset", at.child("selector"));
  const matches = selects(selector, template?.metadata?.labels);
  if (matches === undefined) at.child("selector").invalid(shownSelector(selector), "");
  else {
    const isSelective = selector == null || !isEmptySelector(selector);
    if (!matches && isSelective) templateNotSelected(template, at.child("template"));
    setTemplate(spec, isWhole, at.child("template"));
  }
  runsForever(template, "StatefulSet", at.child("template"));
}

/** Older servers look at no more of the template than its labels and annotations, and not at claims. */
const WHOLE_SINCE = 34;

// A set names its pods itself, and its claims are volumes of the template. Parts of the template are checked twice.
function setTemplate(spec: StatefulSetSpec, isWhole: boolean, at: ValidatedField): void {
  const template = asTemplateOfSet(spec);
  if (isWhole) podTemplate(template, at);
  labels(template.metadata?.labels, at.child("labels"));
  annotations(template.metadata?.annotations, at.child("annotations"));
  podAnnotations(template.metadata?.annotations ?? {}, template.spec ?? {}, at.child("annotations"));
}

function asTemplateOfSet(spec: StatefulSetSpec): PodTemplateSpec {
  const template = spec.template ?? {};
  const { subdomain: _subdomain, hostname: _hostname, ...podSpec } = template.spec ?? {};
  const claims = new Map(
    (spec.volumeClaimTemplates ?? []).map(({ metadata: meta }): [string, Volume] => {
      const name = meta?.name ?? "";
      return [name, { name, persistentVolumeClaim: { claimName: name } }];
    }),
  );
  if (claims.size === 0) return { ...template, spec: podSpec };
  const volumes = [...claims.values(), ...(podSpec.volumes ?? []).filter((volume) => !claims.has(volume.name ?? ""))];
  return { ...template, spec: { ...podSpec, volumes } };
}

function updateStrategy(strategy: StatefulSetUpdateStrategy, at: ValidatedField): void {
  const { type, rollingUpdate } = strategy;
  const place = at.child("rollingUpdate");
  switch (type) {
    case "OnDelete":
      if (rollingUpdate) {
        const shown = shownAs("apps.RollingUpdateStatefulSetStrategy", rollingUpdate);
        place.invalid(shown, "only allowed for updateStrategy 'RollingUpdate'");
      }
      break;
    case "RollingUpdate":
      if (rollingUpdate === undefined) break;
      place.child("partition").notNegative(rollingUpdate.partition);
      maxUnavailable(rollingUpdate.maxUnavailable, place.child("maxUnavailable"));
      break;
    default:
      if (!type) at.required();
      else {
        const shown = shownAs("apps.StatefulSetUpdateStrategy", strategy);
        at.invalid(shown, "must be 'RollingUpdate' or 'OnDelete'");
      }
  }
}

function maxUnavailable(value: number | string | undefined, at: ValidatedField): void {
  if (value === undefined) return;
  intOrPercent(value, at);
  if (amountOf(value) === 0) at.invalid(new JsonShown(value, INT_OR_STRING), "cannot be 0");
  atMost100Percent(value, at);
}

function claimTemplateWarnings(object: StatefulSet, ...below: readonly string[]): Warning[] {
  return (object.spec?.volumeClaimTemplates ?? []).flatMap(({ spec = {} }, i) => {
    const claim = fieldPath("spec", "volumeClaimTemplates").index(i);
    return claimWarnings(spec, claim.child(...below).standingAt(claim.child("spec").steps));
  });
}

function historyWarnings(object: StatefulSet, by: Emulation): Warning[] {
  if (by.before(HISTORY_SINCE)) return [];
  if ((object.spec?.revisionHistoryLimit ?? 0) >= 0) return [];
  return [
    fieldWarning(
      "spec.revisionHistoryLimit",
      "a negative value retains all historical revisions; a value >= 0 is recommended",
    ),
  ];
}
