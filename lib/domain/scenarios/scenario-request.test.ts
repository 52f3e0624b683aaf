import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf } from "#lib/contract/instant";
import type { DependencyNode } from "#lib/domain/projects/dependency-graph";
import { inputSource, seriesBound, validatePinnedCheckpoints } from "./scenario-request.ts";

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

describe("inputSource", () => {
  it("returns the source of the request, and generates the input without a source", () => {
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

  it("rejects two sources, naming both", () => {
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
  it("reads a time without a zone as UTC", () => {
    for (const text of [
      "2024-03-10",
      "2024-03-10T00:00",
      "2024-03-10T00:00:00",
      "2024-03-10T02:00:00+02:00",
    ]) {
      expect([text, instantOf(text)]).toEqual([text, Date.UTC(2024, 2, 10)]);
    }
  });

  it("reads every ISO instant", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("2999-12-31"), noInvalidDate: true }), (date) => {
        expect(instantOf(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});

describe("seriesBound", () => {
  it("returns a row number for a series without times, and a time otherwise", () => {
    expect(seriesBound("12", false)).toBe(12);
    expect(seriesBound("2024-01-02", true)).toBe(Date.UTC(2024, 0, 2));
    expect(seriesBound("12", true)).toBeNaN();
    expect(seriesBound("2024-01-02", false)).toBeNaN();
  });
});

describe("validatePinnedCheckpoints", () => {
  const graph: DependencyNode[] = [
    { projectId: id(3), upstream: [] },
    { projectId: id(2), upstream: [{ projectId: id(3), featureName: "c" }] },
    { projectId: id(1), upstream: [{ projectId: id(2), featureName: "b" }] },
  ];

  it("accepts a map with every upstream project, with IDs in any case", () => {
    const abc = "abcdefab-0000-4000-8000-000000000000";
    const pinnedCheckpoints = validatePinnedCheckpoints([{ projectId: abc, upstream: [] }, graph[2]!], {
      [abc.toUpperCase()]: null,
    });
    expect([...pinnedCheckpoints]).toEqual([[abc, null]]);
    expect(validatePinnedCheckpoints(graph.slice(2), undefined).size).toBe(0);
  });

  it("rejects a project that is listed twice, in two spellings of its ID", () => {
    const abc = "abcdefab-0000-4000-8000-000000000000";
    const twice = { [abc]: null, [abc.toUpperCase()]: id(9) };
    expect(() => validatePinnedCheckpoints([{ projectId: abc, upstream: [] }, graph[2]!], twice)).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        details: [expect.objectContaining({ id: abc.toUpperCase(), code: "repeated" })],
      }),
    );
  });

  it("lists every unknown project first, then every missing project", () => {
    expect(() => validatePinnedCheckpoints(graph, { [id(2)]: id(9) })).toThrow(
      expect.objectContaining({
        code: "dependency_checkpoint_required",
        details: [expect.objectContaining({ id: id(3) })],
      }),
    );
    expect(() => validatePinnedCheckpoints(graph, undefined)).toThrow(
      expect.objectContaining({ details: [expect.anything(), expect.anything()] }),
    );
    expect(() => validatePinnedCheckpoints(graph, { [id(1)]: null, [id(7)]: null })).toThrow(
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
