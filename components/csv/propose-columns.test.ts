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

  it("proposes nothing for a column named like a property of every object", () => {
    const { nearest, missing } = proposeColumns(["x"], [{ name: "constructor", required: false }]);
    expect({ nearest, missing }).toEqual({ nearest: {}, missing: [] });
  });

  it("proposes abbreviations", () => {
    const { nearest } = proposeColumns(["temp", "hum"], required("humidity", "temperature"));
    expect(nearest).toEqual({ temperature: "temp", humidity: "hum" });
  });

  it("proposes by values if exactly one column suits exactly one missing column", () => {
    const number = (min: number, max: number) => ({ type: "number" as const, min, max, categories: null });
    const text = (...categories: string[]) => ({
      type: "category" as const,
      min: null,
      max: null,
      categories,
    });
    const wanted = [
      { name: "pressure", required: true, extent: number(980, 1040) },
      { name: "site", required: true, extent: text("north", "south") },
      { name: "load", required: true, extent: number(0, 1) },
      { name: "share", required: true, extent: number(0, 1) },
    ];
    const values = [
      { name: "Luftdruck", ...number(990, 1035) },
      { name: "Ort", ...text("south", "north", "west") },
      { name: "Anteil", ...number(0, 1) },
      { name: "Zahl", ...number(5, 9_000) },
    ];
    const { nearest } = proposeColumns(
      values.map(({ name }) => name),
      wanted,
      values,
    );
    expect(nearest).toEqual({ pressure: "Luftdruck", site: "Ort" });
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
