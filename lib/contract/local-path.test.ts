import fc from "fast-check";
import { expect, it } from "vitest";
import { localPath } from "./local-path.ts";

it("keeps a local path with its query and fragment", () => {
  expect(localPath("/projects/1/scenarios/compare?ids=a,b#chart", "/")).toBe(
    "/projects/1/scenarios/compare?ids=a,b#chart",
  );
});

it.each([
  "//evil.test",
  "/\\evil.test",
  "/\t/evil.test",
  "/\n/evil.test",
  "/..//evil.test",
  "https://evil.test",
  "javascript:alert(1)",
  "",
  undefined,
  ["/a", "/b"],
])("replaces an external or invalid address: %j", (next) => {
  expect(localPath(next, "/projects")).toBe("/projects");
});

it("never returns an address of another site for any input", () => {
  const part = fc.constantFrom("/", "\\", "\t", "\r", ".", "..", "@", ":", "evil.test", "%2f", "?", "#");
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const target = localPath(`/${parts.join("")}`, "/projects");
      expect(new URL(target, "https://service.test").origin).toBe("https://service.test");
      expect(target).toMatch(/^\/(?![/\\])/);
    }),
  );
});
