import { keyValues, type PanelRows } from "./panel-rows.ts";
import { seriesKey } from "./series-index.ts";

/**
 * Rows of several panels, matched by series and time. `rowOf[p][point]` is the row (from 0) of panel p at a point, or -1.
 * `isPlain`: every panel has row i at point i.
 */
export type PanelAlignment = { length: number; rowOf: Int32Array[]; isPlain: boolean };

/** Matches the rows of panels by series and time. Points are in the order of the first panel's rows, followed by other ones. */
export function alignPanels(panels: readonly PanelRows[]): PanelAlignment {
  const [first] = panels;
  if (first === undefined || panels.every((panel) => haveSameRows(panel, first))) {
    const length = first?.ofRow.length ?? 0;
    const rows = Int32Array.from({ length }, (_, row) => row);
    return { length, rowOf: panels.map(() => rows), isPlain: true };
  }
  const series = new Places<string>();
  const times = new Places<number>();
  const points = new Places<number>();
  const timeCount = panels.reduce((sum, panel) => sum + panel.times.length, 0);
  const pointOfRow = panels.map((panel) => {
    const ownSeries = panel.values.map((_, place) => series.of(seriesKey(keyValues(panel, place))));
    const ownTimes = Int32Array.from(panel.times, (time) => times.of(time));
    return panel.ofRow.map((place, row) =>
      points.of(ownSeries[place]! * timeCount + ownTimes[panel.timeOf[row]!]!),
    );
  });
  const length = points.count;
  const rowOf = pointOfRow.map((own) => {
    const rows = new Int32Array(length).fill(-1);
    own.forEach((point, row) => {
      rows[point] = row;
    });
    return rows;
  });
  return { length, rowOf, isPlain: false };
}

/** Numbers distinct keys in the order of their first use. */
class Places<K> {
  readonly #places = new Map<K, number>();

  of(key: K): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.#places.size);
    return this.#places.size - 1;
  }

  get count(): number {
    return this.#places.size;
  }
}

function haveSameRows(a: PanelRows, b: PanelRows): boolean {
  if (a === b) return true;
  return (
    areEqual(a.times, b.times) &&
    areEqual(a.timeOf, b.timeOf) &&
    areEqual(a.ofRow, b.ofRow) &&
    a.values.length === b.values.length &&
    a.values.every((_, place) => seriesKey(keyValues(a, place)) === seriesKey(keyValues(b, place)))
  );
}

function areEqual(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
