import { expect, it } from "vitest";
import type { AuditChange } from "#lib/contract/audit";
import { eventOfAction } from "#lib/platform/audit/event-of-action";
import { actionText } from "./audit-text.ts";
import { fieldText, valueText } from "./change-text.ts";

it.each([
  ["title", "Title"],
  ["defaultCheckpoint", "Default checkpoint"],
  ["numberFormats.temp.unit", "Unit of temp"],
  ["display.net load.decimals", "Decimals of net load"],
  ["display.a.b.displayName", "Display name of a.b"],
  ["dependencies.predicted.temp", "Dependency predicted.temp"],
  ["resample.frequency", "Resample: frequency"],
])("names the changed field %s in words", (field, text) => {
  expect(fieldText(field)).toBe(text);
});

it.each<[string, AuditChange["to"], string]>([
  ["title", "As planned", "As planned"],
  ["rows", 1461, "1461"],
  ["disabled", true, "yes"],
  ["notes", null, "none"],
  ["lastTimestamp", "2026-01-31T00:00:00.000Z", "31 Jan 2026"],
  ["expiresAt", "2026-01-31T08:20:41.007Z", "31 Jan 2026, 08:20:41 UTC"],
  ["dependencies.load", "p1", "Weather"],
  ["dependencies.load", "p2", "a deleted project"],
])("shows the value of %s for readers: %s", (field, value, text) => {
  expect(valueText({ field }, value, (id) => (id === "p1" ? "Weather" : undefined))).toBe(text);
});

it("describes actions in words, including unknown ones", () => {
  expect(actionText({ action: "checkpoint.created" })).toBe("created checkpoint");
  expect(actionText({ action: "api-key.rotated" })).toBe("rotated API key");
  expect(actionText({ action: "project.dependencies-set" })).toBe("changed the dependencies of project");
  expect(actionText({ action: "dataset.rows-appended" })).toBe("rows appended dataset");
});

it.each(Object.keys(eventOfAction))("describes %s by a verb that stands before its object", (action) => {
  expect(actionText({ action })).toMatch(/^(\w+ed|overrode|set|made) (?!\w+ed )/);
});
