import { formatInteger, formatNumber, formatSigned, roundedPercent } from "#components/ui/format.ts";
import { type DataColumn, DataTable } from "#components/ui/table.tsx";
import type { ForecastErrors } from "#lib/contract/actuals";

export type ErrorRow = { name: string; rows?: number } & Omit<ForecastErrors, "rows" | "baseline"> & {
    baseline?: ForecastErrors["baseline"];
  };

const share = (part: number | null) => (part === null ? "–" : `${roundedPercent(100 * part, 1)} %`);

type ErrorColumn = { title: string; isBaseline?: boolean; text(row: ErrorRow): string };

const numberColumns: ErrorColumn[] = [
  { title: "RMSE", text: ({ rmse }) => formatNumber(rmse) },
  { title: "MAE", text: ({ mae }) => formatNumber(mae) },
  { title: "Bias", text: ({ bias }) => formatSigned(bias) },
  { title: "In the 90 % interval", text: ({ coverage }) => share(coverage) },
  { title: "Naive RMSE", isBaseline: true, text: ({ baseline }) => formatNumber(baseline?.rmse) },
  { title: "Naive MAE", isBaseline: true, text: ({ baseline }) => formatNumber(baseline?.mae) },
];

const classColumns: ErrorColumn[] = [
  { title: "Log loss", text: ({ logLoss }) => formatNumber(logLoss) },
  { title: "Brier score", text: ({ brier }) => formatNumber(brier) },
  { title: "AUC", text: ({ auc }) => formatNumber(auc) },
  { title: "Accuracy", text: ({ accuracy }) => formatNumber(accuracy) },
  { title: "Base rate: log loss", isBaseline: true, text: ({ baseline }) => formatNumber(baseline?.logLoss) },
  {
    title: "Base rate: accuracy",
    isBaseline: true,
    text: ({ baseline }) => formatNumber(baseline?.accuracy),
  },
];

/** Lists errors, one row each, next to those of the naive forecast or the base rate for the same rows. */
export function ErrorTable({
  rows,
  first,
  baselineName,
}: {
  rows: readonly ErrorRow[];
  /** Heading of the first column. */
  first: string;
  baselineName: string | null;
}) {
  const columns = rows.some(({ logLoss }) => logLoss !== undefined) ? classColumns : numberColumns;
  return (
    <DataTable
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        [first, ({ name }) => name, "font-medium whitespace-nowrap"],
        ["Rows", (row) => formatInteger(row.rows), "text-right"],
        ...columns.map(({ title, isBaseline, text }): DataColumn<ErrorRow> => {
          const name = isBaseline ? (baselineName ?? undefined) : undefined;
          const heading = (
            <span key={title} title={name}>
              {title}
            </span>
          );
          return [heading, text, isBaseline ? "text-right text-ink-soft" : "text-right"];
        }),
      ]}
    />
  );
}
