import { expect, test } from "@playwright/test";

test("blocks nothing under the content security policy, with a new nonce per page", async ({ page }) => {
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  const nonces = new Set<string | undefined>();
  for (let visit = 0; visit < 2; visit++) {
    const response = await page.goto("/login", { waitUntil: "networkidle" });
    const policy = (await response?.headerValue("content-security-policy")) ?? "";
    nonces.add(/'nonce-([^']+)'/.exec(policy)?.[1]);
    expect(policy).toContain("frame-ancestors 'none'");
  }
  expect(nonces.size).toBe(2);
  expect(nonces).not.toContain(undefined);
  expect(violations).toEqual([]);
});

test("does not run a script without the nonce", async ({ page }) => {
  await page.goto("/login");
  const ran = await page.evaluate(() => {
    document.write("<script>window.intruded = true</script>");
    return (window as { intruded?: boolean }).intruded === true;
  });
  expect(ran).toBe(false);
});
