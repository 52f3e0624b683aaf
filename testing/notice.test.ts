import path from "node:path";
import { expect, test } from "vitest";
import { noticeText } from "./notice.ts";

const root = path.resolve(import.meta.dirname, "..");

test("NOTICE names the installed packages whose licence asks for it", async () => {
  const text = noticeText(root);
  for (const name of [
    "@img/sharp-libvips: LGPL-3.0-or-later",
    "lightningcss: MPL-2.0",
    "geist: SIL OPEN FONT",
  ])
    expect(text).toContain(name);
  await expect(text).toMatchFileSnapshot(path.join(root, "NOTICE"));
});
