import { isDeepStrictEqual } from "node:util";
import type { UpdateDataset } from "#lib/contract/dataset-requests";
import { encodingNamed } from "#lib/engine/csv/encodings";
import { type ErrorDetail, requireNoIssues } from "#lib/platform/errors/domain-error";
import type { DatasetSettings } from "./settings.ts";

/**
 * Checks that the reading options of a change are those with which the rows were stored. Others need the file, which the
 * service does not keep.
 *
 * @throws {DomainError} input_invalid with each option that differs
 */
export function checkSameReading(
  { timestamp, columnFormats, encoding, shape, ...change }: UpdateDataset,
  { reading, timestampColumns }: DatasetSettings,
): void {
  const { timestampFormat, headerRow, sheet } = change;
  const { columnFormats: stored = {}, ...used } = reading ?? {};
  const asked: [field: string, asked: unknown, used: unknown][] = [
    // Requests name the columns of a time in any order.
    ["timestamp", timestamp && [timestamp].flat().toSorted(), timestampColumns?.toSorted()],
    ["timestampFormat", timestampFormat, used.timestampFormat],
    // The reading also has the formats that were found in the file.
    ["columnFormats", columnFormats && { ...stored, ...columnFormats }, stored],
    // Absent in readings that are older than this option.
    ["headerRow", headerRow, reading === null ? undefined : (used.headerRow ?? 1)],
    ["encoding", encoding && (encodingNamed(encoding) ?? encoding), used.encoding],
    ["sheet", sheet, used.sheet],
    ["shape", shape && { ...shape, valueName: shape.valueName ?? "value" }, used.shape],
  ];
  const details = asked
    .filter(([, value, known]) => value !== undefined && !isDeepStrictEqual(value, known))
    .map(([field]): ErrorDetail => {
      const message = `${field} differs from the stored reading of the dataset. Send the file again with PUT to read it in another way. The service does not keep the file.`;
      return { field, code: "file_needed", message };
    });
  requireNoIssues("input_invalid", details);
}
