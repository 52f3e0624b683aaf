import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readBuildInfo } from "#lib/platform/health/build-info";
import packageJson from "../../package.json" with { type: "json" };
import { recordCommit } from "./record-commit.ts";

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "build-info-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
const { version } = packageJson;

test("states the version, and no commit before a build", () => {
  expect(readBuildInfo(newFolder())).toEqual({ version, commit: null });
});

test("takes the commit from the repository of the build, not from one around it", () => {
  const folder = newFolder();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
  git("init", "-q");
  const identity = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
  git(...identity, "commit", "-q", "--allow-empty", "-m", "x");
  recordCommit(folder);
  expect(readBuildInfo(folder)).toEqual({ version, commit: git("rev-parse", "HEAD").trim() });
  const inner = path.join(folder, "inner");
  mkdirSync(inner);
  recordCommit(inner);
  expect(readBuildInfo(inner)).toEqual({ version, commit: null });
});

test("takes the commit from GIT_COMMIT where there is no repository, as in an image", () => {
  const folder = newFolder();
  vi.stubEnv("GIT_COMMIT", "0123abc");
  onTestFinished(() => void vi.unstubAllEnvs());
  recordCommit(folder);
  expect(readBuildInfo(folder)).toEqual({ version, commit: "0123abc" });
});
