import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import { api, type Etag } from "./client.ts";

/** Requests that change nothing which a second person could edit: sign-in, sign-out, uploads and examples of the docs. */
const otherSenders = [
  "csv/send-csv.ts",
  "docs/read-answer.ts",
  "layout/top-bar.tsx",
  "users/post-sign-in.ts",
];

describe("requests that change an existing resource", () => {
  it("need the version that was read, an address and a body of a route, by their types", () => {
    const project = "/projects/1" as `/projects/${string}`;
    const calls = () => [
      api.patch(project, {}, "1" as Etag),
      // @ts-expect-error no version
      api.patch(project, {}),
      // @ts-expect-error text instead of a version
      api.patch(project, {}, "1"),
      // @ts-expect-error no route
      api.get("/project"),
      // @ts-expect-error no field of the route's body
      api.post("/projects", { title: "Energy" }),
      // @ts-expect-error no field of the response
      api.get(project).then(({ title }) => title),
    ];
    expect(calls).toBeDefined();
    expectTypeOf("any text").not.toExtend<Etag>();
  });

  it("are sent by the client only, and only a first dataset is stored without a version", () => {
    const root = path.resolve(import.meta.dirname, "..");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" })
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts") && name !== "api/client.ts");
    const using = (pattern: RegExp) =>
      files.filter((name) => pattern.test(readFileSync(path.join(root, name), "utf8"))).toSorted();
    expect(using(/(?<![.\w])fetch\(|XMLHttpRequest/)).toEqual(otherSenders);
    expect(using(/\.putNew\b/)).toEqual(["data/replace-dataset.ts"]);
    expect(using(/as Etag\b/)).toEqual([]);
  });
});
