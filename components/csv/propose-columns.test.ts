import { describe, expect, it } from "vitest";
import { proposeColumns } from "./propose-columns.ts";

const required = (...names: string[]) => names.map((name) => ({ name, required: true }));

describe("proposeColumns", () => {
  it("proposes the nearest name for a missing column", () => {
    expect(proposeColumns(["date", "Temp C", "wnd"], required("date", "temp", "wind"))).toEqual({
      missing: required("temp", "wind"),
      free: ["Temp C", "wnd"],
      nearest: { temp: "Temp C", wind: "wnd" },
    });
  });

  it("proposes each column once, required columns first", () => {
    const wanted = [
      { name: "temp_1", required: false },
      { name: "temp_2", required: true },
    ];
    const { nearest, missing } = proposeColumns(["temp"], wanted);
    expect(nearest).toEqual({ temp_2: "temp" });
    expect(missing).toEqual([{ name: "temp_2", required: true }]);
  });

  it("does not reassign a column that already matches", () => {
    expect(proposeColumns(["temp", "Temp"], required("temp"))).toEqual({
      missing: [],
      free: ["Temp"],
      nearest: {},
    });
  });

  it("proposes nothing without a similar name", () => {
    const { missing, free, nearest } = proposeColumns(["Luftdruck"], required("pressure"));
    expect({ missing, free, nearest }).toEqual({
      missing: required("pressure"),
      free: ["Luftdruck"],
      nearest: {},
    });
  });
});
