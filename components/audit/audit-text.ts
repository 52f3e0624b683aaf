import type { AuditEntry } from "#lib/contract/audit";

const deeds: Record<string, string> = {
  appended: "appended rows to",
  "dependencies-set": "changed the dependencies of",
  "training-requested": "started the training of",
  "import-requested": "started the import of",
  "run-requested": "started a run of",
  "override-added": "overrode predictions of",
  "override-ended": "ended an override of",
  "made-default": "set as default",
  "default-removed": "removed the default of",
  "member-added": "added a member to",
  "member-removed": "removed a member from",
  "member-updated": "changed the role of a member of",
  "version-deleted": "deleted a version of",
};

/** Describes an action: "created checkpoint", "started the training of model". */
export function actionText({ action }: Pick<AuditEntry, "action">): string {
  const at = action.indexOf(".");
  const subject = action.slice(0, at).replaceAll("-", " ");
  const verb = action.slice(at + 1);
  return `${deeds[verb] ?? verb.replaceAll("-", " ")} ${subject === "api key" ? "API key" : subject}`;
}

/** Highlights entries that delete something or that grant access. */
export function actionTone({
  action,
  entityType,
}: Pick<AuditEntry, "action" | "entityType">): "bad" | "accent" | "none" {
  if (/\.(deleted|revoked|disabled)$/.test(action)) return "bad";
  return entityType === "api-key" || entityType === "member" ? "accent" : "none";
}
