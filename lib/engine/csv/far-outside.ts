import type { Warning } from "#lib/contract/warnings";
import { shorten } from "./issues.ts";

/**
 * Returns whether values reach further outside the known range than its width: beyond −80 or 190 for values from 10 to 100.
 * Such rows are often typing errors, or in another unit.
 */
export function isFarOutside({
  least,
  greatest,
  trainedMin,
  trainedMax,
}: NonNullable<Warning["range"]>): boolean {
  const width = trainedMax - trainedMin;
  return width > 0 && (least < trainedMin - width || greatest > trainedMax + width);
}

type Outside = {
  column: string | null;
  rows?: number | null | undefined;
  firstRow?: number | undefined;
} & Required<Pick<Warning, "range">>;

/** Describes appended values outside the range of the dataset. */
export function farOutsideMessage({ column, rows = 1, firstRow, range }: Outside): string {
  const { least, greatest, trainedMin, trainedMax } = range!;
  const text = (value: number) => String(Number(value.toPrecision(6)));
  const far =
    greatest > trainedMax + (trainedMax - trainedMin) ? `up to ${text(greatest)}` : `down to ${text(least)}`;
  return `Column "${shorten(column ?? "")}" goes ${far} in the added rows, far outside the ${text(trainedMin)} to ${text(trainedMax)} so far (${rows === 1 ? `row ${firstRow}` : `${rows} rows outside, first in row ${firstRow}`}).`;
}
