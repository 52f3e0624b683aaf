import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DependencyNode } from "#lib/domain/projects/dependency-graph";
import { inputSource, instantOf, pinDependents, seriesBound } from "./rules.ts";

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

describe("inputSource", () => {
  it("takes the one source that is named, and generates where none is", () => {
    expect(inputSource({ title: "a", fileData: "YQ==" })).toMatchObject({ kind: "Upload", fileData: "YQ==" });
    expect(inputSource({ title: "a", uploadId: id(1) })).toMatchObject({ kind: "Upload", uploadId: id(1) });
    expect(inputSource({ title: "a", baseScenarioId: id(1), adjustments: [] })).toMatchObject({
      kind: "Clone",
    });
    expect(inputSource({ title: "a", endDate: "2024-01-02" })).toEqual({
      kind: "Generated",
      endDate: Date.UTC(2024, 0, 2),
      endsOnDay: true,
    });
  });

  it("refuses two sources, naming both", () => {
    expect(() => inputSource({ title: "a", fileData: "YQ==", baseScenarioId: id(1) })).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        details: [
          expect.objectContaining({ field: "fileData" }),
          expect.objectContaining({ field: "baseScenarioId" }),
        ],
      }),
    );
  });
});

describe("instantOf", () => {
  it("takes what has no zone for UTC", () => {
    for (const text of [
      "2024-03-10",
      "2024-03-10T00:00",
      "2024-03-10T00:00:00",
      "2024-03-10T02:00:00+02:00",
    ]) {
      expect([text, instantOf(text)]).toEqual([text, Date.UTC(2024, 2, 10)]);
    }
  });

  it("reads every instant as it is written", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("2999-12-31"), noInvalidDate: true }), (date) => {
        expect(instantOf(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});

describe("seriesBound", () => {
  it("is a row number without times, and a time with them", () => {
    expect(seriesBound("12", false)).toBe(12);
    expect(seriesBound("2024-01-02", true)).toBe(Date.UTC(2024, 0, 2));
    expect(seriesBound("12", true)).toBeNaN();
    expect(seriesBound("2024-01-02", false)).toBeNaN();
  });
});

describe("pinDependents", () => {
  const closure: DependencyNode[] = [
    { projectId: id(3), upstream: [] },
    { projectId: id(2), upstream: [{ projectId: id(3), featureName: "c" }] },
    { projectId: id(1), upstream: [{ projectId: id(2), featureName: "b" }] },
  ];

  it("takes a map that names the whole closure, in whatever case its ids are written", () => {
    const abc = "abcdefab-0000-4000-8000-000000000000";
    const pins = pinDependents([{ projectId: abc, upstream: [] }, closure[2]!], {
      [abc.toUpperCase()]: null,
    });
    expect([...pins]).toEqual([[abc, null]]);
    expect(pinDependents(closure.slice(2), undefined).size).toBe(0);
  });

  it("refuses a project that is named twice, in two spellings of its id", () => {
    const abc = "abcdefab-0000-4000-8000-000000000000";
    const twice = { [abc]: null, [abc.toUpperCase()]: id(9) };
    expect(() => pinDependents([{ projectId: abc, upstream: [] }, closure[2]!], twice)).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        details: [expect.objectContaining({ id: abc.toUpperCase(), code: "repeated" })],
      }),
    );
  });

  it("names every project that is missing and every other one, these first", () => {
    expect(() => pinDependents(closure, { [id(2)]: id(9) })).toThrow(
      expect.objectContaining({
        code: "dependency_checkpoint_required",
        details: [expect.objectContaining({ id: id(3) })],
      }),
    );
    expect(() => pinDependents(closure, undefined)).toThrow(
      expect.objectContaining({ details: [expect.anything(), expect.anything()] }),
    );
    expect(() => pinDependents(closure, { [id(1)]: null, [id(7)]: null })).toThrow(
      expect.objectContaining({
        code: "dependency_unknown",
        details: [
          expect.objectContaining({ id: id(1), code: "dependency_unknown" }),
          expect.objectContaining({ id: id(7), code: "dependency_unknown" }),
          expect.objectContaining({ id: id(3), code: "dependency_checkpoint_required" }),
          expect.objectContaining({ id: id(2), code: "dependency_checkpoint_required" }),
        ],
      }),
    );
  });
});
