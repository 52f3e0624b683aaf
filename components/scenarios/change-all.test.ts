import { expect, test } from "vitest";
import { changeTags, commonTags } from "./change-all.ts";

const selected = [{ tags: ["board", "Q1"] }, { tags: ["draft", "board"] }];
const shown = commonTags(selected);

test("shows the tags that all selected scenarios have", () => {
  expect(shown).toEqual(["board"]);
  expect(commonTags([])).toEqual([]);
});

test("adds and removes tags, and keeps those of single scenarios", () => {
  const change = (chosen: string[]) =>
    selected.map((one) => changeTags(one, { shown, chosen })?.tags ?? null);
  expect(change(["board", "final"])).toEqual([
    ["board", "Q1", "final"],
    ["draft", "board", "final"],
  ]);
  expect(change(["Q1"])).toEqual([["Q1"], ["draft", "Q1"]]);
  expect(change(["board", "Q1"])).toEqual([null, ["draft", "board", "Q1"]]);
  expect(change(["board"])).toEqual([null, null]);
});

test("keeps a tag that somebody else added in the meantime", () => {
  expect(changeTags({ tags: ["board", "new"] }, { shown, chosen: [] })).toEqual({ tags: ["new"] });
});
