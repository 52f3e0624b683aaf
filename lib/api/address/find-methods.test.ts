import fc from "fast-check";
import { expect, test } from "vitest";
import { findAddress } from "./find-methods.ts";
import { routeMethods } from "./route-methods.ts";

test("an address is found with what stands for its parameters, whatever that is", () => {
  const name = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => !/^\.{1,2}$|^project$|\\/.test(text));
  const given = fc.tuple(fc.constantFrom(...Object.keys(routeMethods)), fc.infiniteStream(name));
  fc.assert(
    fc.property(given, ([path, names]) => {
      const params: Record<string, string> = {};
      const pathname = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
        params[parameter] = names.next().value;
        return encodeURIComponent(params[parameter]!);
      });
      expect(findAddress(pathname)).toEqual({ path, methods: routeMethods[path], params });
    }),
  );
});

test("a named segment comes before a parameter", () => {
  expect(findAddress("/api/v1/jobs/project/x")?.path).toBe("/api/v1/jobs/project/{projectId}");
  expect(findAddress("/api/v1/jobs/x/cancel")?.path).toBe("/api/v1/jobs/{jobId}/cancel");
  expect(findAddress("/api/v1/jobs/project")?.path).toBe("/api/v1/jobs/{jobId}");
});

test.each([
  "/api/v1/projects/",
  "/api/v1/projects/%",
  "/api/v1/projects/%2e%2E",
  "/api/v1//projects",
  "/",
  "",
])("there is nothing at '%s'", (pathname) => expect(findAddress(pathname)).toBeNull());
