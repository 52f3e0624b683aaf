import { strToU8, zipSync } from "fflate";

/** A cell of a hand-written sheet: XML of the cell without its address, or a value. */
export type Cell = string | number | boolean | { xml: string } | null;

type Parts = {
  /** Rows of each sheet, by name. A row is a list of cells, or null for none. */
  sheets: Record<string, (Cell[] | null)[] | { xml: string }>;
  /** Attributes of a sheet, by name, such as `state="hidden"`. */
  states?: Record<string, string>;
  /** Codes of number formats. The style with index 1 is the first one. */
  formats?: string[];
  is1904?: boolean;
  /** Texts that cells refer to. */
  shared?: string[];
  /** Replaces parts of the archive. */
  replace?: Record<string, string>;
  /** XML behind the rows of each sheet. */
  tail?: string;
};

const letters = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : `${letters(Math.floor(at / 26) - 1)}${letters(at % 26)}`;
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function cellXml(cell: Cell, address: string): string {
  if (cell === null) return "";
  if (typeof cell === "object") return cell.xml.replace("<c", `<c r="${address}"`);
  if (typeof cell === "string") return `<c r="${address}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  if (typeof cell === "boolean") return `<c r="${address}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  return `<c r="${address}"><v>${cell}</v></c>`;
}

/** A number in the style with an index. */
export const styled = (value: number | string, style: number): Cell => ({
  xml: `<c s="${style}"><v>${value}</v></c>`,
});

/** Returns a workbook with these sheets. */
export function workbook({
  sheets,
  states = {},
  formats = [],
  is1904 = false,
  shared,
  replace,
  tail = "",
}: Parts): Uint8Array {
  const names = Object.keys(sheets);
  const relations = names.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="http://x/relationships/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const parts: Record<string, string> = {
    "xl/workbook.xml": `<?xml version="1.0"?><workbook xmlns:r="r"><workbookPr${is1904 ? ' date1904="1"' : ""}/><sheets>${names
      .map(
        (name, at) =>
          `<sheet name="${escaped(name)}" sheetId="${at + 1}" ${states[name] ?? ""} r:id="rId${at + 1}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relations.join("")}</Relationships>`,
    "xl/styles.xml": `<styleSheet><numFmts>${formats
      .map(
        (code, at) =>
          `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code).replaceAll('"', "&quot;")}"/>`,
      )
      .join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_, at) => `<xf numFmtId="${164 + at}"/>`)
      .join("")}</cellXfs></styleSheet>`,
    ...(shared && {
      "xl/sharedStrings.xml": `<sst>${shared.map((text) => `<si>${text}</si>`).join("")}</sst>`,
    }),
  };
  names.forEach((name, at) => {
    const rows = sheets[name]!;
    const xml =
      "xml" in rows
        ? rows.xml
        : rows
            .map((row, r) =>
              row === null
                ? ""
                : `<row r="${r + 1}">${row.map((cell, c) => cellXml(cell, `${letters(c)}${r + 1}`)).join("")}</row>`,
            )
            .join("");
    parts[`xl/worksheets/sheet${at + 1}.xml`] = `<worksheet><sheetData>${xml}</sheetData>${tail}</worksheet>`;
  });
  const all = { ...parts, ...replace };
  return zipSync(Object.fromEntries(Object.entries(all).map(([name, text]) => [name, strToU8(text)])));
}
