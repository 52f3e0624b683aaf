import type { AuditEntityType } from "#lib/contract/audit";
import { eventNames } from "#lib/contract/channel";
import type { EventName } from "#lib/contract/realtime";

/** Reason why nothing is written. */
export type NoneBecause = `none because ${string}`;

/**
 * All actions of the audit log as `<entity>.<past tense>`, each with the event that `recordChange` publishes with the
 * entry.
 */
export const eventOfAction = {
  "project.created": "none because no client follows a project that does not exist yet",
  "project.updated": "project-updated",
  "project.dependencies-set": "project-updated",
  "project.member-added": "project-updated",
  "project.member-updated": "project-updated",
  "project.member-removed": "project-updated",
  "project.default-removed": "default-changed",
  "project.deleted": "none because its channel ends with the project",
  "dataset.replaced": "dataset-changed",
  "dataset.appended": "dataset-changed",
  "dataset.updated": "dataset-changed",
  "dataset.restored": "dataset-changed",
  "dataset.corrected": "dataset-changed",
  "dataset.version-deleted": "none because the current version stays",
  "upload.deleted": "none because an upload changes nothing until another call uses it",
  "model.training-requested": "none because job-updated reports the job",
  "model.import-requested": "none because job-updated reports the job",
  "model.trained": "model-trained",
  "model.imported": "model-trained",
  "checkpoint.created": "none because checkpoint-created follows once its job has stored it",
  "checkpoint.imported": "none because checkpoint-created follows once its job has stored it",
  "checkpoint.updated": "checkpoint-updated",
  "checkpoint.made-default": "default-changed",
  "checkpoint.deleted": "none because checkpoint-deleted follows once its job has removed it",
  "scenario.created": "none because job-updated reports the job, and scenario-completed its result",
  "scenario.run-requested": "none because job-updated reports the job, and scenario-completed its result",
  "scenario.updated": "scenario-updated",
  "scenario.override-added": "scenario-updated",
  "scenario.override-ended": "scenario-updated",
  "scenario.deleted": "scenario-deleted",
  "comparison.created": "none because a comparison is a page's selection, which no program follows",
  "comparison.updated": "none because a comparison is a page's selection, which no program follows",
  "comparison.deleted": "none because a comparison is a page's selection, which no program follows",
  "comparison.shared": "none because a link changes nothing in the comparison",
  "comparison.unshared": "none because a link changes nothing in the comparison",
  "job.cancelled": "none because job-updated reports the job",
  "job.retried": "none because job-updated reports the new job",
  "api-key.created": "none because only admins see keys, and each key reads the channel",
  "api-key.rotated": "none because only admins see keys, and each key reads the channel",
  "api-key.revoked": "none because only admins see keys, and each key reads the channel",
  "webhook.created": "none because only admins see webhooks",
  "webhook.updated": "none because only admins see webhooks",
  "webhook.rotated": "none because only admins see webhooks",
  "webhook.disabled": "none because only admins see webhooks",
  "webhook.deleted": "none because only admins see webhooks",
  "member.created": "none because members belong to no project",
  "member.updated": "none because members belong to no project",
  "member.disabled": "none because members belong to no project",
  "member.enabled": "none because members belong to no project",
  "member.deleted": "none because members belong to no project",
} as const satisfies Record<`${AuditEntityType}.${string}`, EventName | NoneBecause>;

export type AuditAction = keyof typeof eventOfAction;

/** Returns the event of an action; undefined if it has none. */
export function eventOf(action: AuditAction): EventName | undefined {
  return eventNames.find((name) => name === eventOfAction[action]);
}

type Written = AuditAction | EventName;

/**
 * Records of an operation or a job, written in the transaction of its change: actions of the audit log, each with its event,
 * and further events. Some calls omit those that end in a question mark.
 */
export type Records = readonly (Written | `${Written}?`)[] | NoneBecause;

/** Returns the audit actions and events of records, and whether every call writes them. */
export function listRecords(records: Records): { name: string; always: boolean }[] {
  if (typeof records === "string") return [];
  return records.flatMap((record) => {
    const always = !record.endsWith("?");
    const name = always ? record : record.slice(0, -1);
    const event = eventOf(name as AuditAction);
    return event === undefined
      ? [{ name, always }]
      : [
          { name, always },
          { name: event, always },
        ];
  });
}
