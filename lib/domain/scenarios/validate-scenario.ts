import type { ScenarioValidation, ValidateScenario } from "#lib/contract/scenarios";
import { openSource } from "#lib/domain/datasets/file-source";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { upstreamFolders } from "#lib/domain/models/linked/serving-series";
import type { IssueList } from "#lib/engine/csv/issues";
import type { Context } from "#lib/platform/context/context";
import { countedDetails, type ErrorDetail, requireNoIssues } from "#lib/platform/errors/domain-error";
import { checkUpload } from "./check-upload.ts";
import { findScenario, requireReady } from "./find-scenario.ts";
import { adjustmentDetails } from "./run/adjust-input.ts";
import { adjustStored } from "./run/adjust-stored.ts";
import { readCsv } from "./run/read-csv.ts";
import { resolveMain, resolveModels } from "./run/resolve-models.ts";
import { needsBase } from "./scenario-request.ts";

type Request = ValidateScenario & { projectId: string };

/**
 * Checks a CSV, or a base scenario's input with adjustments, against the features of a checkpoint. Without a checkpoint,
 * the current model's features apply. For an upload it checks columns and types; the job that reads the upload checks
 * each row. Only creation checks whether missing upstream features can be computed.
 *
 * @throws {DomainError} checkpoint_not_found, no_trained_model, upload_not_found, scenario_not_found,
 *   scenario_not_ready, validation_failed for invalid base64, input_invalid for too many rows or values, and the
 *   errors of `resolveModels`
 */
export async function validateScenario(ctx: Context, request: Request): Promise<ScenarioValidation> {
  const { projectId, fileData, uploadId, baseScenarioId } = request;
  checkSource(request);
  const series = new LinkedSeries(ctx.db, await artifactKeys(ctx, request));
  if (baseScenarioId != null) return validateClone(ctx, series, { ...request, baseScenarioId });
  if (uploadId != null) {
    const { signal } = ctx;
    const check = await checkUpload(ctx.db, series, { projectId, uploadId, signal });
    return {
      ...presentCheck({ issues: check.issues, count: check.issueCount }),
      rowCount: check.lineCount,
      warnings: check.warnings,
      ...(check.reading && { reading: check.reading }),
    };
  }
  const file = await openSource(ctx.db, { projectId, fileData });
  const { check } = await readCsv(series, projectId, file, { signal: ctx.signal });
  return {
    ...presentCheck({ issues: check.issues, count: check.issueCount }),
    rowCount: check.rowCount,
    warnings: check.warnings,
    ...(check.reading && { reading: check.reading }),
  };
}

function checkSource({ fileData, uploadId, baseScenarioId, adjustments }: ValidateScenario): void {
  const details: ErrorDetail[] = [];
  if ([fileData, uploadId, baseScenarioId].filter((source) => source != null).length !== 1) {
    const message = "Send exactly one of fileData, uploadId and baseScenarioId.";
    details.push({ field: "fileData", code: "contradiction", message });
  }
  if (adjustments?.length && baseScenarioId == null) details.push(needsBase());
  requireNoIssues("validation_failed", details);
}

/** Previews the adjustments of a base scenario's input without creating anything. */
async function validateClone(
  ctx: Context,
  series: LinkedSeries,
  { projectId, baseScenarioId, adjustments }: Request & { baseScenarioId: string },
): Promise<ScenarioValidation> {
  const field = "baseScenarioId";
  const base = await findScenario(ctx.db, { projectId, scenarioId: baseScenarioId, field });
  requireReady([base], field);
  const project = await series.project(projectId);
  const { rowCount, unfit, changedRows, check } = await adjustStored(
    series,
    project,
    base.scenario.inputKey!,
    { adjustments: adjustments ?? [], store: null, signal: ctx.signal },
  );
  if (unfit.length > 0) return { valid: false, rowCount, faults: adjustmentDetails(unfit), warnings: [] };
  const { issues, issueCount, warnings } = check;
  return {
    ...presentCheck({ issues, count: issueCount }),
    rowCount,
    warnings,
    changedRows: [...changedRows],
  };
}

/** Converts issues for the API: the first hundred, then a count. */
function presentCheck({ issues, count }: Pick<IssueList, "issues" | "count">) {
  return { valid: count === 0, faults: countedDetails(issues, count - issues.length) };
}

/** Returns project → folder of its model. Without `dependentProjectCheckpoints`, upstream projects use their serving model. */
async function artifactKeys(ctx: Context, request: Request): Promise<Map<string, string>> {
  const { projectId, checkpointId, dependentProjectCheckpoints } = request;
  if (dependentProjectCheckpoints != null) {
    const { main, upstreams } = await resolveModels(ctx.db, request);
    return new Map([main, ...upstreams].map((chosen) => [chosen.projectId, chosen.artifactKey]));
  }
  const main = await resolveMain(ctx.db, projectId, checkpointId?.toLowerCase() ?? null);
  const upstream = await upstreamFolders(ctx.db, projectId, null);
  return new Map([...upstream].map(([id, folder]) => [id, folder.artifactKey])).set(
    projectId,
    main.artifactKey,
  );
}
