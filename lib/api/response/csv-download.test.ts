import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { naughtyTexts } from "#testing/hostile-texts";
import { contentDisposition, csvDownload, wantsCsv } from "./csv-download.ts";

const HEADER = /^attachment; filename="([ -!#-$&-[\]-~]+)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/;

function names(title: string): { plain: string; real: string } {
  const [, plain, real] = HEADER.exec(contentDisposition(title)) ?? [];
  return { plain: plain!, real: decodeURIComponent(real!) };
}

describe("the choice between CSV and JSON", () => {
  it.each([
    ["text/csv", true],
    ["TEXT/CSV; header=present", true],
    ["text/csv, */*", true],
    ["text/csv, application/json;q=0.5", true],
    ["application/json; q=0.5, text/csv; q=0.9", true],
    ["text/csv;q=0.5, application/json", false],
    ["text/csv;q=0", false],
    ["application/json, text/csv", false],
    ["*/*", false],
    ["", false],
  ])("Accept: %s", (accept, csv) => {
    expect(wantsCsv(new Request("http://localhost/", { headers: { Accept: accept } }))).toBe(csv);
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
        const { headers } = await csvDownload(title, (function* () {})());
        expect(headers.get("content-disposition")).toBe(contentDisposition(title));
      }),
      { numRuns: 500 },
    );
  });
});

describe("the content of a download", () => {
  it("is created only as fast as it is read, and stops when the client disconnects", async () => {
    let made = 0;
    let isEnded = false;
    async function* pieces() {
      try {
        for (;;) yield `piece ${++made}\n`;
      } finally {
        isEnded = true;
      }
    }
    const reader = (await csvDownload("Rows", pieces())).body!.getReader();
    const read = async () => Buffer.from((await reader.read()).value!).toString();
    expect([await read(), await read()]).toEqual(["piece 1\n", "piece 2\n"]);
    expect(made).toBeLessThanOrEqual(3);
    await reader.cancel();
    expect(isEnded).toBe(true);
    expect(made).toBeLessThanOrEqual(4);
  });

  it("ends with the error of a later piece", async () => {
    async function* pieces() {
      yield "x\n";
      throw new Error("gone");
    }
    const { body } = await csvDownload("Rows", pieces());
    await expect(new Response(body).text()).rejects.toThrow("gone");
  });

  it("fails if the first piece fails", async () => {
    async function* pieces() {
      yield await Promise.reject<string>(new Error("gone"));
    }
    await expect(csvDownload("Rows", pieces())).rejects.toThrow("gone");
  });
});
