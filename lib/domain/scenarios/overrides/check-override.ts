import type { Queryable } from "#db/client";
import { instantOf } from "#lib/contract/instant";
import type { CreateOverride } from "#lib/contract/overrides";
import { findCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import { openModel } from "#lib/domain/models/open-model";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { coversRow, panelOf } from "#lib/domain/scenarios/panel/effective-series";
import type { StoredOverride } from "#lib/domain/scenarios/select-overrides";
import { nearestName } from "#lib/engine/names/nearest-name";
import { type ErrorDetail, issueError, requireNoIssues } from "#lib/platform/errors/domain-error";

/** An override without its identity. */
export type OverrideFields = Omit<StoredOverride, "id">;

/**
 * Checks that an override applies to rows of a scenario.
 *
 * @throws {DomainError} validation_failed for a scenario without times or with classes, `from` after `to`, unknown columns, and a span
 *   without rows
 */
export async function checkOverride(
  db: Queryable,
  { scenario }: ScenarioRow,
  body: CreateOverride,
): Promise<OverrideFields> {
  const { operation, value, where: given = [] } = body;
  const [from, to] = [instantOf(body.from), instantOf(body.to)];
  const { firstTimestamp: first, lastTimestamp: last } = scenario;
  if (first === null || last === null)
    throw rejected("from", "no_timestamps", "The scenario has no timestamps, so it has no span to override.");
  if (from > to) throw rejected("from", "after_to", "`from` must not be after `to`.");
  await requireNumbers(db, scenario);
  if (given.length > 0) await requireSeriesColumns(db, scenario, given);
  const where = given.length > 0 ? given : null;
  const fields = { from, to, operation, value, where };
  if (!(await coversRow(db, scenario, { id: "", ...fields }))) {
    const chosen = where === null ? "" : " of the series that `where` chooses";
    const message = `The scenario has no rows${chosen} from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}. Its rows lie from ${first.toISOString()} to ${last.toISOString()}.`;
    throw rejected("from", "no_rows", message);
  }
  return fields;
}

/** Predictions of a class are probabilities, which do not add up and must stay between 0 and 1. */
async function requireNumbers(
  db: Queryable,
  { projectId, checkpointId }: ScenarioRow["scenario"],
): Promise<void> {
  if (checkpointId === null) return;
  const checkpoint = await findCheckpoint(db, { projectId, checkpointId });
  const { state } = await openModel(checkpoint.artifactKey, checkpoint.sha256);
  if (state.classes !== undefined)
    throw rejected(
      "operation",
      "classes",
      "The scenario predicts probabilities of a class, which cannot be overridden.",
    );
}

async function requireSeriesColumns(
  db: Queryable,
  scenario: ScenarioRow["scenario"],
  where: NonNullable<CreateOverride["where"]>,
): Promise<void> {
  const panel = await panelOf(db, scenario);
  if (panel === null)
    throw rejected(
      "where",
      "one_series",
      "`where` chooses among many series, but the scenario has only one. Leave out `where`.",
    );
  const { columns } = panel;
  const details = where.flatMap(({ feature, operator }, at): ErrorDetail[] => {
    if (!columns.includes(feature)) {
      const nearest = nearestName(feature, columns);
      const names = columns.map((name) => JSON.stringify(name)).join(", ");
      const message = `${JSON.stringify(feature)} is not a series or level column. Use one of ${names}.`;
      const hint = nearest === null ? {} : { nearest };
      return [
        {
          field: `where.${at}.feature`,
          value: feature.slice(0, 100),
          code: "unknown_column",
          ...hint,
          message,
        },
      ];
    }
    if (operator === "=" || operator === "!=") return [];
    const message = `"${feature}" has texts, which have no order. Use the operator \`=\` or \`!=\`.`;
    return [{ field: `where.${at}.operator`, value: operator, code: "wrong_type", message }];
  });
  requireNoIssues("validation_failed", details);
}

const rejected = (field: string, code: string, message: string) =>
  issueError("validation_failed", { field, code, message });
