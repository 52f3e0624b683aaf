import type { AuditEntry } from "#lib/contract/members";

const deeds: Record<string, string> = {
  "dependencies-set": "changed the dependencies of",
  "training-requested": "started training",
  "import-requested": "started the import of",
};

/** "created checkpoint", "started training model". */
export function deedText({ action }: Pick<AuditEntry, "action">): string {
  const at = action.indexOf(".");
  const subject = action.slice(0, at).replaceAll("-", " ");
  const deed = action.slice(at + 1);
  return `${deeds[deed] ?? deed.replaceAll("-", " ")} ${subject === "api key" ? "API key" : subject}`;
}
