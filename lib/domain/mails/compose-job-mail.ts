import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { projects } from "#db/schema/projects";
import { scenarios } from "#db/schema/scenarios";
import { roleOf } from "#lib/domain/projects/project-role";
import { roleOf as serviceRoleOf, type UserRow } from "#lib/domain/users/present";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { type MailContent, oneLine } from "#lib/platform/mail/layout-mail";
import type { MailRow } from "#lib/platform/mail/queue-mail";

/** Subject of a mail about a job: what it made, its page within the project, and the text of the link. */
type Subject = { what: string; page: string; label: string };

const endings: Partial<Record<JobRow["status"], string>> = {
  Completed: "is complete",
  Failed: "has failed",
  Cancelled: "was cancelled",
};

/** Writes the mail about the end of a job; null if the member may not see the project any more. */
export async function composeJobMail(
  db: Database,
  { mail, member, publicUrl }: { mail: MailRow; member: UserRow; publicUrl: string },
): Promise<MailContent | null> {
  const [found] = await db
    .select({ job: jobs, projectName: projects.name, title: scenarios.title, label: checkpoints.label })
    .from(jobs)
    .innerJoin(projects, eq(projects.id, jobs.projectId))
    .leftJoin(scenarios, eq(scenarios.id, jobs.scenarioId))
    .leftJoin(checkpoints, eq(checkpoints.id, jobs.checkpointId))
    .where(eq(jobs.id, mail.jobId!));
  if (found === undefined) return null;
  const { job } = found;
  const person = { kind: "session", userId: member.id, role: serviceRoleOf(member.role) } as const;
  if ((await roleOf(db, person, job.projectId)) === null) return null;
  const project = oneLine(found.projectName);
  const { what, page, label } = subjectOf(job, { ...found, project });
  const ending = `${what} ${endings[job.status] ?? "has ended"}`;
  return {
    subject: ending,
    paragraphs: [
      `${ending}. Project: ${project}.`,
      ...(job.errorMessage === null ? [] : [oneLine(job.errorMessage, 500)]),
      "You get this mail once, because you asked for it.",
    ],
    action: { label, url: `${publicUrl}/projects/${job.projectId}/${page}` },
  };
}

type Names = { title: string | null; label: string | null; project: string };

function subjectOf({ type, scenarioId }: JobRow, { title, label, project }: Names): Subject {
  switch (type) {
    case "CreateScenario":
      return title === null
        ? { what: "A scenario", page: "jobs", label: "Open the jobs" }
        : {
            what: `The scenario “${oneLine(title)}”`,
            page: `scenarios/${scenarioId}`,
            label: "Open the scenario",
          };
    case "CreateCheckpoint":
      return {
        what: label === null ? "A checkpoint" : `The checkpoint “${oneLine(label)}”`,
        page: "checkpoints",
        label: "Open the checkpoints",
      };
    case "ImportModel":
      return { what: `The import into “${project}”`, page: "model", label: "Open the model" };
    default:
      return { what: `The training of “${project}”`, page: "model", label: "Open the model" };
  }
}
