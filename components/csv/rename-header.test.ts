import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCsv } from "#lib/engine/csv/parse";
import { renameHeader } from "./rename-header.ts";

const rename = (text: string, ...names: [string, string][]) => {
  const changed = renameHeader(text, true, new Map(names));
  return changed === null ? null : changed.text + text.slice(changed.length);
};

describe("renameHeader", () => {
  it.each([
    ["a plain header", "Temp C,wind\n1,2\n", "temp,wind\n1,2\n"],
    ["line ends of Windows", "Temp C,wind\r\n1,2\r\n", "temp,wind\r\n1,2\r\n"],
    ["line ends of old Macs", "wind,Temp C\r1,2\r", "wind,temp\r1,2\r"],
    ["white space around names", " Temp C ;wind\n1;2\n", "temp;wind\n1;2\n"],
    ["a line that names the delimiter", "sep=;\nTemp C;wind\n1;2\n", "sep=;\ntemp;wind\n1;2\n"],
    ["quotes with delimiters and line ends in them", '"a,\nb",Temp C\n1,2\n', '"a,\nb",temp\n1,2\n'],
    ["blank lines before it", "\n  \nTemp C,wind\n1,2\n", "\n  \ntemp,wind\n1,2\n"],
    ["a header alone", "Temp C,wind", "temp,wind"],
    ["cells that look like it", "Temp C,b\nTemp C,2\n", "temp,b\nTemp C,2\n"],
  ])("renames a column with %s and leaves the rest unchanged", (_, text, expected) => {
    expect(rename(text, ["Temp C", "temp"])).toBe(expected);
  });

  it("quotes a new name that needs it", () => {
    expect(rename("a,b\n1,2\n", ["a", 'wind, "gusts"'])).toBe('"wind, ""gusts""",b\n1,2\n');
  });

  it("returns null if the header does not end", () => {
    expect(renameHeader("Temp C,wi", false, new Map())).toBeNull();
    expect(renameHeader('"Temp\n', false, new Map())).toBeNull();
  });

  it("changes only the names in the parsed result", () => {
    const name = fc.stringMatching(/^[a-z][a-z ;,"\n]{0,6}[a-z]$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 5 }), fc.boolean(), (header, windows) => {
        const end = windows ? "\r\n" : "\n";
        const cells = header.map((text) => `"${text.replaceAll('"', '""')}"`);
        const text = [cells.join(","), header.map((_, i) => i + 1).join(","), ""].join(end);
        const before = parseCsv(text);
        const after = parseCsv(rename(text, [before.header[0]!, "renamed"])!);
        expect(after.header).toEqual(["renamed", ...before.header.slice(1)]);
        expect(after.rowCount).toBe(before.rowCount);
        expect(after.issueCount).toBe(before.issueCount);
      }),
    );
  });
});
