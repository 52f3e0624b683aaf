import { expect, test } from "vitest";
import { layoutMail, oneLine } from "./layout-mail.ts";

test.each([
  ["Heat\r\nBcc: eve@example.com", "Heat Bcc: eve@example.com"],
  ["  a \u2028 b\u0000c  ", "a b c"],
  ["\u202Egnp.exe", "gnp.exe"],
  ["x".repeat(101), `${"x".repeat(99)}…`],
  ["😀".repeat(100), "😀".repeat(100)],
])("a title in a subject is one short line: %j", (text, line) => {
  expect(oneLine(text)).toBe(line);
});

test("the plain text has every paragraph and the link, and the HTML escapes all of them", () => {
  const { subject, text, html } = layoutMail({
    subject: "A & <b>",
    paragraphs: ["<script>alert(1)</script>", 'Say "hello"'],
    action: { label: "Open <i>", url: "https://example.com/?a=1&b=2#t" },
  });
  expect(subject).toBe("A & <b>");
  expect(text).toBe(
    '<script>alert(1)</script>\n\nSay "hello"\n\nOpen <i>:\nhttps://example.com/?a=1&b=2#t\n',
  );
  expect(html).not.toMatch(/<(script|b|i)>/);
  for (const part of [
    "<title>A &amp; &lt;b&gt;</title>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "Say &quot;hello&quot;",
    'href="https://example.com/?a=1&amp;b=2#t"',
  ]) {
    expect(html).toContain(part);
  }
});
