import { NO_WORKBOOK } from "#lib/engine/csv/magic";
import type { SheetBatch } from "#lib/engine/csv/options";
import { UnreadableFileError } from "#lib/engine/csv/unreadable-file";
import { nameFinder } from "#lib/engine/names/nearest-name";
import { Archive } from "./archive.ts";
import { type DateParts, datePartsOf } from "./cell-text.ts";
import { SheetRows } from "./sheet-rows.ts";
import { attribute, XmlReader, type XmlSink } from "./xml.ts";

/** Bytes at the start of a ZIP archive, which every workbook is. */
export const isArchive = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && head[2] === 0x03 && head[3] === 0x04;

type Sheet = { name: string; id: string; isHidden: boolean };
type Relation = { type: string; path: string };

/** Parts of a workbook that its sheets refer to. */
type Facts = {
  sheets: Sheet[];
  is1904: boolean;
  relations: Map<string, Relation>;
  texts: string[];
  styles: (DateParts | null)[];
};

/**
 * Reads a sheet of an Excel workbook (.xlsx), in batches of rows.
 *
 * @param sheetName name of the sheet; null for the first one that is not hidden
 * @throws {UnreadableFileError}
 */
export function* readWorkbook(bytes: Uint8Array, sheetName: string | null): Generator<SheetBatch> {
  const archive = new Archive(bytes);
  const facts = readFacts(archive);
  // Charts may have sheets of their own.
  const sheets = facts.sheets.filter(({ id }) => facts.relations.get(id)?.type === "worksheet");
  const sheet = sheetNamed(sheets, sheetName);
  const { path } = facts.relations.get(sheet.id)!;
  const names = sheets.filter((one) => !one.isHidden || one === sheet).map(({ name }) => name);
  const rows = new SheetRows(facts);
  const xml = new XmlReader(rows);
  let isFound = false;
  const batch = (isLast = false): SheetBatch => ({
    sheet: sheet.name,
    sheets: names,
    rows: rows.take(isLast),
    lead: rows.lead,
    notes: isLast ? rows.notes : [],
  });
  for (const _ of archive.read((name) => {
    if (name !== path || isFound) return null;
    isFound = true;
    return textReceiver(xml);
  })) {
    const next = batch();
    if (next.rows.length > 0) yield next;
  }
  if (!isFound || !xml.isComplete)
    throw new UnreadableFileError("broken_workbook", `The workbook has no complete sheet "${sheet.name}".`);
  yield batch(true);
}

function sheetNamed(sheets: readonly Sheet[], sheetName: string | null): Sheet {
  const sheet =
    sheetName === null
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find(({ name }) => name === sheetName);
  if (sheet !== undefined) return sheet;
  const names = sheets.map(({ name }) => name);
  if (sheetName === null || names.length === 0)
    throw new UnreadableFileError("broken_workbook", "The workbook has no sheet with cells.");
  const nearest = nameFinder(names)(sheetName);
  const hint = nearest === null ? "" : ` Did you mean "${nearest}"?`;
  const choices = names.map((name) => ({ label: `Sheet ${name}`, options: { sheet: name }, cells: [] }));
  const message = `The workbook has no sheet "${sheetName}".${hint} It has ${names.map((name) => `"${name}"`).join(", ")}.`;
  throw new UnreadableFileError("unknown_sheet", message, undefined, { choices });
}

/** Parts that describe a workbook, by the end of their names. */
const FACTS = /(?:^|\/)(?:workbook\.xml|workbook\.xml\.rels|styles\.xml|sharedStrings\.xml)$/i;

function readFacts(archive: Archive): Facts {
  const facts: Facts = { sheets: [], is1904: false, relations: new Map(), texts: [], styles: [] };
  let isWorkbook = false;
  const readerOf = (name: string): XmlSink => {
    if (/\.rels$/i.test(name)) return relationReader(facts, name);
    if (/styles\.xml$/i.test(name)) return styleReader(facts);
    if (/sharedStrings\.xml$/i.test(name)) return new TextReader(facts.texts);
    isWorkbook = true;
    return sheetReader(facts);
  };
  for (const _ of archive.read((name) =>
    FACTS.test(name) ? textReceiver(new XmlReader(readerOf(name))) : null,
  ));
  if (!isWorkbook) throw new UnreadableFileError("compressed_file", NO_WORKBOOK);
  return facts;
}

function textReceiver(xml: XmlReader) {
  const decoder = new TextDecoder("utf-8");
  return (bytes: Uint8Array, isLast: boolean) => xml.push(decoder.decode(bytes, { stream: !isLast }));
}

const ignore = () => {};

/** Reads the names of the sheets, and the system of dates. */
function sheetReader(facts: Facts): XmlSink {
  const open = (name: string, attributes: string) => {
    if (name === "workbookPr") facts.is1904 = /^(1|true)$/.test(attribute(attributes, "date1904") ?? "");
    if (name !== "sheet") return;
    facts.sheets.push({
      name: attribute(attributes, "name") ?? "",
      id: attribute(attributes, "r:id") ?? attribute(attributes, "id") ?? "",
      isHidden: (attribute(attributes, "state") ?? "visible") !== "visible",
    });
  };
  return { open, close: ignore, text: ignore };
}

/** Reads the paths of the sheets. They are relative to the workbook's folder. */
function relationReader({ relations }: Facts, part: string): XmlSink {
  const folder = part.replace(/_rels\/[^/]*$/, "");
  const open = (name: string, attributes: string) => {
    if (name !== "Relationship") return;
    const target = attribute(attributes, "Target") ?? "";
    const path = target.startsWith("/") ? target.slice(1) : `${folder}${target.replace(/^\.\//, "")}`;
    const type = (attribute(attributes, "Type") ?? "").replace(/^.*\//, "");
    relations.set(attribute(attributes, "Id") ?? "", { type, path });
  };
  return { open, close: ignore, text: ignore };
}

/** Reads what each style of cells shows of dates. */
function styleReader({ styles }: Facts): XmlSink {
  const codes = new Map<number, string>();
  let isOfCells = false;
  return {
    open(name, attributes) {
      if (name === "numFmt")
        codes.set(Number(attribute(attributes, "numFmtId")), attribute(attributes, "formatCode") ?? "");
      else if (name === "cellXfs") isOfCells = true;
      else if (name === "xf" && isOfCells) {
        const id = Number(attribute(attributes, "numFmtId") ?? 0);
        styles.push(datePartsOf(id, codes.get(id)));
      }
    },
    close(name) {
      if (name === "cellXfs") isOfCells = false;
    },
    text: ignore,
  };
}

/** Reads the texts that cells share. Parts of a text may have fonts of their own. */
class TextReader implements XmlSink {
  readonly #texts: string[];
  #text = "";
  #isReading = false;
  #isPhonetic = false;

  constructor(texts: string[]) {
    this.#texts = texts;
  }

  open(name: string): void {
    if (name === "si") this.#text = "";
    else if (name === "rPh") this.#isPhonetic = true;
    else if (name === "t") this.#isReading = !this.#isPhonetic;
  }

  close(name: string): void {
    if (name === "si") this.#texts.push(this.#text);
    else if (name === "rPh") this.#isPhonetic = false;
    else if (name === "t") this.#isReading = false;
  }

  text(text: string): void {
    if (this.#isReading) this.#text += text;
  }
}
