/** Maximum number of points at which the parts of a difference are drawn. */
export const WHY_POINTS = 300;

/** Number of rows above which a difference is split only on request, because it takes the service seconds. */
export const ROWS_AT_ONCE = 5_000;
