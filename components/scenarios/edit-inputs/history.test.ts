import fc from "fast-check";
import { expect, test } from "vitest";
import { begin, change, redo, settle, undo } from "./history.ts";

test("undoes and redoes changes, and drops undone changes after a new one", () => {
  const two = change(change(begin("a"), "b", "x"), "c", "y");
  const back = undo(two);
  expect([back.present, redo(back).present]).toEqual(["b", "c"]);
  const other = change(back, "d", "x");
  expect([other.present, redo(other).present, undo(other).present]).toEqual(["d", "d", "b"]);
});

test("joins successive changes of one control until it settles", () => {
  const dragged = change(change(begin(0), 1, "slider"), 2, "slider");
  expect(undo(dragged).present).toBe(0);
  const again = change(settle(dragged), 3, "slider");
  expect(undo(again).present).toBe(2);
  expect(undo(change(undo(dragged), 5, "slider")).present).toBe(0);
});

test("records no change to the same value, and keeps undone changes", () => {
  const back = undo(change(begin("a"), "b", "x"));
  expect(change(back, "a", "y")).toBe(back);
});

test("returns to the start by as many undos as changes, and forth again", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 20 }), (values) => {
      const all = values.reduce((history, value) => settle(change(history, value, "x")), begin(-1));
      const back = values.reduce((history) => undo(history), all);
      expect(back.present).toBe(-1);
      expect(undo(back).present).toBe(-1);
      const forth = values.reduce((history) => redo(history), back);
      expect([forth.present, redo(forth).present]).toEqual([all.present, all.present]);
    }),
  );
});
