/** One model input: its name, and the input feature that it derives from. */
export type Output = { name: string; source: string; values: Float32Array };

export function filled(value: number, fill: number | null): number {
  return Number.isNaN(value) && fill !== null ? fill : value;
}

/** Returns one column per place, with 1 in the rows at that place. A place out of range sets no column. */
export function indicators(places: Int32Array, count: number): Float32Array[] {
  const columns = Array.from({ length: count }, () => new Float32Array(places.length));
  for (let row = 0; row < places.length; row++) {
    const column = columns[places[row]!];
    if (column) column[row] = 1;
  }
  return columns;
}
