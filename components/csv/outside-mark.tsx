import type { ColumnOutside } from "#components/csv/preview-csv.ts";
import { formatInteger } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";

/** Shows "401 of 1,999 rows outside the known range", and the unknown values of categories. */
export function OutsideMark({
  outside: { rows, unseen, unseenCount },
  rowCount,
}: {
  outside: ColumnOutside;
  rowCount: number;
}) {
  const more = unseenCount - unseen.length;
  return (
    <span className="block text-xs font-medium text-warn">
      {formatInteger(rows)} of {counted(rowCount, "row")} outside the known range
      {unseen.length > 0 && `: ${unseen.join(", ")}`}
      {more > 0 && ` and ${formatInteger(more)} more`}
    </span>
  );
}
