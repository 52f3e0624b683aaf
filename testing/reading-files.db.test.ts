import { describe, expect, it } from "vitest";
import type { Dataset } from "#lib/contract/datasets";
import { currentDataset, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { POST as appendRoute } from "../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { callRoute, createKey, createProject } from "./api.ts";
import { valuesOf } from "./csv-case-rows.ts";
import { inRequest, predict, putDataset, runScenario, uploaded, validate } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { createTrainedProject } from "./scenario-factory.ts";
import { encode } from "./write-dialect.ts";

const { db } = await createTestDatabase();
const { id: projectId } = await createProject();
const project = { projectId, as: await createKey({ projectId }) };
const values = async (name: string) =>
  valuesOf(await readDatasetTable((await currentDataset(db, projectId))!), name);
const append = (bytes: Uint8Array) =>
  callRoute<Dataset>(appendRoute, { params: { projectId }, as: project.as, body: inRequest(bytes) });
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
/** 東京 and 大阪 in Shift-JIS. */
const cities = [
  [0x93, 0x8c, 0x8b, 0x9e],
  [0x91, 0xe5, 0x8d, 0xe3],
];
const shiftJis = (rows: number, from = 0) =>
  new Uint8Array([
    ...latin1("t,city,y\n"),
    ...Array.from({ length: rows }, (_, at) => [
      ...latin1(`${date(from + at)},`),
      ...cities[at % 2]!,
      ...latin1(`,${from + at}\n`),
    ]).flat(),
  ]);
const date = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
const rows = (mark: string, count = 20) =>
  Array.from({ length: count }, (_, at) => `${date(at)}${mark}${at}`);

describe("lines above the header", () => {
  it.each([
    ["a title", ",", ["Land-Ocean: Global Means"]],
    ["a title, a blank line and a source", ";", ["Sales", "", "Source: office of statistics"]],
    ["notes in tabs", "\t", ["Category: All categories", ""]],
    ["a unit and a date", ",", ["Downloaded 2024-05-01", "Values in kW", "No guarantee"]],
  ])(
    "%s: the line is named, and read with its choice in the request and as an upload",
    async (_, mark, above) => {
      const bytes = encode([...above, `day${mark}y`, ...rows(mark)].join("\n"), "utf-8");
      const settings = { target: "y", timestamp: "day" };
      for (const source of [inRequest(bytes), await uploaded(project, bytes)]) {
        const { error } = await putDataset(project, { ...source, ...settings });
        expect(error!.details).toMatchObject([
          { code: "header_below", choices: [{ options: { headerRow: above.length + 1 } }] },
        ]);
        const { data } = await putDataset(project, { ...source, ...settings, headerRow: above.length + 1 });
        expect(data).toMatchObject({ rowCount: 20, reading: { headerRow: above.length + 1 } });
      }
      // Appended files may have the same lines above, or none.
      const again = encode([...above, `day${mark}y`, `${date(20)}${mark}20`].join("\n"), "utf-8");
      expect((await append(again)).error).toBeUndefined();
      expect((await append(encode(`day${mark}y\n${date(21)}${mark}21`, "utf-8"))).error).toBeUndefined();
      expect((await values("y")).slice(-2)).toEqual([20, 21]);
    },
  );

  it("are not seen in rows that only have another number of cells", async () => {
    const bytes = encode(["day,y", ...rows(",").map((row) => `${row},`)].join("\n"), "utf-8");
    const { error } = await putDataset(project, { ...inRequest(bytes), target: "y" });
    expect(error!.details![0]!.code).toBe("ragged_row");
  });
});

describe("encodings", () => {
  const windows = (count: number, from = 0) =>
    latin1(
      [
        "t;Größe;y",
        ...Array.from(
          { length: count },
          (_, at) => `${date(from + at)};${["Köln", "Münster"][at % 2]};${from + at}`,
        ),
      ].join("\n"),
    );
  it.each([
    ["windows-1252", windows, "Größe", "Köln"],
    ["shift_jis", shiftJis, "city", "東京"],
  ] as const)("%s is found, shown, and used for appended rows", async (encoding, file, column, first) => {
    for (const source of [inRequest(file(20)), await uploaded(project, file(20))]) {
      const { data } = await putDataset(project, { ...source, target: "y", timestamp: "t" });
      expect(data.reading).toMatchObject({ encoding });
      expect(data.warnings).toContainEqual(expect.objectContaining({ code: "encoding_guessed" }));
    }
    expect((await values(column))[0]).toBe(first);
    expect((await append(file(2, 20))).error).toBeUndefined();
    expect((await values(column)).at(-2)).toBe(first);
  });

  it("are read as asked", async () => {
    const bytes = new Uint8Array([...latin1("x,y\n"), 0xf1, 0xee, ...latin1(",1\nb,2\nc,3\n")]);
    const { data } = await putDataset(project, { ...inRequest(bytes), target: "y", encoding: "cp1251" });
    expect(data.reading).toMatchObject({ encoding: "windows-1251" });
    expect((await values("x"))[0]).toBe("со");
    expect(data.warnings.map(({ code }) => code)).not.toContain("encoding_guessed");
    const wrong = await putDataset(project, { ...inRequest(bytes), target: "y", encoding: "klingon" });
    expect(wrong.error!.details).toMatchObject([{ field: "encoding" }]);
  });
});

describe("the stored encoding", () => {
  /** Łódź and Gdańsk in Windows-1250, which looks like Windows-1252. */
  const polish = (from: number, count: number, name = "city") =>
    latin1(
      [
        `t,${name},y`,
        ...Array.from(
          { length: count },
          (_, at) => `${date(from + at)},${["\xa3\xf3d\x9f", "Gda\xf1sk"][at % 2]},${from + at}`,
        ),
      ].join("\n"),
    );
  const settings = { target: "y", timestamp: "t", encoding: "windows-1250" };

  it("reads appended rows, so that they belong to the same series", async () => {
    const daily = [0, 1].flatMap((from) =>
      Array.from({ length: 20 }, (_, at) => `${date(at)},${["\xa3\xf3d\x9f", "Gda\xf1sk"][from]},${at}`),
    );
    const bytes = latin1(["t,city,y", ...daily].join("\n"));
    const put = await putDataset(project, { ...inRequest(bytes), ...settings, series: ["city"] });
    expect(put.data).toMatchObject({ series: { count: 2 }, reading: { encoding: "windows-1250" } });
    const appended = await append(latin1(`t,city,y\n${date(20)},\xa3\xf3d\x9f,20`));
    expect(appended.data).toMatchObject({ rowCount: 41, series: { count: 2 } });
    // Downloads and templates of the service are UTF-8.
    const utf8 = await append(encode(`t,city,y\n${date(21)},Łódź,21`, "utf-8"));
    expect(utf8.data).toMatchObject({ rowCount: 42, series: { count: 2 } });
  });

  it.each(["city", "miasto \xa3"])(
    "reads scenarios of a model, in requests and as uploads: %s",
    async (name) => {
      const bytes = polish(0, 60, name);
      const model = await createTrainedProject({
        csv: bytes,
        ...settings,
        request: { algorithm: "ridge", features: { lags: [], rolling: [] } },
      });
      const input = polish(60, 2, name);
      for (const source of [inRequest(input), await uploaded(model, input)]) {
        const verdict = await validate(model, source);
        expect(verdict.data).toMatchObject({ valid: true, rowCount: 2 });
        const scenario = await runScenario(model, source);
        const wanted = { t: [date(60), date(61)], [name.replace("\xa3", "Ł")]: ["Łódź", "Gdańsk"] };
        expect(scenario.predictions).toEqual((await predict(model, wanted)).data.predictions);
      }
    },
  );
});

it("reads scenarios of a model whose file had lines above its header and another encoding", async () => {
  const csv = latin1(
    ["Report", "x;Größe;y", ...rows(";", 60).map((_, at) => `${at};${"äö"[at % 2]};${at * 2}`)].join("\n"),
  );
  const model = await createTrainedProject({
    csv,
    target: "y",
    headerRow: 2,
    request: { algorithm: "ridge" },
  });
  const verdict = await validate(model, inRequest(latin1("Report\nx;Größe\n3;ä\n4;ö\n")));
  expect(verdict.data).toMatchObject({ valid: true, rowCount: 2 });
  expect((await predict(model, { x: [3], Größe: ["ä"] })).error).toBeUndefined();
});
