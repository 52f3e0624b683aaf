/** Table of results that are not times: its title, the titles of its columns, and rows of text. */
export type FigureTable = { title: string; titles: string[]; rows: string[][] };

/**
 * Returns the table after a check of its rows.
 *
 * @throws RangeError if a row does not have one cell per column
 */
export function figureTable(table: FigureTable): FigureTable {
  const wrong = table.rows.find((row) => row.length !== table.titles.length);
  if (wrong) throw new RangeError(`A row has ${wrong.length} cells instead of ${table.titles.length}.`);
  return table;
}
