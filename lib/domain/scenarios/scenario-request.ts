import { z } from "zod";
import { DateOrInstant } from "#lib/contract/common";
import { instantOf } from "#lib/contract/instant";
import type { CreateScenario } from "#lib/contract/scenarios";
import type { DependencyNode } from "#lib/domain/projects/dependency-graph";
import { DomainError, type ErrorDetail, requireNoIssues } from "#lib/platform/errors/domain-error";

/** Display colour of a scenario that sets none. */
export const defaultColor = "#3498db";

/** Where a scenario's input comes from. */
export type InputSource =
  | { kind: "Upload"; fileData: string; uploadId: null }
  | { kind: "Upload"; fileData: null; uploadId: string }
  | { kind: "Clone"; baseScenarioId: string }
  /** `endsOnDay`: the request sent the end as a date without a time. */
  | { kind: "Generated"; endDate: number | null; endsOnDay: boolean };

/**
 * Determines the source of a scenario's input: a base64 CSV, an upload or a base scenario. Without any of these, the input
 * is generated.
 *
 * @throws {DomainError} validation_failed for more than one source, or for adjustments without a base scenario
 */
export function inputSource(body: CreateScenario): InputSource {
  const { fileData, uploadId, baseScenarioId, adjustments } = body;
  const named = Object.entries({ fileData, uploadId, baseScenarioId }).filter(([, value]) => value != null);
  const details: ErrorDetail[] = [];
  if (named.length > 1) {
    const fields = named.map(([field]) => field).join(" and ");
    for (const [field] of named)
      details.push({ field, code: "contradiction", message: `Send only one of ${fields}.` });
  }
  if (adjustments?.length && baseScenarioId == null) {
    details.push(needsBase());
  }
  requireNoIssues("validation_failed", details);
  if (fileData != null) return { kind: "Upload", fileData, uploadId: null };
  if (uploadId != null) return { kind: "Upload", fileData: null, uploadId };
  if (baseScenarioId != null) return { kind: "Clone", baseScenarioId: baseScenarioId.toLowerCase() };
  if (body.endDate == null) return { kind: "Generated", endDate: null, endsOnDay: false };
  return { kind: "Generated", endDate: instantOf(body.endDate), endsOnDay: isDate(body.endDate) };
}

export function needsBase(): ErrorDetail {
  const message = "Adjustments change the input of a base scenario. Send its ID as baseScenarioId.";
  return { field: "adjustments", code: "required", message };
}

const isDate = (text: string) => z.iso.date().safeParse(text).success;

/**
 * Parses an end of a range from a query: a row number, or a time to epoch milliseconds.
 *
 * @returns NaN for an invalid value
 */
export function seriesBound(text: string, timed: boolean): number {
  if (/^\d{1,9}$/.test(text) && !timed) return Number(text);
  return timed && DateOrInstant.safeParse(text).success ? instantOf(text) : Number.NaN;
}

/** Rejects a project ID in two spellings, because either of the two checkpoints could be meant. */
function requireUnique(ids: readonly string[], field: string): void {
  const details = ids
    .filter((id, at) => ids.findIndex((other) => other.toLowerCase() === id.toLowerCase()) < at)
    .map((id) => ({
      field: `${field}.${id}`,
      id,
      code: "repeated",
      message: `${field} contains ${id} twice.`,
    }));
  requireNoIssues("validation_failed", details);
}

/** Upstream project → its pinned checkpoint, or null for a new checkpoint of its current model. */
export type PinnedCheckpoints = ReadonlyMap<string, string | null>;

/**
 * Validates `dependentProjectCheckpoints`: it must contain every direct and indirect upstream project, and
 * no other project. The scenario keeps these models when upstream projects train again.
 *
 * @param graph direct and indirect upstream projects, the project itself last
 * @throws {DomainError} validation_failed for an ID in two spellings; dependency_unknown or dependency_checkpoint_required, with
 *   all unknown and all missing projects
 */
export function validatePinnedCheckpoints(
  graph: readonly DependencyNode[],
  given: CreateScenario["dependentProjectCheckpoints"],
): PinnedCheckpoints {
  const upstreamIds = graph.slice(0, -1).map(({ projectId }) => projectId);
  const pinnedCheckpoints = new Map(
    Object.entries(given ?? {}).map(([id, checkpointId]) => [
      id.toLowerCase(),
      checkpointId?.toLowerCase() ?? null,
    ]),
  );
  const field = "dependentProjectCheckpoints";
  requireUnique(Object.keys(given ?? {}), field);
  const unknown = [...pinnedCheckpoints.keys()].filter((id) => !upstreamIds.includes(id));
  const absent = upstreamIds.filter((id) => !pinnedCheckpoints.has(id));
  const details: ErrorDetail[] = [
    ...unknown.map((id) => ({
      field: `${field}.${id}`,
      id,
      code: "dependency_unknown",
      message: `${id} is not a dependency of the project.`,
    })),
    ...absent.map((id) => ({
      field: `${field}.${id}`,
      id,
      code: "dependency_checkpoint_required",
      message: `Set a checkpoint of project ${id}, or null to save its current model.`,
    })),
  ];
  if (unknown.length > 0) {
    const message = `${field} contains ${unknown.join(", ")}, which this project does not depend on. Remove the entry, or declare the dependency first.`;
    throw new DomainError("dependency_unknown", message, { details });
  }
  if (absent.length > 0) {
    const message = `The project uses predictions of upstream projects. Set a checkpoint or null in ${field} for ${absent.join(", ")}.`;
    throw new DomainError("dependency_checkpoint_required", message, { details });
  }
  return pinnedCheckpoints;
}
