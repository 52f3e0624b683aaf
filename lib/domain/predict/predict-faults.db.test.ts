import { describe, expect, it } from "vitest";
import { trainCaseModel } from "#testing/csv-case-model";
import { inRequest, predict, runScenario, uploaded, validate } from "#testing/csv-entry-points";
import { createTestDatabase } from "#testing/postgres";
import { postScenario } from "#testing/scenario-factory";

await createTestDatabase();
const model = await trainCaseModel();

const sound = {
  when: ["2024-03-01", "2024-03-02"],
  temp: [1, 2],
  city: ["Bonn", "Bonn"],
  open: [true, false],
};
const withTemp = (cells: string) =>
  JSON.stringify({ ...sound, temp: 0 }).replace('"temp":0', `"temp":[${cells}]`);

describe("POST predict with values that only JSON can express", () => {
  it.each([
    ["1, 1e400", 2, "number_out_of_range", "Infinity"],
    ["-1e999, 1", 1, "number_out_of_range", "-Infinity"],
    ['"9.5", 1', 1, "not_a_number", "9.5"],
    ['1, " "', null, null, null],
    ["1, true", 2, "not_a_number", "true"],
    ['1, "NaN"', 2, "not_finite", "NaN"],
    ['1, "0x1F"', 2, "hexadecimal_number", "0x1F"],
    ["1, null", null, null, null],
  ])("temp: [%s]", async (cells, row, code, value) => {
    const { status, error } = await predict(model, withTemp(cells));
    if (code === null) expect(status).toBe(200);
    else {
      expect([status, error?.code]).toEqual([400, "input_invalid"]);
      expect(error?.details).toMatchObject([
        { field: "input", row, column: "temp", value, code, expected: "a number" },
      ]);
    }
  });

  it("rejects values of the wrong type with input_invalid and all issues, including arrays and objects", async () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const input = `{"when":["2024-03-01",{}],"temp":[[1],{"toString":1}],"city":[${deep},"Bonn"],"open":[true,[]],
      "more":[[1],{}]}`;
    const { status, error } = await predict(model, input);
    expect([status, error?.code]).toEqual([400, "input_invalid"]);
    expect(error?.details).toMatchObject([
      { row: 1, column: "temp", value: "[…]", code: "not_a_number", expected: "a number" },
      { row: 1, column: "city", value: "[…]", code: "not_a_text", expected: "a text" },
      { row: 2, column: "when", value: "{…}", code: "not_a_timestamp" },
      { row: 2, column: "temp", value: "{…}", code: "not_a_number" },
      { row: 2, column: "open", value: "[…]", code: "not_a_boolean", expected: "true or false" },
    ]);
  });

  it("ignores an array or object in an unknown column with a warning", async () => {
    const { status, data } = await predict(model, JSON.stringify({ ...sound, more: [[1], { a: 1 }] }));
    expect([status, data?.warnings]).toMatchObject([200, [{ code: "unknown_column", column: "more" }]]);
  });

  it("rejects a text that is longer than the limit", async () => {
    const { error } = await predict(model, withTemp(`1, ${JSON.stringify("x".repeat(10_001))}`));
    const details = [{ field: "input.temp.1", message: "input.temp.1: Use at most 10000 characters" }];
    expect(error).toMatchObject({ code: "validation_failed", details });
  });

  it("rejects an input that is not an object of arrays", async () => {
    for (const [input, field] of [
      ["[1]", "input"],
      ["null", "input"],
      ['{"temp":1}', "input.temp"],
    ] as const) {
      const { error } = await predict(model, input);
      expect(error).toMatchObject({ code: "validation_failed", details: [{ field }] });
    }
  });
});

describe("more than a hundred issues: the first hundred are listed, the rest counted,", () => {
  const rows = Array.from({ length: 300 }, (_, at) => ({
    when: new Date(Date.UTC(2024, 2, 1, at)).toISOString(),
    temp: at < 150 ? "1" : "NaN",
  }));
  const bytes = new TextEncoder().encode(
    ["when,temp,city,open", ...rows.map(({ when, temp }) => `${when},${temp},Bonn,true`)].join("\n"),
  );
  const first = [{ row: 151, column: "temp", value: "NaN" }];
  const rest = { code: "more", message: "50 more issues are not listed" };

  it("for a file, in validation and in scenario creation", async () => {
    const { data } = await validate(model, inRequest(bytes));
    expect([data.valid, data.faults.length]).toEqual([false, 101]);
    expect([data.faults[0], data.faults[100]]).toMatchObject([...first, rest]);
    const { error } = await postScenario(model, { ...inRequest(bytes), checkpointId: model.checkpointId });
    expect(error?.message).toContain("150 issues");
    expect([error?.details?.[0], error?.details?.[100]]).toMatchObject([...first, rest]);
  });

  it("for an upload, by the job that reads it", async () => {
    const { job } = await runScenario(model, {
      ...(await uploaded(model, bytes)),
      checkpointId: model.checkpointId,
    });
    // The first issue is in the first line and is not repeated.
    expect(job.errorMessage?.split("\n")).toHaveLength(101);
    expect(job.errorMessage?.match(/Row 151,/g)).toHaveLength(1);
    expect(job.errorMessage).toMatch(/Row 250, column "temp": "NaN".*\n- 50 more issues are not listed$/);
  });

  it("for a prediction input, including its times", async () => {
    const city = rows.map(() => "Bonn");
    const input = {
      when: rows.map(() => "soon"),
      temp: rows.map(({ temp }) => temp),
      city,
      open: rows.map(() => true),
    };
    const { error } = await predict(model, { ...input, temp: rows.map(() => 1) });
    expect(error?.message).toContain("300 issues");
    expect(error?.details?.[100]).toMatchObject({ message: "200 more issues are not listed" });
  });
});
