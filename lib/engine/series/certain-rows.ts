/** Upper bounds at 90% and least values of rows, as `overrideBounds` returns them. */
export type CertainBounds = { upper: Float64Array | null; floors?: Float64Array | null | undefined };

/** Returns whether an override sets the value of a row: it has no bounds, but a least value. Such a row adds no width to a sum. */
export const isCertain = ({ upper, floors }: CertainBounds, row: number): boolean =>
  upper !== null && floors != null && Number.isNaN(upper[row]!) && !Number.isNaN(floors[row]!);
