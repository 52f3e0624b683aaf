/** Level of `lower` and `upper` where no `level` stands beside them. */
export const INTERVAL_LEVEL = 0.9;

/** Levels of prediction intervals that can be requested. */
export const INTERVAL_LEVELS = [0.5, 0.8, 0.9, 0.95] as const;

/** How a model's other intervals follow from those at 90%. Stored with each scenario. */
export type IntervalShape = {
  /** Lower bound of all intervals; null if unbounded. */
  floor: number | null;
  /** Half width at each level, as a multiple of the half width at 90%. */
  ratios: { level: number; ratio: number }[];
  /**
   * Growth of a sum's half width over n rows beyond that of independent errors: n ^ `sumPower`, from 0 (independent) to
   * 0.5 (all errors equal). Null where it is not known, and with `sumErrors`.
   */
  sumPower: number | null;
  /** Dependence of the errors of consecutive rows, from which the half width of a sum follows; absent without a series, and in earlier shapes. */
  sumErrors?: ErrorDependence;
  /** Correlation of the errors of two series at one time, for sums over series; absent for one series. */
  sharedBySeries?: number;
};

/**
 * Errors of consecutive rows have a part that all share and a part that fades. Errors k rows apart have the correlation
 * `shared` + (1 - `shared`) × `fading` ^ k.
 */
export type ErrorDependence = { shared: number; fading: number };
