import { describe, expect, it } from "vitest";
import { proposeColumns } from "./propose-columns.ts";

const required = (...names: string[]) => names.map((name) => ({ name, required: true }));

describe("proposeColumns", () => {
  it("proposes the nearest name for a column that the file lacks", () => {
    expect(proposeColumns(["date", "Temp C", "wnd"], required("date", "temp", "wind"))).toEqual({
      missing: required("temp", "wind"),
      free: ["Temp C", "wnd"],
      nearest: { temp: "Temp C", wind: "wnd" },
    });
  });

  it("proposes no column twice, and first for what must be there", () => {
    const wanted = [
      { name: "temp_1", required: false },
      { name: "temp_2", required: true },
    ];
    const { nearest, missing } = proposeColumns(["temp"], wanted);
    expect(nearest).toEqual({ temp_2: "temp" });
    expect(missing).toEqual([{ name: "temp_2", required: true }]);
  });

  it("takes nothing away from a column that has its name already", () => {
    expect(proposeColumns(["temp", "Temp"], required("temp"))).toEqual({
      missing: [],
      free: ["Temp"],
      nearest: {},
    });
  });

  it("leaves the choice open where no name is near", () => {
    const { missing, free, nearest } = proposeColumns(["Luftdruck"], required("pressure"));
    expect({ missing, free, nearest }).toEqual({
      missing: required("pressure"),
      free: ["Luftdruck"],
      nearest: {},
    });
  });
});
