import type { GeneratedInput } from "#lib/contract/generated-inputs";
import { pictureWidth } from "./forecast-picture.ts";

/** Stretch of time with one value. */
type CategoryRun = { x: number; width: number; isGenerated: boolean };

type CategoryPicture = {
  /** Categories from the most frequent on; the last lane joins the rarest ones. */
  lanes: { name: string; runs: CategoryRun[] }[];
  /** Position of the end of the known values. */
  split: number;
};

/** Maximum number of lanes. */
const lanesMax = 5;

/** Prepares known and generated categories as lanes on one time axis. Returns null for numbers or missing values. */
export function categoryPicture({ known, generated }: GeneratedInput): CategoryPicture | null {
  const values = [...known.values, ...generated.values];
  const counts = new Map<string, number>();
  for (const value of values) if (typeof value === "string") counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size === 0) return null;
  const names = [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!);
  const own = names.length <= lanesMax ? names : names.slice(0, lanesMax - 1);
  const lanes = own.map((name) => ({ name, runs: [] as CategoryRun[] }));
  const rest = { name: `${names.length - own.length} others`, runs: [] as CategoryRun[] };
  if (own.length < names.length) lanes.push(rest);
  const laneOf = new Map(lanes.map((lane) => [lane.name, lane]));

  const times = [...known.timestamps, ...generated.timestamps].map((time) => Date.parse(time));
  const first = times[0]!;
  const lastStep = times.length > 1 ? times.at(-1)! - times.at(-2)! : 1;
  const span = times.at(-1)! + lastStep - first;
  const x = (at: number) => (((times[at] ?? first + span) - first) / span) * pictureWidth;
  const split = x(known.timestamps.length);
  let open: { lane: typeof rest; run: CategoryRun } | null = null;
  values.forEach((value, at) => {
    const isGenerated = at >= known.values.length;
    const lane = typeof value === "string" ? (laneOf.get(value) ?? rest) : null;
    if (lane === null) open = null;
    else if (open?.lane === lane && open.run.isGenerated === isGenerated)
      open.run.width = x(at + 1) - open.run.x;
    else {
      open = { lane, run: { x: x(at), width: x(at + 1) - x(at), isGenerated } };
      lane.runs.push(open.run);
    }
  });
  return { lanes, split };
}
