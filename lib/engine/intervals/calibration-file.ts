import type { IntervalShape } from "#lib/contract/interval-shape";
import type { CalibratedWidths, Calibration } from "./conformal.ts";
import type { Growth } from "./growth.ts";

type StoredGrowth = Pick<Growth, "rows" | "slopeGap"> & { step: number; level: number; at: number };
type StoredWidths = {
  buckets: { fromStep: number; toStep: number; levels: number[]; halfWidths: number[] }[];
  growth?: StoredGrowth;
  shape?: IntervalShape;
};
/** Content of `calibration.json`. Some of its names are older than the terms of the code. */
export type StoredCalibration = Omit<Calibration, keyof CalibratedWidths | "generated" | "upstream"> &
  StoredWidths & { generated?: StoredWidths; upstream?: StoredWidths };

/** Returns a calibration with the names of `calibration.json`. */
export function storedCalibration(calibration: Calibration | null): StoredCalibration | null {
  if (calibration === null) return null;
  const { ranges, growth, shape, generated, upstream, ...rest } = calibration;
  return {
    ...rest,
    ...storedWidths(calibration),
    ...(generated && { generated: storedWidths(generated) }),
    ...(upstream && { upstream: storedWidths(upstream) }),
  };
}

/** Returns the calibration of `calibration.json`. */
export function calibrationOf(stored: StoredCalibration | null): Calibration | null {
  if (stored === null) return null;
  const { buckets, growth, shape, generated, upstream, ...rest } = stored;
  return {
    ...rest,
    ...widthsOfStored(stored),
    ...(generated && { generated: widthsOfStored(generated) }),
    ...(upstream && { upstream: widthsOfStored(upstream) }),
  };
}

function storedWidths({ ranges, growth, shape }: CalibratedWidths): StoredWidths {
  return {
    buckets: ranges.map(({ limits: levels, ...range }) => ({ ...range, levels })),
    ...(growth && { growth: storedGrowth(growth) }),
    ...(shape && { shape }),
  };
}

function widthsOfStored({ buckets, growth, shape }: StoredWidths): CalibratedWidths {
  return {
    ranges: buckets.map(({ levels: limits, ...range }) => ({ ...range, limits })),
    ...(growth && { growth: growthOfStored(growth) }),
    ...(shape && { shape }),
  };
}

function storedGrowth({ stepPower: step, sizePower: level, meanSize: at, ...rest }: Growth): StoredGrowth {
  return { step, level, at, ...rest };
}

function growthOfStored({ step: stepPower, level: sizePower, at: meanSize, ...rest }: StoredGrowth): Growth {
  return { stepPower, sizePower, meanSize, ...rest };
}
