/** Files that are expensive to read for their size, by what makes them so. Not all of them are valid. */
export function hostileCsvs(bytes: number): Record<string, () => string> {
  const repeat = (text: string) => text.repeat(Math.ceil(bytes / text.length));
  const columns = Array.from({ length: 20_000 }, (_, at) => `c${at}`);
  const lines = (line: (row: number) => string) => {
    const parts: string[] = [];
    for (let row = 0, length = 0; length < bytes; row++)
      length += parts[parts.push(line(row)) - 1]!.length + 1;
    return parts.join("\n");
  };
  return {
    "a first row of quotes": () => `a\n${repeat('"')}`,
    "a header of quotes": () => repeat('"'),
    "quotes within cells": () => repeat('5"'),
    "quoted quotes": () => `a,b\n${repeat('"""""",""""""\n')}`,
    "quotes before other delimiters": () => repeat('"a";"b",c;"'),
    "one long line": () => repeat("x"),
    "rows of four million characters": () => `a\n${repeat(`"${"x".repeat(4_000_000)}"\n`)}`,
    "long cells": () => `a,b\n${repeat(`1,"${'x""'.repeat(20_000)}"\n`)}`,
    "a wide table": () => `${columns.join(",")}\n${repeat(`${columns.map(() => "1").join(",")}\n`)}`,
    "only delimiters": () => repeat(";,|\t"),
    "blank lines": () => `a,b\n${repeat("\n \r\n")}`,
    "carriage returns": () => `a,b\r${repeat("1,2\r")}`,
    "a text in every cell": () => `a,b\n${lines((row) => `text ${row},${row}`)}`,
    "units and groups": () => `a,b\n${repeat('"1,234,567.89 €",5%\n')}`,
    "times of all kinds": () =>
      `t,y\n${lines((row) => `${1 + (row % 12)}/${1 + (row % 28)}/${2000 + (row % 30)} 1:00 PM,${row}`)}`,
    "rows of another length": () => `a,b\n${repeat("1\n1,2,3\n")}`,
    "an issue in every row": () => `a,b\n${repeat("NaN,0x12\n")}`,
  };
}

const hourMs = 3_600_000;
export const firstMs = Date.UTC(2000, 0, 1);
export const features = Array.from({ length: 8 }, (_, at) => `f${at}`);

/** Hourly rows with eight numbers, and the target if they are for training. Valid. */
export function hourlyCsv(rows: number, from: number, hasTarget: boolean): string {
  const parts = [`time,${features.join(",")}${hasTarget ? ",y" : ""}`];
  for (let row = from; row < from + rows; row++) {
    const values = features.map((_, at) => ((row * (at + 3)) % 97) / 7 - 5);
    const y = 10 * Math.sin(row / 12) + values[0]! * values[1]! + values[2]!;
    const numbers = [...values, ...(hasTarget ? [y] : [])].map((value) => value.toFixed(3));
    parts.push(`${new Date(firstMs + row * hourMs).toISOString()},${numbers.join(",")}`);
  }
  return parts.join("\n");
}

export const timeOf = (row: number): string => new Date(firstMs + row * hourMs).toISOString();
