import type { IntervalShape } from "#lib/contract/interval-shape";
import type { CalibratedWidths, Calibration } from "./conformal.ts";
import type { ErrorScale } from "./error-scale.ts";
import type { Growth } from "./growth.ts";

type StoredGrowth = Pick<Growth, "rows" | "slopeGap"> & { step: number; level: number; at: number };
type StoredWidths = {
  buckets: { fromStep: number; toStep: number; levels: number[]; halfWidths: number[] }[];
  growth?: StoredGrowth;
  shape?: IntervalShape;
};
/** Content of `calibration.json`. Some of its names are older than the terms of the code. */
export type StoredCalibration = Omit<
  Calibration,
  keyof CalibratedWidths | "generated" | "upstream" | "scale"
> &
  StoredWidths & { generated?: StoredWidths; upstream?: StoredWidths; scale?: StoredScale };

type StoredScale = Omit<ErrorScale, "model"> & { coefficients: number[]; means: number[] };

/** Returns a calibration with the names of `calibration.json`. */
export function storedCalibration(calibration: Calibration | null): StoredCalibration | null {
  if (calibration === null) return null;
  const { ranges, growth, shape, generated, upstream, scale, ...rest } = calibration;
  return {
    ...rest,
    ...storedWidths(calibration),
    ...(scale && { scale: storedScale(scale) }),
    ...(generated && { generated: storedWidths(generated) }),
    ...(upstream && { upstream: storedWidths(upstream) }),
  };
}

/** Returns the calibration of `calibration.json`. */
export function calibrationOf(stored: StoredCalibration | null): Calibration | null {
  if (stored === null) return null;
  const { buckets, growth, shape, generated, upstream, scale, ...rest } = stored;
  return {
    ...rest,
    ...widthsOfStored(stored),
    ...(scale && { scale: scaleOfStored(scale) }),
    ...(generated && { generated: widthsOfStored(generated) }),
    ...(upstream && { upstream: widthsOfStored(upstream) }),
  };
}

function storedScale({ model: { coefficients, means }, ...rest }: ErrorScale): StoredScale {
  return { ...rest, coefficients: [...coefficients], means: [...means] };
}

function scaleOfStored({ coefficients, means, ...rest }: StoredScale): ErrorScale {
  return {
    ...rest,
    model: { coefficients: Float64Array.from(coefficients), means: Float64Array.from(means) },
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
