/** Start that failed for a reason that the user can fix. The message contains the reason and the action. */
export class StartError extends Error {
  override readonly name = "StartError";
}

export type EnvironmentIssue = { variable: string; message: string };

/** Environment with invalid values. `message` has one sentence per issue. */
export class EnvironmentError extends Error {
  readonly issues: readonly EnvironmentIssue[];

  constructor(issues: readonly EnvironmentIssue[]) {
    super(issues.map((issue) => issue.message).join("\n"));
    this.name = "EnvironmentError";
    this.issues = issues;
  }
}

/** Returns the error of a start for which a folder's disk has no space. */
export const diskFull = (folder: string): StartError =>
  new StartError(`The disk of ${folder} is full. Free some space there, then start the service again.`);
