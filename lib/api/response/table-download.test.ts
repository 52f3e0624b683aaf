import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { PARQUET_TYPE } from "#lib/contract/reading";
import type { Table } from "#lib/contract/table";
import { naughtyTexts } from "#testing/hostile-texts";
import { contentDisposition, tableDownload, wantedTable } from "./table-download.ts";

const HEADER = /^attachment; filename="([ -!#-$&-[\]-~]+)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/;

function names(title: string): { plain: string; real: string } {
  const [, plain, real] = HEADER.exec(contentDisposition(title, "csv")) ?? [];
  return { plain: plain!, real: decodeURIComponent(real!) };
}

const parquet = PARQUET_TYPE;

describe("the choice between tables and JSON", () => {
  it.each([
    ["text/csv", "text/csv"],
    ["TEXT/CSV; header=present", "text/csv"],
    ["text/csv, */*", "text/csv"],
    ["text/csv, application/json;q=0.5", "text/csv"],
    ["application/json; q=0.5, text/csv; q=0.9", "text/csv"],
    [parquet, parquet],
    [`text/csv;q=0.5, ${parquet}`, parquet],
    [`${parquet};q=0.5, text/csv`, "text/csv"],
    [`application/json, ${parquet}`, null],
    ["text/csv;q=0.5, application/json", null],
    ["text/csv;q=0", null],
    ["application/json, text/csv", null],
    ["*/*", null],
    ["", null],
  ])("Accept: %s", (accept, type) => {
    expect(wantedTable(new Request("http://localhost/", { headers: { Accept: accept } }))).toBe(type);
  });
});

describe("the file name of a download", () => {
  it.each([
    ["Möwe 1", "M_we 1.csv", "Möwe 1.csv"],
    ["../../etc/passwd", "_.._etc_passwd.csv", "_.._etc_passwd.csv"],
    ["C:\\x", "C_x.csv", "C_x.csv"],
    ['a"; filename="b.exe', "a_; filename=_b.exe.csv", "a_; filename=_b.exe.csv"],
    ["a\r\nSet-Cookie: x=1", "a_Set-Cookie_ x=1.csv", "a_Set-Cookie_ x=1.csv"],
    ["invoice\u202Evsc.exe", "invoice_vsc.exe.csv", "invoice_vsc.exe.csv"],
    ["<b>50 %41</b>", "_b_50 _41_b_.csv", "_b_50 %41_b_.csv"],
    ["👩‍👩‍👧", "________.csv", "👩‍👩‍👧.csv"],
    ["...", "predictions.csv", "predictions.csv"],
  ])("of %j is %s, or %s", (title, plain, real) => {
    expect(names(title)).toEqual({ plain, real });
  });

  it("is one safe name in a valid header for any title", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc
        .array(fc.constantFrom(...naughtyTexts, "\r\n", "\0", "\ud800", "\u202E", "x".repeat(10_000)))
        .map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(text, async (title) => {
        const { plain, real } = names(title);
        expect(real).not.toMatch(/[\p{Cc}\p{Bidi_Control}"\\/:*?<>|]/u);
        expect(real).toMatch(/^[^.].*\.csv$/su);
        expect(Buffer.byteLength(real)).toBeLessThan(255);
        expect(plain.length).toBeGreaterThan(4);
        const { headers } = await tableDownload("text/csv", title, (function* () {})());
        expect(headers.get("content-disposition")).toBe(contentDisposition(title, "csv"));
      }),
      { numRuns: 500 },
    );
  });
});

/** Returns a table of one row. */
const row = (text: string): Table => ({
  rowCount: 1,
  columns: [{ name: "x", type: "category", codes: Int32Array.of(0), categories: [text] }],
});

describe("the content of a download", () => {
  it("is created only as fast as it is read, and stops when the client disconnects", async () => {
    let made = 0;
    let isEnded = false;
    async function* parts() {
      try {
        for (;;) yield row(`piece ${++made}`);
      } finally {
        isEnded = true;
      }
    }
    const reader = (await tableDownload("text/csv", "Rows", parts())).body!.getReader();
    const read = async () => Buffer.from((await reader.read()).value!).toString();
    expect([await read(), await read(), await read()]).toEqual(["x\r\n", "piece 1\r\n", "piece 2\r\n"]);
    expect(made).toBeLessThanOrEqual(3);
    await reader.cancel();
    expect(isEnded).toBe(true);
    expect(made).toBeLessThanOrEqual(4);
  });

  it.each(["text/csv", parquet] as const)("ends with the error of a later part: %s", async (type) => {
    async function* parts() {
      for (let at = 0; at < 70_000; at++) yield row("x");
      throw new Error("gone");
    }
    const { body } = await tableDownload(type, "Rows", parts());
    await expect(new Response(body).text()).rejects.toThrow("gone");
  });

  it.each(["text/csv", parquet] as const)("fails if the first part fails: %s", async (type) => {
    async function* parts() {
      yield await Promise.reject<Table>(new Error("gone"));
    }
    await expect(tableDownload(type, "Rows", parts())).rejects.toThrow("gone");
  });

  it("may be Parquet", async () => {
    const response = await tableDownload(
      parquet,
      "Möwe",
      (function* () {
        yield row("a");
        yield row("b");
      })(),
    );
    expect(response.headers.get("content-type")).toBe(parquet);
    expect(response.headers.get("content-disposition")).toContain("M_we.parquet");
    const file = await response.arrayBuffer();
    expect(await parquetReadObjects({ file })).toEqual([{ x: "a" }, { x: "b" }]);
  });
});
