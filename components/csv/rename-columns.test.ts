import { describe, expect, it } from "vitest";
import { parseCsv } from "#lib/engine/csv/parse";
import { renameColumns } from "./rename-columns.ts";

const text = "Größe,Temp C\r\n1,2\r\n3,4\r\n";
const utf16 = (littleEndian: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return littleEndian ? bytes : bytes.swap16();
};

describe("renameColumns", () => {
  it.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${text}`)],
    ["UTF-16, little-endian", utf16(true)],
    ["UTF-16, big-endian", utf16(false)],
    ["Windows-1252", Buffer.from(text, "latin1")],
  ])("changes only the column names, in %s", async (_, bytes) => {
    const file = new File([new Uint8Array(bytes)], "february.csv", { type: "text/csv" });
    const renamed = await renameColumns(file, { "Temp C": "temp" }, null);
    expect({ name: renamed.name, type: renamed.type }).toEqual({ name: "february.csv", type: "text/csv" });
    const { header, rowCount, issues } = parseCsv(await renamed.bytes());
    expect({ header, rowCount, issues }).toEqual({ header: ["Größe", "temp"], rowCount: 2, issues: [] });
  });

  it("reads the file in the encoding of its dataset", async () => {
    const file = new File([Uint8Array.of(0xa3, 0xf3, 0x64, 0x9f, 0x2c, 0x78, 10, 0x31, 0x2c, 0x32)], "a.csv");
    const renamed = await renameColumns(file, { x: "temp" }, "windows-1250");
    expect(parseCsv(await renamed.bytes()).header).toEqual(["Łódź", "temp"]);
  });
});
