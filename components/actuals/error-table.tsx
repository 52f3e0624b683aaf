import { formatInteger, formatNumber, formatSigned, roundedPercent } from "#components/ui/format.ts";
import { Table, Td, Th } from "#components/ui/table.tsx";
import type { ForecastErrors } from "#lib/contract/actuals";

export type ErrorRow = { name: string; rows?: number } & Omit<ForecastErrors, "rows" | "baseline"> & {
    baseline?: ForecastErrors["baseline"];
  };

const share = (part: number | null) => (part === null ? "–" : `${roundedPercent(100 * part, 1)} %`);

/** Lists errors in the target's unit, one row each, next to those of the naive forecast for the same rows. */
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
    <Table>
      <thead>
        <tr>
          <Th>{first}</Th>
          <Th className="text-right">Rows</Th>
          <Th className="text-right">RMSE</Th>
          <Th className="text-right">MAE</Th>
          <Th className="text-right">Bias</Th>
          <Th className="text-right">In the 90 % interval</Th>
          <Th className="text-right" title={baselineName ?? undefined}>
            Naive RMSE
          </Th>
          <Th className="text-right" title={baselineName ?? undefined}>
            Naive MAE
          </Th>
        </tr>
      </thead>
      <tbody className="figures">
        {rows.map(({ name, rows: count, rmse, mae, bias, coverage, baseline }) => (
          <tr key={name}>
            <Td className="font-medium whitespace-nowrap">{name}</Td>
            <Td className="text-right">{formatInteger(count)}</Td>
            <Td className="text-right">{formatNumber(rmse)}</Td>
            <Td className="text-right">{formatNumber(mae)}</Td>
            <Td className="text-right">{formatSigned(bias)}</Td>
            <Td className="text-right">{share(coverage)}</Td>
            <Td className="text-right text-ink-soft">{formatNumber(baseline?.rmse)}</Td>
            <Td className="text-right text-ink-soft">{formatNumber(baseline?.mae)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
