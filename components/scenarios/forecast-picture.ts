import type { GeneratedInput } from "#lib/contract/generated-inputs";

/** Internal units of the picture, which stretches to the available space. */
export const pictureWidth = 200;
export const pictureHeight = 60;

type ForecastPicture = {
  /** Line segments, each the `points` of a polyline; missing values interrupt the line. */
  known: string[];
  generated: string[];
  /** Generated values plus and minus the error, as the `points` of a polygon. */
  band: string | null;
  /** Position of the end of the known values. */
  split: number;
  low: number;
  high: number;
};

/** Prepares known and generated values on one time axis. Returns null for non-numeric or missing values. */
export function forecastPicture({
  known,
  generated,
  error,
  errorKind,
}: GeneratedInput): ForecastPicture | null {
  const all = [...known.values, ...generated.values].filter((value) => value !== null);
  if (all.length === 0 || !all.every((value) => typeof value === "number")) return null;
  const margin = errorKind === "absolute" ? (error ?? 0) : 0;
  const ahead = generated.values.filter((value) => typeof value === "number");
  const low = Math.min(...all, ...ahead.map((value) => value - margin));
  const high = Math.max(...all, ...ahead.map((value) => value + margin));
  const times = [...known.timestamps, ...generated.timestamps].map((time) => Date.parse(time));
  const first = times[0]!;
  const span = times.at(-1)! - first || 1;
  const x = (time: string) => ((Date.parse(time) - first) / span) * pictureWidth;
  const y = (value: number) => pictureHeight - ((value - low) / (high - low || 1)) * pictureHeight;
  const point = (time: string, value: number) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`;
  const edge = (sign: 1 | -1) =>
    generated.timestamps.flatMap((time, at) => {
      const value = generated.values[at];
      return typeof value === "number" ? [point(time, value + sign * margin)] : [];
    });
  return {
    known: pieces(known, point),
    generated: pieces(generated, point),
    band: margin > 0 ? [...edge(1), ...edge(-1).reverse()].join(" ") : null,
    split: generated.timestamps[0] === undefined ? pictureWidth : x(generated.timestamps[0]),
    low,
    high,
  };
}

function pieces(
  { timestamps, values }: GeneratedInput["known"],
  point: (time: string, value: number) => string,
): string[] {
  const runs: string[][] = [[]];
  values.forEach((value, at) => {
    if (typeof value === "number") runs.at(-1)!.push(point(timestamps[at]!, value));
    else if (runs.at(-1)!.length > 0) runs.push([]);
  });
  return runs.filter((piece) => piece.length > 0).map((piece) => piece.join(" "));
}
