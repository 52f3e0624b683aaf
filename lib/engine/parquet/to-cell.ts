import type { SchemaElement, TimeUnit } from "hyparquet";
import { parseFloat16 } from "hyparquet/src/convert.js";
import { escapeFormula } from "#lib/engine/csv/formulas";
import { numberText } from "#lib/engine/csv/number-text";
import { timeWriter } from "#lib/engine/csv/write-csv";

/** Returns a value of a column, as it is stored in the file, as a cell: a number, or the text of a CSV. */
export type ToCell = (value: unknown) => number | string;

export type ParquetColumn = { name: string; element: SchemaElement; toCell: ToCell };

const DAY_MS = 86_400_000;
/** The last time that ISO 8601 can write. */
const LAST_MS = 8.64e15;
/** The largest decimal numbers that databases write have 76 digits, in 32 bytes. */
const DIGITS_MAX = 76;
const DECIMAL_BYTES = 32;

/** Returns a number that is stored as one. */
export const asStored: ToCell = (value) => value as number;

/**
 * Returns how the values of a column are read: numbers in all their digits, times as ISO 8601, and texts. Times that the
 * file declares as local have no zone, so the dataset's zone applies. null for a type that a cell cannot hold.
 */
export function toCellOf(element: SchemaElement): ToCell | null {
  const { type, converted_type: converted, logical_type: logical, scale = 0 } = element;
  if (converted === "DECIMAL" || logical?.type === "DECIMAL") {
    const digits = logical?.type === "DECIMAL" ? logical.scale : scale;
    const length = element.type_length ?? 0;
    if (!(digits >= 0 && digits <= DIGITS_MAX && length <= DECIMAL_BYTES)) return null;
    return (value) =>
      decimalText(value instanceof Uint8Array ? bigEndian(value) : BigInt(value as bigint), digits);
  }
  switch (type) {
    case "BOOLEAN":
      return String;
    case "FLOAT":
    case "DOUBLE":
      return asStored;
    case "INT32":
    case "INT64":
      return integerCell(element);
    case "INT96":
      // Impala and Spark store times in UTC in this type.
      return timeText("Z", dayAndClockMs);
    case "BYTE_ARRAY":
      return isText(element) ? bytesText : null;
    case "FIXED_LEN_BYTE_ARRAY":
      if (logical?.type === "UUID") return (value) => uuidText(value as Uint8Array);
      if (logical?.type === "FLOAT16") return (value) => parseFloat16(value as Uint8Array) ?? Number.NaN;
      return null;
    default:
      return null;
  }
}

/** Old writers store texts without declaring them. */
const isText = ({ converted_type: converted, logical_type: logical }: SchemaElement) =>
  (converted === undefined || ["UTF8", "ENUM", "JSON"].includes(converted)) &&
  (logical === undefined || ["STRING", "ENUM", "JSON"].includes(logical.type));

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const bytesText: ToCell = (value) => escapeFormula(decoder.decode(value as Uint8Array));

function integerCell({ type, converted_type: converted, logical_type: logical }: SchemaElement): ToCell {
  if (converted === "DATE" || logical?.type === "DATE") return (value) => dateText(value as number);
  if (logical?.type === "TIMESTAMP")
    return timeText(logical.isAdjustedToUTC ? "Z" : "", millisecondsOf(logical.unit));
  if (converted === "TIMESTAMP_MILLIS") return timeText("Z", millisecondsOf("MILLIS"));
  if (converted === "TIMESTAMP_MICROS") return timeText("Z", millisecondsOf("MICROS"));
  if (logical?.type === "TIME") {
    const toMs = millisecondsOf(logical.unit);
    return (value) => clockText(toMs(value));
  }
  if (converted === "TIME_MILLIS") return (value) => clockText(Number(value));
  if (converted === "TIME_MICROS") return (value) => clockText(millisecondsOf("MICROS")(value));
  const isUnsigned = converted?.startsWith("UINT_") || (logical?.type === "INTEGER" && !logical.isSigned);
  if (type === "INT32") return isUnsigned ? (value) => Number(value) >>> 0 : asStored;
  return (value) => largeCell(isUnsigned ? BigInt.asUintN(64, value as bigint) : (value as bigint));
}

/** Returns an integer as text if a number cannot hold it. */
function largeCell(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function millisecondsOf(unit: TimeUnit): (value: unknown) => number {
  if (unit === "MILLIS") return Number;
  const divisor = unit === "MICROS" ? 1000n : 1_000_000n;
  // Rounded down before 1970, too.
  return (value) => {
    const units = BigInt(value as bigint);
    return Number((units - (((units % divisor) + divisor) % divisor)) / divisor);
  };
}

/** Writes times in ISO 8601; as a number beyond the years that have one, which no column of times accepts. */
function timeText(zone: string, toMs: (value: unknown) => number): ToCell {
  const write = timeWriter();
  return (value) => {
    const ms = toMs(value);
    return Math.abs(ms) <= LAST_MS ? `${write(ms).slice(0, -1)}${zone}` : String(ms);
  };
}

const dateText = (day: number) => isoText(day * DAY_MS).slice(0, 10);
const clockText = (ms: number) => isoText(ms).slice(11, 23);
const isoText = (ms: number) => (Math.abs(ms) <= LAST_MS ? new Date(ms).toISOString() : String(ms));

/** Returns an integer with the decimal point moved, such as 12.30 for 1230 and two digits. */
function decimalText(unscaled: bigint, digits: number): string {
  if (digits === 0) return String(unscaled);
  const sign = unscaled < 0n ? "-" : "";
  const all = String(unscaled < 0n ? -unscaled : unscaled).padStart(digits + 1, "0");
  const text = `${sign}${all.slice(0, -digits)}.${all.slice(-digits)}`;
  return numberText(text) ?? text;
}

/** Returns the milliseconds since 1970 of a Julian day in the upper 32 bits, and nanoseconds in the lower 64. */
function dayAndClockMs(stored: unknown): number {
  const value = stored as bigint;
  return (Number(value >> 64n) - 2_440_588) * DAY_MS + Number(BigInt.asUintN(64, value) / 1_000_000n);
}

function bigEndian(bytes: Uint8Array): bigint {
  if (bytes.length > DECIMAL_BYTES) throw new RangeError("The decimal number is too long");
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}

function uuidText(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
