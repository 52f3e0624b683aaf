import { z } from "zod";
import { Id, Instant } from "./common.ts";
import { projectRoles } from "./project-roles.ts";

export const projectAccess = ["open", "restricted"] as const;
export const ProjectAccess = z
  .enum(projectAccess)
  .describe(
    "Access of users. `open`: every analyst of the service is an analyst in the project. `restricted`: only the listed members and admins of the service have a role in it.",
  );

const roleText =
  "`viewer` reads, compares, predicts and downloads. `analyst` also changes data, models, checkpoints and scenarios. `admin` also manages keys, members and settings.";
export const ProjectRole = z.enum(projectRoles);

const role = ProjectRole.describe(`Role in the project. ${roleText}`);
const userId = z
  .string()
  .regex(/^[\w-]{1,100}$/)
  .describe("ID of the user.");

export const ProjectMember = z
  .object({
    id: Id.describe("Unique identifier of the membership."),
    userId,
    name: z.string().describe("Name of the user."),
    role,
    createdAt: Instant.describe("Time at which the user was added."),
    createdBy: z.string().describe("ID of the user who added the member."),
  })
  .meta({ id: "ProjectMember" });
export type ProjectMember = z.infer<typeof ProjectMember>;

export const AddProjectMember = z.strictObject({ userId, role });
export type AddProjectMember = z.infer<typeof AddProjectMember>;

export const UpdateProjectMember = z.strictObject({ role });
