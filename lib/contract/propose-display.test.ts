import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { proposeDisplay } from "./propose-display.ts";

test.each([
  ["temp_c", "Temp", "°C"],
  ["price_eur", "Price", "€"],
  ["demand_mwh", "Demand", "MWh"],
  ["demandMWh", "Demand", "MWh"],
  ["humidity_pct", "Humidity", "%"],
  ["Demand (MWh)", "Demand", "MWh"],
  ["Rain [mm]", "Rain", "mm"],
  ["windspeed", "Windspeed", null],
  ["windSpeed", "Wind speed", null],
  ["wind_speed_max", "Wind speed max", null],
  ["GDP_growth", "GDP growth", null],
  ["pH", "pH", null],
  ["group_c", "Group c", null],
  ["temp_min", "Temp min", null],
  ["Price (net)", "Price (net)", null],
  ["kwh", "Kwh", null],
  ["__", "__", null],
  ["constructor", "Constructor", null],
  ["x_constructor", "X constructor", null],
  ["Außentemperatur", "Außentemperatur", null],
])("proposes %s as %s in %s", (column, displayName, unit) => {
  expect(proposeDisplay(column)).toEqual({ displayName, unit });
});

describe("the unit of the dataset's number format", () => {
  test("is taken for a name without a unit", () => {
    expect(proposeDisplay("sales", "€")).toEqual({ displayName: "Sales", unit: "€" });
  });

  test("takes precedence over the unit of the name, which stays in the name", () => {
    expect(proposeDisplay("price_eur", "$")).toEqual({ displayName: "Price eur", unit: "$" });
    expect(proposeDisplay("Demand (MWh)", "kWh")).toEqual({ displayName: "Demand (MWh)", unit: "kWh" });
  });

  test("removes the same unit from the name", () => {
    expect(proposeDisplay("price_eur", "€")).toEqual({ displayName: "Price", unit: "€" });
  });
});

describe("for any name", () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const name = fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join("_")),
    fc
      .array(word, { minLength: 1, maxLength: 4 })
      .map((words) => words.map((one, at) => (at ? one[0]!.toUpperCase() + one.slice(1) : one)).join("")),
    fc
      .tuple(word, fc.constantFrom("c", "f", "pct", "eur", "mwh", "min", "m2"))
      .map((words) => words.join("_")),
    fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }),
  );
  // Some letters have two letters as their upper case, so lower case alone does not compare them.
  const letters = (text: string) => text.toUpperCase().toLowerCase().replace(/[\s_]/gu, "");

  test("the name keeps its letters, except those of the unit at its end", () => {
    fc.assert(
      fc.property(name, (column) => {
        const { displayName, unit } = proposeDisplay(column);
        expect(displayName).not.toBe("");
        if (unit === null) expect(letters(displayName)).toBe(letters(column));
        else expect(letters(column).startsWith(letters(displayName))).toBe(true);
      }),
    );
  });

  test("a proposed name is proposed unchanged, without another unit", () => {
    fc.assert(
      fc.property(name, (column) => {
        const { displayName } = proposeDisplay(column);
        expect(proposeDisplay(displayName)).toEqual({ displayName, unit: null });
      }),
    );
  });

  test("a single word has no unit", () => {
    fc.assert(
      fc.property(word, (column) => {
        expect(proposeDisplay(column).unit).toBeNull();
      }),
    );
  });

  test("a known unit is always proposed", () => {
    fc.assert(
      fc.property(name, fc.constantFrom("€", "%", "°C"), (column, unit) => {
        expect(proposeDisplay(column, unit).unit).toBe(unit);
      }),
    );
  });
});
