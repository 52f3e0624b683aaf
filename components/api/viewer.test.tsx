import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Role } from "#lib/contract/members";
import type { ProjectRole } from "#lib/contract/project-roles";
import { analyst } from "#testing/viewer";
import { ProjectRoleProvider, useMay, ViewerProvider } from "./viewer.tsx";

const operations = ["createScenario", "createApiKey", "deleteProject"] as const;

function Permitted() {
  return operations.filter(useMay()).join();
}

const permitted = (role: Role, inProject: ProjectRole | null) =>
  renderToStaticMarkup(
    <ViewerProvider viewer={{ ...analyst, role }}>
      <ProjectRoleProvider role={inProject}>
        <Permitted />
      </ProjectRoleProvider>
    </ViewerProvider>,
  );

test.each([
  ["analyst", null, ""],
  ["analyst", "viewer", ""],
  ["analyst", "analyst", "createScenario"],
  ["analyst", "admin", "createScenario,createApiKey"],
  ["admin", "admin", "createScenario,createApiKey,deleteProject"],
] as const)("permits %s of the service with the role %s in the project: %s", (role, inProject, expected) => {
  expect(permitted(role, inProject)).toBe(expected);
});
