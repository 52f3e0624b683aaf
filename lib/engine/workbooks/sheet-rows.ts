import { counted } from "#lib/contract/counted";
import { numberText } from "#lib/engine/csv/number-text";
import { columnLetters } from "#lib/engine/csv/origin";
import { UnreadableFileError } from "#lib/engine/csv/unreadable-file";
import { type DateParts, dateText } from "./cell-text.ts";
import { attribute, type XmlSink } from "./xml.ts";

/** Limits of Excel. */
const ROWS_MAX = 1_048_576;
const COLUMNS_MAX = 16_384;
/** First rows that show where the table begins and how wide it is. */
const SAMPLE_ROWS = 200;
const SHOWN_CELLS = 3;

/** Parts of the workbook that the cells of a sheet refer to. */
export type SheetParts = {
  texts: readonly string[];
  /** Parts of a date that each style shows; null for plain numbers. */
  styles: readonly (DateParts | null)[];
  is1904: boolean;
};

const blank: readonly string[] = [""];

/**
 * Turns the cells of a sheet into rows of texts. Row 1 of the sheet is the first row; a row without values is one empty
 * cell, like a blank line of a CSV file. Rows of the table are as long as its header.
 */
export class SheetRows implements XmlSink {
  readonly #parts: SheetParts;
  /** Complete rows that the caller has not taken. */
  #rows: (readonly string[])[] = [];
  /** Number of the last row that is complete, with the blank rows before the next one. */
  #line = 0;
  #row: string[] | null = null;
  #rowNumber = 0;
  #column = 0;
  #type = "n";
  #style = -1;
  #value: string | null = null;
  #hasFormula = false;
  #isText = false;
  #isReading = false;
  /** Whether the text is a reading aid of another text. */
  #isPhonetic = false;
  /** Length of the header, once it is known. */
  #width: number | null = null;
  /** Empty columns in front of the table. */
  lead = 0;
  readonly #merged: string[] = [];
  readonly #errors: string[] = [];
  #errorCount = 0;

  constructor(parts: SheetParts) {
    this.#parts = parts;
  }

