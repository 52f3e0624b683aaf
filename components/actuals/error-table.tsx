import { formatInteger, formatNumber, formatSigned, roundedPercent } from "#components/ui/format.ts";
import { type DataColumn, DataTable } from "#components/ui/table.tsx";
import type { ForecastErrors } from "#lib/contract/actuals";

export type ErrorRow = { name: string; rows?: number } & Omit<ForecastErrors, "rows" | "baseline"> & {
    baseline?: ForecastErrors["baseline"];
  };

const share = (part: number | null | undefined) =>
  part == null ? "–" : `${roundedPercent(100 * part, 1)} %`;

type Value = number | null | undefined;
type ErrorColumn = {
  title: string;
  isBaseline?: boolean;
  value(row: ErrorRow): Value;
  /** By default, as a number. */
  text?(value: Value): string;
};

const numberColumns: ErrorColumn[] = [
  { title: "RMSE", value: ({ rmse }) => rmse },
  { title: "MAE", value: ({ mae }) => mae },
  { title: "Bias", value: ({ bias }) => bias, text: (bias) => formatSigned(bias) },
  { title: "In the 90 % interval", value: ({ coverage }) => coverage, text: share },
  { title: "Naive RMSE", isBaseline: true, value: ({ baseline }) => baseline?.rmse },
  { title: "Naive MAE", isBaseline: true, value: ({ baseline }) => baseline?.mae },
];

const classColumns: ErrorColumn[] = [
  { title: "Log loss", value: ({ logLoss }) => logLoss },
  { title: "Brier score", value: ({ brier }) => brier },
  { title: "AUC", value: ({ auc }) => auc },
  { title: "Accuracy", value: ({ accuracy }) => accuracy },
  { title: "Base rate: log loss", isBaseline: true, value: ({ baseline }) => baseline?.logLoss },
  { title: "Base rate: accuracy", isBaseline: true, value: ({ baseline }) => baseline?.accuracy },
];

/** Returns the columns of errors: those of classes, or of numbers. */
export const errorColumns = (rows: readonly ErrorRow[]): readonly ErrorColumn[] =>
  rows.some(({ logLoss }) => logLoss !== undefined) ? classColumns : numberColumns;

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
  return (
    <DataTable
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        [first, ({ name }) => name, "font-medium whitespace-nowrap"],
        ["Rows", (row) => formatInteger(row.rows), "text-right"],
        ...errorColumns(rows).map(
          ({ title, isBaseline, value, text = formatNumber }): DataColumn<ErrorRow> => {
            const name = isBaseline ? (baselineName ?? undefined) : undefined;
            const heading = (
              <span key={title} title={name}>
                {title}
              </span>
            );
            return [
              heading,
              (row) => text(value(row)),
              isBaseline ? "text-right text-ink-soft" : "text-right",
            ];
          },
        ),
      ]}
    />
  );
}
