import type { SchemaElement, TimeUnit } from "hyparquet";
import { parseFloat16 } from "hyparquet/src/convert.js";
import { numberText } from "#lib/engine/csv/number-text";
import { writeText } from "#lib/engine/csv/write";

/** Writes a value of a column, as it is stored in the file, as a cell of a CSV. */
export type CellText = (value: unknown) => string;

export type ParquetColumn = { name: string; element: SchemaElement; text: CellText };

const DAY_MS = 86_400_000;
/** The largest decimal numbers that databases write have 76 digits, in 32 bytes. */
const DIGITS_MAX = 76;
const DECIMAL_BYTES = 32;

/**
 * Returns how the values of a column are written: numbers in all their digits, times in ISO 8601, and texts quoted. Times
 * that the file declares as local have no zone, so the dataset's zone applies. null for a type that a cell cannot hold.
 */
export function cellTextOf(element: SchemaElement): CellText | null {
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
      return (value) => (Object.is(value, -0) ? "-0" : plainNumber(String(value)));
    case "INT32":
    case "INT64":
      return integerText(element);
    case "INT96":
      // Impala and Spark store times in UTC in this type.
      return (value) => timeText(dayAndClockMs(value as bigint), "Z");
    case "BYTE_ARRAY":
      return isText(element) ? bytesText : null;
    case "FIXED_LEN_BYTE_ARRAY":
      if (logical?.type === "UUID") return (value) => uuidText(value as Uint8Array);
      if (logical?.type === "FLOAT16")
        return (value) => plainNumber(String(parseFloat16(value as Uint8Array)));
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
const bytesText: CellText = (value) => writeText(decoder.decode(value as Uint8Array));

/** Numbers of three decimals get another one, so that no reader takes them for thousands. */
const plainNumber = (text: string) => numberText(text) ?? text;

function integerText({ converted_type: converted, logical_type: logical }: SchemaElement): CellText {
  if (converted === "DATE" || logical?.type === "DATE")
    return (value) => dateText(Number(value) * DAY_MS).slice(0, 10);
  if (logical?.type === "TIMESTAMP") {
    const toMs = millisecondsOf(logical.unit);
    const zone = logical.isAdjustedToUTC ? "Z" : "";
    return (value) => timeText(toMs(value), zone);
  }
  if (converted === "TIMESTAMP_MILLIS") return (value) => timeText(Number(value), "Z");
  if (converted === "TIMESTAMP_MICROS") return (value) => timeText(millisecondsOf("MICROS")(value), "Z");
  if (logical?.type === "TIME") {
    const toMs = millisecondsOf(logical.unit);
    return (value) => clockText(toMs(value));
  }
  if (converted === "TIME_MILLIS") return (value) => clockText(Number(value));
  if (converted === "TIME_MICROS") return (value) => clockText(millisecondsOf("MICROS")(value));
  const isUnsigned = converted?.startsWith("UINT_") || (logical?.type === "INTEGER" && !logical.isSigned);
  if (!isUnsigned) return String;
  return (value) =>
    typeof value === "bigint" ? String(BigInt.asUintN(64, value)) : String(Number(value) >>> 0);
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

/** Returns a time in ISO 8601; the number itself beyond the years that have one, which no column of times accepts. */
const timeText = (ms: number, zone: string) => dateText(ms).replace("Z", zone);

function dateText(ms: number): string {
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? String(ms) : at.toISOString();
}

const clockText = (ms: number) => dateText(ms).slice(11, 23);

/** Returns an integer with the decimal point moved, such as 12.30 for 1230 and two digits. */
function decimalText(unscaled: bigint, digits: number): string {
  if (digits === 0) return String(unscaled);
  const sign = unscaled < 0n ? "-" : "";
  const all = String(unscaled < 0n ? -unscaled : unscaled).padStart(digits + 1, "0");
  return plainNumber(`${sign}${all.slice(0, -digits)}.${all.slice(-digits)}`);
}

/** Returns the milliseconds since 1970 of a Julian day in the upper 32 bits, and nanoseconds in the lower 64. */
const dayAndClockMs = (value: bigint) =>
  (Number(value >> 64n) - 2_440_588) * DAY_MS + Number(BigInt.asUintN(64, value) / 1_000_000n);

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
