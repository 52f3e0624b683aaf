import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

type Locked = { license?: string; dev?: boolean; devOptional?: boolean };

/** Licences that ask to name the work, its licence and its source, beside the licence text in the package's folder. */
const asks = /LGPL|MPL|CC-BY|OPEN FONT|OFL|PSF/i;
/** Ending of a package with the binaries of one platform. */
const platform = /-(?:aix|android|darwin|freebsd|linux|linuxmusl|openbsd|sunos|wasm32|win32)(?:-.*)?$/;

const header = `NOTICE

The service uses the packages of package-lock.json. The folder of each package contains its licence. This file names the
packages whose licence asks for it, and the notices that some packages have.

testing/notice.test.ts writes this file: run it with -u after a change of packages.
`;

/** Returns the text of NOTICE for the packages that the service installs in production. */
export function noticeText(root: string): string {
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const folders = Object.entries(lock.packages)
    .filter(([folder, { dev, devOptional }]) => folder !== "" && !dev && !devOptional)
    .map(([folder]) => folder);
  const named = new Map<string, string>();
  for (const folder of folders) {
    const { license = "" } = lock.packages[folder]!;
    if (asks.test(license)) named.set(baseOf(folder), license);
  }
  const lines = [...named]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, license]) => {
      const installed = folders.find(
        (folder) => baseOf(folder) === name && existsSync(path.join(root, folder)),
      );
      return `- ${name}: ${license}${installed ? `, ${sourceOf(path.join(root, installed))}` : ""}`;
    });
  const notices = folders
    .filter((folder) => !platform.test(folder))
    .toSorted()
    .flatMap((folder) => noticesIn(root, folder));
  return `${header}\n${lines.join("\n")}\n\nNotices:\n\n${notices.map((file) => `- ${file}\n`).join("")}`;
}

/** Returns the name of a package without its platform: `@img/sharp-libvips`. */
const baseOf = (folder: string) =>
  folder.slice(folder.lastIndexOf("node_modules/") + 13).replace(platform, "");

function sourceOf(folder: string): string {
  const { repository } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    repository: string | { url: string };
  };
  const address = typeof repository === "string" ? repository : repository.url;
  return /^[\w.-]+\/[\w.-]+$/.test(address)
    ? `https://github.com/${address}`
    : address.replace(/^git\+/, "").replace(/\.git$/, "");
}

const noticesIn = (root: string, folder: string) =>
  existsSync(path.join(root, folder))
    ? readdirSync(path.join(root, folder))
        .filter((name) => /^notice(\.\w+)?$/i.test(name))
        .map((name) => `${folder}/${name}`)
    : [];
