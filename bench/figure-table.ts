/** A table of figures that are no times: a title, the columns' titles, and rows of text. */
export type FigureTable = { title: string; titles: string[]; rows: string[][] };

/** Checks that each row has a cell for each title. @throws RangeError */
export function figureTable(table: FigureTable): FigureTable {
  const wrong = table.rows.find((row) => row.length !== table.titles.length);
  if (wrong) throw new RangeError(`${wrong.length} cells do not fit ${table.titles.length} titles.`);
  return table;
}
