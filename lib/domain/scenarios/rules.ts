import { z } from "zod";
import { DateOrInstant } from "#lib/contract/common";
import type { CreateScenario } from "#lib/contract/scenarios";
import type { DependencyNode } from "#lib/domain/projects/dependency-graph";
import { DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";

/** Interface, section 4: "Hex colour for display; default `#3498db`". */
export const defaultColor = "#3498db";

/** Where a scenario's input comes from. */
export type InputSource =
  | { kind: "Upload"; fileData: string; uploadId: null }
  | { kind: "Upload"; fileData: null; uploadId: string }
  | { kind: "Clone"; baseScenarioId: string }
  /** `endsOnDay`: the end was named as a date without a time. */
  | { kind: "Generated"; endDate: number | null; endsOnDay: boolean };

/**
 * Interface, section 4: "Base64-encoded CSV input. If omitted, the input is auto-generated". Contract: an upload stands
 * in place of the file, and a base scenario in place of both.
 *
 * @throws {DomainError} validation_failed where more than one is named, or adjustments without a base scenario
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
  if (details[0] !== undefined) throw new DomainError("validation_failed", details[0].message, { details });
  if (fileData != null) return { kind: "Upload", fileData, uploadId: null };
  if (uploadId != null) return { kind: "Upload", fileData: null, uploadId };
  if (baseScenarioId != null) return { kind: "Clone", baseScenarioId: baseScenarioId.toLowerCase() };
  if (body.endDate == null) return { kind: "Generated", endDate: null, endsOnDay: false };
  return { kind: "Generated", endDate: instantOf(body.endDate), endsOnDay: isDate(body.endDate) };
}

export function needsBase(): ErrorDetail {
  const message = "Adjustments change the input of another scenario: send its id as baseScenarioId.";
  return { field: "adjustments", code: "required", message };
}

const isDate = (text: string) => z.iso.date().safeParse(text).success;

/** Epoch milliseconds of a date or a time as callers write it; without a zone it is UTC. */
export function instantOf(text: string): number {
  return Date.parse(isDate(text) || /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`);
}

/**
 * An end of a stretch of a series as the query writes it: a row number as it is, a time as epoch milliseconds.
 *
 * @returns NaN for what is none
 */
export function seriesBound(text: string, timed: boolean): number {
  if (/^\d{1,9}$/.test(text) && !timed) return Number(text);
  return timed && DateOrInstant.safeParse(text).success ? instantOf(text) : Number.NaN;
}

/** One id in two spellings: which of its checkpoints is meant would be chance. */
function refuseRepeated(ids: readonly string[], field: string): void {
  const details = ids
    .filter((id, at) => ids.findIndex((other) => other.toLowerCase() === id.toLowerCase()) < at)
    .map((id) => ({ field: `${field}.${id}`, id, code: "repeated", message: `${field} names ${id} twice.` }));
  if (details[0] !== undefined) throw new DomainError("validation_failed", details[0].message, { details });
}

/** What a request pins for each dependent project: a checkpoint, or null for a new one of its current model. */
export type Pins = ReadonlyMap<string, string | null>;

/**
 * Interface, section 4, rule 2: "When the project uses predictions of other projects as input features, checkpoints for
 * those dependent projects must be supplied in `dependentProjectCheckpoints`". Contract: every project of the
 * transitive closure is named, and no other.
 *
 * @param closure the project's dependencies, the project itself last
 * @throws {DomainError} dependency_unknown or dependency_checkpoint_required, naming all of both
 */
export function pinDependents(
  closure: readonly DependencyNode[],
  given: CreateScenario["dependentProjectCheckpoints"],
): Pins {
  const wanted = closure.slice(0, -1).map(({ projectId }) => projectId);
  const pins = new Map(
    Object.entries(given ?? {}).map(([id, checkpointId]) => [
      id.toLowerCase(),
      checkpointId?.toLowerCase() ?? null,
    ]),
  );
  const field = "dependentProjectCheckpoints";
  refuseRepeated(Object.keys(given ?? {}), field);
  const unknown = [...pins.keys()].filter((id) => !wanted.includes(id));
  const absent = wanted.filter((id) => !pins.has(id));
  const details: ErrorDetail[] = [
    ...unknown.map((id) => ({
      ...{ field: `${field}.${id}`, id, code: "dependency_unknown" },
      message: `${id} is no dependency of the project.`,
    })),
    ...absent.map((id) => ({
      ...{ field: `${field}.${id}`, id, code: "dependency_checkpoint_required" },
      message: `Name a checkpoint of project ${id}, or null to save its current model.`,
    })),
  ];
  if (unknown.length > 0) {
    const message = `${field} names ${unknown.join(", ")}, which this project does not depend on: leave it out, or declare the dependency first.`;
    throw new DomainError("dependency_unknown", message, { details });
  }
  if (absent.length > 0) {
    const message = `The project uses predictions of other projects: name a checkpoint, or null, in ${field} for ${absent.join(", ")}.`;
    throw new DomainError("dependency_checkpoint_required", message, { details });
  }
  return pins;
}
