import { expect, it, test } from "vitest";
import type { Dataset } from "#lib/contract/datasets";
import {
  confirmedAsBefore,
  firstRoles,
  noRoles,
  rolesAsBefore,
  targetIssue,
  withTarget,
  withTimestamp,
} from "./roles.ts";

const column = (name: string, role: string, type = "number") => ({ name, role, type });
const former = {
  target: "demand",
  timestamp: ["date", "hour"],
  columns: [
    column("date", "timestamp", "timestamp"),
    column("hour", "timestamp"),
    column("demand", "target"),
    column("site", "input", "category"),
    column("note", "excluded"),
    column("gone", "excluded"),
  ],
} as unknown as Dataset;

it("keeps the roles of columns that the new file has, and drops the others", () => {
  expect(rolesAsBefore(former, ["date", "demand", "site", "note", "new"])).toEqual({
    target: "demand",
    timestamp: ["date"],
    exclude: ["note"],
    categories: ["site"],
    series: [],
  });
  expect(rolesAsBefore(former, ["hour", "demand"]).timestamp).toEqual([]);
  expect(rolesAsBefore(former, ["other"])).toEqual({
    target: "",
    timestamp: [],
    exclude: [],
    categories: [],
    series: [],
  });
});

it("keeps the confirmed columns that the new file has", () => {
  const confirmed = ["site", "gone"];
  expect(confirmedAsBefore({ ...former, confirmed }, ["date", "demand", "site"])).toEqual(["site"]);
});

it("preselects the timestamp of a new file if only one column has times", () => {
  const columns = [
    { name: "day", type: "timestamp" as const },
    { name: "sales", type: "number" as const },
  ];
  expect(firstRoles(columns).timestamp).toEqual(["day"]);
  expect(firstRoles([...columns, { name: "shipped", type: "timestamp" }]).timestamp).toEqual([]);
  expect(firstRoles(columns.slice(1)).timestamp).toEqual([]);
});

it("drops roles that contradict the target or the timestamp, as the form hides these columns", () => {
  const roles = {
    ...noRoles,
    exclude: ["date", "note"],
    categories: ["hour", "sales", "site"],
    series: ["sales", "site"],
  };
  expect(withTimestamp(withTarget(roles, "sales"), ["date", "hour", ""])).toEqual({
    target: "sales",
    timestamp: ["date", "hour"],
    exclude: ["note"],
    categories: ["site"],
    series: ["site"],
  });
  expect(withTimestamp(roles, []).series).toEqual([]);
});

it("drops a target that becomes the timestamp, as the list of targets omits it", () => {
  const roles = { ...noRoles, target: "year" };
  expect(withTimestamp(roles, ["year"])).toEqual({ ...noRoles, timestamp: ["year"] });
  expect(withTimestamp(roles, ["date", "year"]).target).toBe("");
  expect(withTimestamp(roles, ["date"]).target).toBe("year");
});

test("names the issue of a target with other than two classes before it is sent", () => {
  const categories = (count: number) =>
    Array.from({ length: count }, (_, at) => at.toString(2).replaceAll("0", "a").replaceAll("1", "b"));
  const issue = (count: number | null) =>
    targetIssue("kind", [{ name: "kind", categories: count === null ? null : categories(count) }]);
  expect(targetIssue("", [])).toBe("Choose a target");
  expect([issue(null), issue(2), targetIssue("other", [])]).toEqual([null, null, null]);
  expect(issue(1)).toBe(
    'The target "kind" must be a column of numbers or of two classes; its column holds texts of 1 class.',
  );
  expect(issue(3)).toMatch(/texts of 3 classes\. Create one project for each class\./);
  expect(issue(1_000)).toMatch(/texts of at least 1,000 classes\./);
});

it("names the numbers among the texts of a target, as the service does", () => {
  const issue = (...texts: string[]) => targetIssue("y", [{ name: "y", categories: texts }]);
  expect(issue("0 lb", "1 kg", "2 lb")).toMatch(/numbers with 2 units \(lb, kg\)/);
  expect(issue("10-12", "12-14", "14-16")).toMatch(/holds ranges/);
  for (const texts of [
    ["0:30", "1:15", "2:00"],
    ["1K", "2M", "3K"],
  ])
    expect(issue(...texts)).toMatch(/can be read as numbers/);
});
