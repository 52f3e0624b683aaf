import { expect, it } from "vitest";
import { formatDateTime } from "#components/ui/format.ts";
import type { Comparison } from "#lib/contract/scenario-series";
import { nameRuns } from "./name-runs.ts";

const compared = (...scenarios: object[]) => ({ scenarios }) as unknown as Comparison;
const lookOf = ({ scenarios }: Comparison) => scenarios.map(({ title, color }) => [title, color]);
const plan = { id: "s", title: "Plan", color: "#3498db" };
const [early, late] = ["2026-03-01T09:00:00.000Z", "2026-04-01T09:00:00.000Z"];
const runOf = (iso: string) => `Run of ${formatDateTime(iso)}`;

it("returns a comparison of scenarios as it is", () => {
  const comparison = compared(plan, { ...plan, id: "t" });
  expect(nameRuns(comparison)).toBe(comparison);
});

it("names runs of one scenario by their times, each with its own colour", () => {
  const runs = [early, late, late].map((completedAt, at) => ({ ...plan, id: `s@${at}`, completedAt }));
  const looks = lookOf(nameRuns(compared(...runs)));
  expect(looks.map(([title]) => title)).toEqual([runOf(early), runOf(late), `${runOf(late)} (2)`]);
  expect(looks[0]![1]).toBe(plan.color);
  expect(new Set(looks.map(([, color]) => color)).size).toBe(3);
});

it("adds the scenario's title if several scenarios are compared, and keeps colours of scenarios", () => {
  const other = { id: "t", title: "Other", color: "#d97700" };
  const looks = lookOf(nameRuns(compared(plan, { ...plan, id: "s@1", completedAt: early }, other)));
  expect(looks.map(([title]) => title)).toEqual(["Plan", `${runOf(early)}, Plan`, "Other"]);
  expect([looks[0]![1], looks[2]![1]]).toEqual([plan.color, other.color]);
  expect([plan.color, other.color]).not.toContain(looks[1]![1]);
});
