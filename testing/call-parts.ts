import { buffer } from "node:stream/consumers";
import type { Column } from "#lib/contract/table";
import { exportCheckpoint } from "#lib/domain/checkpoints/export-checkpoint";
import { listVersions } from "#lib/domain/datasets/list-versions";
import { updateDataset } from "#lib/domain/datasets/update-dataset";
import { addProjectMember } from "#lib/domain/project-members/change-project-members";
import { listProjectMembers } from "#lib/domain/project-members/list-project-members";
import { createOverride } from "#lib/domain/scenarios/overrides/create-override";
import { writeScenarioInput } from "#lib/domain/scenarios/run/scenario-input";
import { newId } from "#lib/platform/ids/new-id";
import { createKey, createUser, testContext } from "./api.ts";
import { createSpareWebhook, type PopulatedProject } from "./populated-project.ts";
import type { CallParts } from "./route-cases.ts";
import { setEnvironment } from "./set-environment.ts";
import { storeScenario } from "./stored-scenario.ts";

// Paths and bodies of valid calls. The functions create the objects that a call deletes or ends.

export type MakeCall = (own: PopulatedProject) => CallParts | Promise<CallParts>;

export const ofProject: MakeCall = ({ projectId }) => ({ params: { projectId } });
export const ofScenario: MakeCall = ({ projectId, scenarioId }) => ({ params: { projectId, scenarioId } });
export const ofComparison: MakeCall = ({ projectId, comparisonId }) => ({
  params: { projectId, comparisonId },
});
export const ofCheckpoint: MakeCall = ({ projectId, checkpointId }) => ({
  params: { projectId, checkpointId },
});
export const ofVersion: MakeCall = async ({ projectId }) => {
  const [current] = (await listVersions(testContext(), { projectId })).items;
  return { params: { projectId, versionId: current!.id } };
};
/** The oldest of several versions. */
export const ofOldVersion: MakeCall = async ({ projectId }) => {
  await updateDataset(testContext(), { projectId, change: { confirmed: [] } });
  return {
    params: { projectId, versionId: (await listVersions(testContext(), { projectId })).items.at(-1)!.id },
  };
};
/** Permits links to comparisons, which the service does not by default. */
export const sharing =
  (call: MakeCall): MakeCall =>
  (own) => {
    setEnvironment({ COMPARISON_LINKS: "1" });
    return call(own);
  };
export const send =
  (body: unknown, path: MakeCall = ofProject): MakeCall =>
  async (own) => ({ ...(await path(own)), body });

export const exportedFile = async (wanted: { projectId: string; checkpointId: string }) =>
  (await buffer((await exportCheckpoint(testContext(), wanted)).content)).toString("base64");

/** Creates a member for the call. */
export const newMember: MakeCall = async () => ({
  params: { userId: (await createUser({ name: "Bo", role: "analyst" })).id },
});
/** The same member for every call of a project. A member of an earlier test file is in another database. */
const members = new WeakMap<PopulatedProject, ReturnType<typeof newMember>>();
export const oneMember: MakeCall = (own) => {
  if (!members.has(own)) members.set(own, newMember(own));
  return members.get(own)!;
};
const storeTimedInput = (key: string, timestamps: Float64Array) => {
  const input = (name: string): Column => ({ name, type: "number", values: Float64Array.of(1, 3) });
  const columns: Column[] = [
    { name: "date", type: "timestamp", values: timestamps },
    input("temp"),
    input("wind"),
  ];
  return writeScenarioInput(key, { table: { rowCount: 2, columns }, computed: [], knownUntil: null });
};
/** A scenario with times, the same for every call of a project. */
const timedScenarios = new WeakMap<PopulatedProject, Promise<string>>();
export const ofTimedScenario: MakeCall = async (own) => {
  const { projectId, checkpointId } = own;
  if (!timedScenarios.has(own)) {
    const [firstTimestamp, lastTimestamp] = [new Date("2026-01-01"), new Date("2026-01-02")];
    const timestamps = Float64Array.of(firstTimestamp.getTime(), lastTimestamp.getTime());
    const series = { timestamps, prediction: Float64Array.of(1, 2), lower: null, upper: null };
    const inputKey = `projects/${projectId}/scenarios/${newId()}/input`;
    const fields = { checkpointId, firstTimestamp, lastTimestamp, inputKey };
    const stored = storeTimedInput(inputKey, timestamps).then(() =>
      storeScenario(projectId, series, "Timed", fields),
    );
    timedScenarios.set(own, stored);
  }
  return { params: { projectId, scenarioId: await timedScenarios.get(own)! } };
};
export const override = {
  from: "2026-01-01",
  to: "2026-01-02",
  operation: "add",
  value: 1,
  reason: "Fair in town",
} as const;
export const newOverride: MakeCall = async (own) => {
  const { params } = await ofTimedScenario(own);
  const { projectId = "", scenarioId = "" } = params ?? {};
  const { id } = await createOverride(testContext(), { projectId, scenarioId, ...override });
  return { params: { projectId, scenarioId, overrideId: id } };
};
/** The same override for every call of a project. */
const overrides = new WeakMap<PopulatedProject, ReturnType<typeof newOverride>>();
export const oneOverride: MakeCall = (own) => {
  if (!overrides.has(own)) overrides.set(own, newOverride(own));
  return overrides.get(own)!;
};
export const newKey: MakeCall = async ({ projectId }) => ({
  params: { projectId, keyId: (await createKey({ projectId })).id },
});

export const ofWebhook: MakeCall = ({ projectId, webhookId }) => ({ params: { projectId, webhookId } });
export const ofDelivery: MakeCall = ({ projectId, webhookId, deliveryId }) => ({
  params: { projectId, webhookId, deliveryId },
});
export const newWebhook: MakeCall = async (own) => ({
  params: { projectId: own.projectId, webhookId: await createSpareWebhook(own) },
});

export const newProjectMember: MakeCall = async ({ projectId }) => {
  const { id: userId } = await createUser({ role: "analyst" });
  await addProjectMember(testContext(), { projectId, userId, role: "viewer" });
  return { params: { projectId, userId } };
};

export const oneProjectMember: MakeCall = async (own) => {
  const { projectId } = own;
  const [first] = (await listProjectMembers(testContext(), { projectId })).items;
  return first ? { params: { projectId, userId: first.userId } } : newProjectMember(own);
};
