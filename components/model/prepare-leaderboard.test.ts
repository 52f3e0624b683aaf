import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#lib/contract/leaderboard";
import { prepareLeaderboard, prepareMembers, settingsText } from "./prepare-leaderboard.ts";

const entry = (name: string, mean: number, more: Partial<LeaderboardEntry> = {}): LeaderboardEntry => ({
  name,
  algorithm: name,
  features: "inputs and calendar",
  chosen: false,
  rung: 3,
  backTest: { metric: "rmse", folds: [mean, mean], mean, spread: mean / 10 },
  ...more,
});

it("shows the finalists as bars on one scale, with the naive forecast as a line", () => {
  const picture = prepareLeaderboard([
    entry("boosting", 60, { chosen: true, settings: { maxLeaves: 31, alpha: 0.123456 } }),
    entry("ridge", 80, { features: "chosen lags", mode: "recursive" }),
    entry("early", 70, { rung: 1 }),
    entry("baseline", 100, { rung: 0 }),
  ])!;
  expect(picture.metric).toBe("RMSE");
  expect(picture.bars.map(({ name, width, chosen }) => [name, width, chosen])).toEqual([
    ["boosting", 0.6, true],
    ["ridge", 0.8, false],
  ]);
  expect(picture.bars[0]).toMatchObject({ from: 0.54, to: 0.66, settings: "max leaves 31, alpha 0.123" });
  expect(picture.bars[1]!.features).toBe("chosen lags, recursive");
  expect(picture.naive).toEqual({ at: 1, text: "100", name: "naive forecast" });
  expect(picture.others).toBe(1);
});

it("cuts the bar of a failed candidate, so that the others remain comparable", () => {
  const picture = prepareLeaderboard([
    entry("boosting", 60, { chosen: true }),
    entry("failed", 1_700),
    entry("baseline", 100, { rung: 0 }),
  ])!;
  expect(picture.bars.map(({ width, isCut }) => [width, isCut])).toEqual([
    [0.3, false],
    [1, true],
  ]);
  expect(picture.naive?.at).toBe(0.5);
});

it("returns null for models without stored back-tests", () => {
  expect(prepareLeaderboard([{ name: "Ridge", chosen: true, validation: { rmse: 1 } }])).toBeNull();
  expect(prepareLeaderboard([])).toBeNull();
  expect(settingsText({ name: "Ridge" })).toBe("");
});

it("omits the bar of a candidate with a missing fold or a negative score", () => {
  const none = { metric: "r2", folds: [null], mean: null, spread: null };
  const worse = { metric: "r2", folds: [-2], mean: -2, spread: 0 };
  const best = { metric: "r2", folds: [0.9], mean: 0.9, spread: 0 };
  const picture = prepareLeaderboard([
    entry("a", 0, { chosen: true, backTest: best }),
    entry("b", 0, { backTest: none }),
    entry("c", 0, { backTest: worse }),
  ])!;
  expect(picture.bars.map(({ name, width }) => [name, width])).toEqual([
    ["a", 1],
    ["c", 0],
  ]);
  expect(picture.naive).toBeNull();
});

it("lists the members of the chosen combination by weight", () => {
  const members = [
    { name: "Theta", weight: 0.25, error: 12.5 },
    { name: "ETS(A,N,N)", weight: 0.75, error: null },
  ];
  expect(prepareMembers([entry("combination", 60, { chosen: true, members })])).toEqual({
    metric: "RMSE",
    rows: [
      { name: "ETS(A,N,N)", weight: "75 %", error: "–" },
      { name: "Theta", weight: "25 %", error: "12.5" },
    ],
  });
  expect(
    prepareMembers([entry("ridge", 60, { chosen: true }), entry("combination", 70, { members })]),
  ).toBeNull();
});
