"use client";

import { useState } from "react";
import { periodHeads, periodName } from "#components/actuals/record-periods.ts";
import { useTarget } from "#components/display/displays.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { Segments } from "#components/ui/segments.tsx";
import { type DataColumn, DataTable } from "#components/ui/table.tsx";
import { useMemberNames } from "#components/users/use-member-names.ts";
import type { OverrideErrors, TrackRecord } from "#lib/contract/track-record";
import { overrideText } from "./track-record-text.ts";

type By = "authors" | "reasons" | "periods";
type Row = OverrideErrors & { key: string; name: string };

/** Shows the errors with overrides beside those without them, by author, reason and period. */
export function OverrideRecordCard({
  record,
  overrides,
}: {
  record: TrackRecord;
  overrides: NonNullable<TrackRecord["overrides"]>;
}) {
  const [by, setBy] = useState<By>("authors");
  const target = useTarget();
  const nameOf = useMemberNames();
  const heads = { authors: "Author", reasons: "Reason", periods: periodHeads[record.period] };
  const groups: Record<By, Row[]> = {
    authors: overrides.authors.map((one) => ({ ...one, key: one.author, name: nameOf(one.author) })),
    reasons: overrides.reasons.map((one) => ({ ...one, key: one.reason, name: one.reason })),
    periods: overrides.periods.map((one) => ({ ...one, key: one.from, name: periodName(one.from, record) })),
  };
  const rows: Row[] = [...groups[by], { ...overrides, key: "", name: "All overrides" }];
  const format = target.formatOf(
    rows.flatMap(({ effective, calculated, baseline }) => [effective.mae, calculated.mae, baseline.mae]),
  );
  const columns: DataColumn<Row>[] = [
    [
      heads[by],
      ({ name }) => (
        <span dir="auto" className="[overflow-wrap:anywhere]">
          {name}
        </span>
      ),
      "min-w-40 font-medium",
    ],
    ["Rows", (row) => formatInteger(row.rows), "text-right"],
    ["MAE with overrides", ({ effective }) => format(effective.mae), "text-right"],
    ["MAE calculated", ({ calculated }) => format(calculated.mae), "text-right"],
    ["Naive MAE", ({ baseline }) => format(baseline.mae), "text-right text-ink-soft"],
  ];
  return (
    <Card>
      <CardHeader
        title="Effect of overrides"
        description={`${overrideText(overrides, record.period)} Compared on the values that overrides changed before the actual value arrived.`}
        actions={
          <Segments<By>
            label="By"
            options={[
              ["authors", "Authors"],
              ["reasons", "Reasons"],
              ["periods", "Periods"],
            ]}
            value={by}
            onChange={setBy}
          />
        }
      />
      <DataTable columns={columns} rows={rows} keyOf={({ key }) => key} />
    </Card>
  );
}
