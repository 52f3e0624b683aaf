import { createHash } from "node:crypto";

/**
 * Returns the ID of a series: a GUID of version 5 (RFC 9562, section 5.5) of the project and the values by column. So it is
 * the same in every version of the dataset, without a table of series. The order of the columns does not matter.
 */
export function seriesId(projectId: string, columns: readonly string[], values: readonly string[]): string {
  const named = columns.map((name, at): [string, string] => [name, values[at]!]);
  named.sort(([one], [other]) => (one < other ? -1 : 1));
  const bytes = createHash("sha1")
    .update(Buffer.from(projectId.replaceAll("-", ""), "hex"))
    .update(JSON.stringify(named))
    .digest()
    .subarray(0, 16);
  bytes[6] = 0x50 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
