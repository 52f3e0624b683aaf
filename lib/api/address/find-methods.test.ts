import fc from "fast-check";
import { expect, test } from "vitest";
import { findMethods } from "./find-methods.ts";
import { routeMethods } from "./route-methods.ts";

test("finds the methods of a route for all values of its parameters", () => {
  const name = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => !/^\.{1,2}$|^project$|\\/.test(text));
  const given = fc.tuple(fc.constantFrom(...Object.keys(routeMethods)), fc.infiniteStream(name));
  fc.assert(
    fc.property(given, ([path, names]) => {
      const pathname = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(names.next().value));
      expect(findMethods(pathname)).toEqual(routeMethods[path]);
    }),
  );
});

test("a named segment comes before a parameter", () => {
  expect(findMethods("/api/v1/projects/x/models/train")).toEqual(["POST"]);
  expect(findMethods("/api/v1/projects/x/models/y")).toEqual(["GET"]);
});

test.each([
  "/api/v1/projects/",
  "/api/v1/projects/%",
  "/api/v1/projects/%2e%2E",
  "/api/v1//projects",
  "/",
  "",
])("there is nothing at '%s'", (pathname) => expect(findMethods(pathname)).toBeNull());
