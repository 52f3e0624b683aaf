"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { AddRowsButton } from "#components/data/add-rows-button.tsx";
import { useDisplays } from "#components/display/displays.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { QueryState } from "#components/ui/states.tsx";
import { counted } from "#lib/contract/counted";
import type { Scenario } from "#lib/contract/scenarios";
import { describeErrors } from "./describe-errors.ts";
import { ErrorTable } from "./error-table.tsx";

/** Shows a scenario's accuracy against the actuals, or the reason why no actuals are known. */
export function ActualsCard({
  scenario: { projectId, id },
  where,
  by,
}: {
  scenario: Scenario;
  /** Of many series, those to compare. */
  where: readonly string[];
  /** Column by whose values the errors are listed, too; null for none. */
  by: string | null;
}) {
  const displays = useDisplays();
  const actuals = useQuery(queries.actuals(projectId, id, where, undefined, by));
  if (!actuals.data) return <QueryState query={actuals} rows={2} inCard />;
  const { errors, reason, target, baselineName, learnedRows, rowCount, groups = [] } = actuals.data;
  const byGroup = groups.flatMap(({ values, errors: own }) =>
    own && by !== null && by in values ? [{ name: values[by] || "none", ...own }] : [],
  );
  const first = `${formatInteger(errors?.rows ?? 0)} of ${counted(rowCount, "row")}`;
  const compared = [...(errors ? [{ name: by === null ? first : "All", ...errors }] : []), ...byGroup];
  return (
    <Card>
      <CardHeader
        title="Accuracy against actuals"
        description={errors ? describeErrors(errors, displays(target), baselineName) : reason}
        actions={<AddRowsButton projectId={projectId} size="sm" />}
      />
      {compared.length > 0 && (
        <>
          <ErrorTable
            first={by === null ? "Rows compared" : displays(by).name}
            baselineName={baselineName}
            rows={compared}
          />
          {learnedRows > 0 && (
            <p className="px-5 py-3 text-[13px] text-warn">
              The training data includes {formatInteger(learnedRows)} of these rows. Errors on new rows may be
              larger.
            </p>
          )}
        </>
      )}
    </Card>
  );
}
