export type Cell = string | number | boolean | Date | null | { value: string; fontWeight: "bold" };
export type WorkbookSheet = {
  sheet: string;
  data: Cell[][];
  columns: { width: number }[];
  stickyRowsCount: number;
  dateFormat: string;
};

const DAY_MS = 86_400_000;
/** Least and largest width of a column, in characters. A time needs 16; a spreadsheet shows ### if it does not fit. */
const WIDTH_MIN = 17;
const WIDTH_MAX = 50;
/** Number of rows whose texts determine the widths. */
const MEASURED_ROWS = 100;

/** Lays out rows as a sheet. The first one is the heading. */
export function sheetOf(sheet: string, [header = [], ...rows]: Cell[][]): WorkbookSheet {
  const bold = header.map((value): Cell => ({ value: String(value), fontWeight: "bold" }));
  const columns = header.map((name, at) => {
    const texts = rows
      .slice(0, MEASURED_ROWS)
      .map((row) => row[at])
      .filter((cell) => typeof cell === "string");
    const longest = Math.max(WIDTH_MIN, ...[String(name), ...texts].map(({ length }) => length + 1));
    return { width: Math.min(WIDTH_MAX, longest) };
  });
  const areDays = rows.flat().every((cell) => !(cell instanceof Date) || cell.getTime() % DAY_MS === 0);
  const dateFormat = areDays ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm";
  return { sheet, data: [bold, ...rows], columns, stickyRowsCount: 1, dateFormat };
}
