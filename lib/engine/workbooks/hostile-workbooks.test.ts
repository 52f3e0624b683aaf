import { strToU8, unzipSync, Zip, ZipDeflate, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { codes, readWorkbook, sheet } from "#testing/read-in-pieces";
import { workbook } from "#testing/workbooks";
import { Archive } from "./archive.ts";

describe("hostile files", () => {
  const good = sheet([["y"], ...Array.from({ length: 5_000 }, (_, at) => [Math.sin(at)])]);

  test("cut off anywhere", async () => {
    for (let at = 1; at <= 40; at++) {
      const bytes = good.subarray(0, Math.floor((good.length * at) / 41));
      const { issues } = await readWorkbook(bytes);
      // Behind the last part, only the list of the parts is missing.
      if (at < 40) expect(issues.length, String(at)).toBe(1);
    }
  });

  test("with any byte changed: never throws", async () => {
    const small = sheet([["y"], ...Array.from({ length: 50 }, (_, at) => [Math.sin(at)])]);
    for (let at = 0; at < 300; at++) {
      const bytes = small.slice();
      bytes[(at * 7919) % bytes.length]! ^= 1 + (at % 255);
      expect(Array.isArray((await readWorkbook(bytes)).issues)).toBe(true);
    }
  });

  test("that unpack to more than the limit are rejected while they are unpacked", async () => {
    const xml = `<row r="1"><c t="inlineStr"><is><t>y</t></is></c></row>${"<!-- -->".repeat(4_000_000)}`;
    const bomb = workbook({ sheets: { Data: { xml } } });
    expect(bomb.length).toBeLessThan(100_000);
    const archive = new Archive(bomb, 1 << 20);
    const unpack = () => {
      let unpacked = 0;
      for (const _ of archive.read(() => (bytes) => (unpacked += bytes.length)));
      return unpacked;
    };
    expect(unpack).toThrow(/more than 512 MiB/);
  });

  test("with declared entities", async () => {
    const workbookXml =
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><workbook>&a;&b;</workbook>';
    const { issues } = await readWorkbook(
      sheet([["y"], [1]], { replace: { "xl/workbook.xml": workbookXml } }),
    );
    expect(issues).toMatchObject([{ code: "broken_workbook" }]);
    expect(issues[0]!.message).toMatch(/declares a document type/);
  });

  test.each([
    ["a far row", '<row r="99999999"><c><v>1</v></c></row>'],
    ["rows that go back", '<row r="2"><c r="A2"><v>1</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>'],
    ["a far column", '<row r="1"><c r="ZZZZ1"><v>1</v></c></row>'],
    ["cells that go back", '<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>'],
    ["a text that is not there", '<row r="1"><c r="A1" t="s"><v>7</v></c></row>'],
    ["a tag without an end", `<row r="1"><c ${"a".repeat(3_000_000)}`],
  ])("with %s", async (_, xml) => {
    expect(codes((await readWorkbook(workbook({ sheets: { Data: { xml } } }))).issues)).toEqual([
      "broken_workbook",
    ]);
  });

  test("with a last row that is far below", async () => {
    const xml =
      '<row r="1"><c t="inlineStr"><is><t>y</t></is></c><c t="inlineStr"><is><t>z</t></is></c></row><row r="1000000"><c><v>1</v></c></row>';
    expect((await readWorkbook(workbook({ sheets: { Data: { xml } } }))).rowCount).toBe(1);
  });

  test("that are other archives", async () => {
    const other = workbook({ sheets: {}, replace: { "xl/workbook.xml": "<workbook/>" } });
    expect(codes((await readWorkbook(other)).issues)).toEqual(["broken_workbook"]);
    expect(codes((await readWorkbook(zipSync({ "a.csv": strToU8("a,b") }))).issues)).toEqual([
      "compressed_file",
    ]);
  });

  test("written as a stream, without sizes in front of the parts", async () => {
    const chunks: Uint8Array[] = [];
    const zip = new Zip((_, chunk) => chunks.push(chunk));
    for (const [name, bytes] of Object.entries(unzipSync(good))) {
      const part = new ZipDeflate(name);
      zip.add(part);
      part.push(bytes, true);
    }
    zip.end();
    const { rowCount, issues } = await readWorkbook(
      new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer()),
    );
    expect([rowCount, issues]).toEqual([5_000, []]);
  });
});
