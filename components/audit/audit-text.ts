import type { AuditEntry } from "#lib/contract/audit";

const deeds: Record<string, string> = {
  "dependencies-set": "changed the dependencies of",
  "training-requested": "started training",
  "import-requested": "started the import of",
  "made-default": "made the default",
};

/** Describes an action: "created checkpoint", "started training model". */
export function actionText({ action }: Pick<AuditEntry, "action">): string {
  const at = action.indexOf(".");
  const subject = action.slice(0, at).replaceAll("-", " ");
  const deed = action.slice(at + 1);
  return `${deeds[deed] ?? deed.replaceAll("-", " ")} ${subject === "api key" ? "API key" : subject}`;
}

/** Highlights entries that delete something or that grant access. */
export function actionTone({
  action,
  entityType,
}: Pick<AuditEntry, "action" | "entityType">): "bad" | "accent" | "none" {
  if (/\.(deleted|revoked|disabled)$/.test(action)) return "bad";
  return entityType === "api-key" || entityType === "member" ? "accent" : "none";
}
