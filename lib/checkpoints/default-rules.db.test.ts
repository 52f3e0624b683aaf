import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "#lib/contract/limits";
import { DomainError } from "#lib/errors/domain-error";
import { createProject, testContext } from "#testing/api";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { createCheckpoint } from "./create-checkpoint.ts";
import { deleteCheckpoint } from "./delete-checkpoint.ts";
import { listCheckpoints } from "./list-checkpoints.ts";
import { updateCheckpoint } from "./update-checkpoint.ts";

beforeAll(async () => {
  await createTestDatabase();
});

/** What a project's checkpoints should be, newest last. */
type Model = { rows: { id: string; label: string }[]; defaultId: string | null; counter: number };
type Real = { projectId: string };

async function expectAsModelled(model: Model, { projectId }: Real): Promise<void> {
  const { items: rows } = await listCheckpoints(testContext(), { projectId });
  expect(rows.map(({ id, label, isDefault }) => ({ id, label, isDefault }))).toEqual(
    model.rows.toReversed().map((row) => ({ ...row, isDefault: row.id === model.defaultId })),
  );
}

class Create implements fc.AsyncCommand<Model, Real> {
  readonly setAsDefault: boolean;
  constructor(setAsDefault: boolean) {
    this.setAsDefault = setAsDefault;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const label = `Label ${model.counter++}`;
    const creation = createCheckpoint(testContext(), { ...real, label, setAsDefault: this.setAsDefault });
    if (model.rows.length === limits.checkpointsPerProject) {
      await expect(creation).rejects.toMatchObject({ code: "checkpoint_limit_reached" });
      return;
    }
    const { checkpointId: id, jobId } = await creation;
    await runJobHere(jobId);
    model.rows.push({ id, label });
    if (this.setAsDefault || model.defaultId === null) model.defaultId = id;
    await expectAsModelled(model, real);
  }
  toString = () => `create(${this.setAsDefault})`;
}

class Update implements fc.AsyncCommand<Model, Real> {
  readonly at: number;
  readonly setAsDefault: boolean;
  readonly copyLabelOf: number | null;
  constructor(at: number, setAsDefault: boolean, copyLabelOf: number | null) {
    this.at = at;
    this.setAsDefault = setAsDefault;
    this.copyLabelOf = copyLabelOf;
  }
  check = ({ rows }: Readonly<Model>) => rows.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const row = model.rows[this.at % model.rows.length]!;
    const other = this.copyLabelOf === null ? null : model.rows[this.copyLabelOf % model.rows.length]!;
    const label = other?.label ?? `Label ${model.counter++}`;
    const change = { ...real, checkpointId: row.id, label, setAsDefault: this.setAsDefault };
    const code = await updateCheckpoint(testContext(), change).then(
      () => null,
      (error: unknown) => (error instanceof DomainError ? error.code : error),
    );
    expect(code).toBe(other === null || other === row ? null : "duplicate_label");
    if (code === null) {
      row.label = label;
      if (this.setAsDefault) model.defaultId = row.id;
    }
    await expectAsModelled(model, real);
  }
  toString = () => `update(${this.at}, ${this.setAsDefault}, ${this.copyLabelOf})`;
}

class Delete implements fc.AsyncCommand<Model, Real> {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
  check = ({ rows }: Readonly<Model>) => rows.length > 0;
  async run(model: Model, real: Real): Promise<void> {
    const [row] = model.rows.splice(this.at % model.rows.length, 1);
    const { jobId } = await deleteCheckpoint(testContext(), { ...real, checkpointId: row!.id });
    if (model.defaultId === row!.id) model.defaultId = model.rows.at(-1)?.id ?? null;
    await expectAsModelled(model, real);
    await runJobHere(jobId);
    await expectAsModelled(model, real);
  }
  toString = () => `delete(${this.at})`;
}

describe("a project's default checkpoint", () => {
  it("is always exactly one while there are checkpoints, whatever is created, changed and deleted", async () => {
    const at = fc.nat(19);
    const commands = [
      fc.boolean().map((setAsDefault) => new Create(setAsDefault)),
      fc.boolean().map((setAsDefault) => new Create(setAsDefault)),
      fc
        .tuple(at, fc.boolean(), fc.option(at))
        .map(([index, setAsDefault, other]) => new Update(index, setAsDefault, other)),
      at.map((index) => new Delete(index)),
    ];
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { size: "+1", maxCommands: 30 }), async (sequence) => {
        const { id: projectId } = await createProject();
        await createModel({ projectId });
        const model: Model = { rows: [], defaultId: null, counter: 0 };
        await fc.asyncModelRun(() => ({ model, real: { projectId } }), sequence);
      }),
      { numRuns: 4 },
    );
  });
});