  /** Returns the complete rows since the last call. The first rows come together. */
  take(isLast = false): (readonly string[])[] {
    if (this.#width === null) {
      if (this.#rows.length < SAMPLE_ROWS && !isLast) return [];
      this.#rows = this.#padSample(this.#rows);
    }
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Warnings about cells that hold no value of their own. */
  get notes(): { code: "merged_cells" | "error_cells"; message: string }[] {
    const shown = (cells: readonly string[], count: number) =>
      `${cells.slice(0, SHOWN_CELLS).join(", ")}${count > SHOWN_CELLS ? ` and ${count - SHOWN_CELLS} more` : ""}`;
    const notes: ReturnType<() => SheetRows["notes"]> = [];
    if (this.#merged.length > 0) {
      const cells = shown(this.#merged, this.#merged.length);
      const message = `Cells ${cells} are merged. Only the first cell of each has the value; the others are read as missing.`;
      notes.push({ code: "merged_cells", message });
    }
    if (this.#errorCount > 0) {
      const message = `${counted(this.#errorCount, "cell holds an error", "cells hold errors")}, such as ${shown(this.#errors, this.#errorCount)}, and are read as missing.`;
      notes.push({ code: "error_cells", message });
    }
    return notes;
  }

  open(name: string, attributes: string): void {
    if (name === "c") this.#beginCell(attributes);
    else if (name === "v" || (name === "t" && !this.#isPhonetic)) this.#isReading = true;
    else if (name === "f") this.#hasFormula = true;
    else if (name === "is") this.#isText = true;
    else if (name === "row") {
      const number = Number(attribute(attributes, "r") ?? this.#rowNumber + 1);
      if (!(number > this.#line && number <= ROWS_MAX)) throw broken(`row ${number}`);
      this.#rowNumber = number;
      this.#row = [];
      this.#column = 0;
    } else if (name === "rPh") this.#isPhonetic = true;
    else if (name === "mergeCell") this.#merged.push(attribute(attributes, "ref") ?? "");
  }

  close(name: string): void {
    if (name === "c") this.#endCell();
    else if (name === "v" || name === "t") this.#isReading = false;
    else if (name === "rPh") this.#isPhonetic = false;
    else if (name === "row") this.#endRow();
  }

  text(text: string): void {
    if (this.#isReading) this.#value = this.#value === null ? text : this.#value + text;
  }

  #beginCell(attributes: string): void {
    const at = attribute(attributes, "r");
    this.#column = at === undefined ? this.#column + 1 : columnNumber(at);
    if (this.#row === null || this.#column <= this.#row.length || this.#column > COLUMNS_MAX)
      throw broken(`cell ${at ?? ""}`);
    this.#type = attribute(attributes, "t") ?? "n";
    this.#style = Number(attribute(attributes, "s") ?? -1);
    this.#value = null;
    this.#hasFormula = false;
    this.#isText = false;
  }

  #endCell(): void {
    const text = this.#cellText().trim();
    if (text === "" || this.#row === null) return;
    const row = this.#row;
    while (row.length < this.#column - 1) row.push("");
    row.push(text);
  }

  #cellText(): string {
    const value = this.#value;
    if (value === null) {
      if (!this.#hasFormula || this.#isText) return "";
      const message = `Cell ${this.#address} holds a formula without its result. Open the workbook in Excel or LibreOffice, and save it.`;
      throw new UnreadableFileError("formula_without_result", message);
    }
    const { texts, styles, is1904 } = this.#parts;
    switch (this.#type) {
      case "s": {
        const text = texts[Number(value)];
        if (text === undefined) throw broken(`cell ${this.#address}`);
        return oneLine(text);
      }
      case "b":
        return value === "1" ? "true" : "false";
      case "e":
        if (this.#errors.length < SHOWN_CELLS) this.#errors.push(`${value} in ${this.#address}`);
        this.#errorCount++;
        return "";
      case "n": {
        const date = styles[this.#style] ?? null;
        const shown = date === null ? null : dateText(Number(value), date, is1904);
        return shown ?? numberText(value) ?? oneLine(value);
      }
      default:
        return oneLine(value);
    }
  }

  get #address(): string {
    return `${columnLetters(this.#column)}${this.#rowNumber}`;
  }

  #endRow(): void {
    const row = this.#row ?? [];
    this.#row = null;
    if (row.length === 0) return;
    for (; this.#line < this.#rowNumber - 1; this.#line++) this.#rows.push(blank);
    this.#rows.push(this.#width === null ? row : padded(this.#withoutLead(row), this.#width));
    this.#line = this.#rowNumber;
  }

  /** Pads the first rows from the header on: the first row that is as long as most rows. */
  #padSample(rows: (readonly string[])[]): (readonly string[])[] {
    const lengths = rows.filter((row) => row !== blank).map(({ length }) => length);
    const median = lengths.toSorted((a, b) => a - b)[lengths.length >> 1] ?? 1;
    const header = rows.findIndex((row) => row !== blank && row.length >= median);
    const table = rows.slice(header, SAMPLE_ROWS).filter((row) => row !== blank);
    this.lead = Math.min(
      ...table.map((row) =>
        Math.max(
          0,
          row.findIndex((cell) => cell !== ""),
        ),
      ),
    );
    const width = (rows[header]?.length ?? 1) - this.lead;
    this.#width = width;
    return rows.map((row, at) => {
      if (row === blank) return row;
      return at < header ? this.#withoutLead(row) : padded(this.#withoutLead(row), width);
    });
  }

  /** A row with cells in front of the table stays longer than its header, which is an issue. */
  #withoutLead(row: readonly string[]): readonly string[] {
    const { lead } = this;
    return lead > 0 && row.slice(0, lead).every((cell) => cell === "") ? row.slice(lead) : row;
  }
}

function padded(row: readonly string[], width: number): readonly string[] {
  return row.length >= width ? row : [...row, ...Array<string>(width - row.length).fill("")];
}

/** Replaces line breaks, which a header or a category hardly means, and the escapes of Excel for characters. */
const oneLine = (text: string) =>
  text
    .replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/[\r\n\t]+/g, " ");

/** Returns 27 for `AA5`. */
function columnNumber(address: string): number {
  let number = 0;
  for (let at = 0; at < address.length; at++) {
    const letter = address.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    number = number * 26 + letter;
  }
  return number;
}

const broken = (place: string) =>
  new UnreadableFileError(
    "broken_workbook",
    `The workbook is damaged at ${place}. Open it in Excel, and save it again.`,
  );
