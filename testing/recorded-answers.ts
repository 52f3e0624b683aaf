import { CheckpointRecord, ModelChanges, ScenarioActuals } from "#lib/contract/actuals";
import { Checkpoint } from "#lib/contract/checkpoints";
import { Dataset } from "#lib/contract/datasets";
import { Model } from "#lib/contract/models";
import { Project } from "#lib/contract/projects";
import { ScenarioPreview } from "#lib/contract/scenario-preview";
import { ScenarioRows } from "#lib/contract/scenario-rows";
import { Scenario } from "#lib/contract/scenarios";
import answers from "../lib/api/openapi/examples/answers.json" with { type: "json" };

// Responses of the service to calls about one project, for tests of components.

export const project = Project.parse(answers.getProject.response);
export const dataset = Dataset.parse(answers.getDataset.response);
export const model = Model.parse(answers.getModel.response);
export const modelChanges = ModelChanges.parse(answers.getModelChanges.changes);
export const checkpoint = Checkpoint.parse(answers.listCheckpoints.response[0]);
export const checkpointRecord = CheckpointRecord.parse(answers.getCheckpointRecord.response);
export const scenario = Scenario.parse(answers.getScenario.response);
export const scenarioActuals = ScenarioActuals.parse(answers.getScenarioActuals.response);
export const scenarioRows = ScenarioRows.parse(answers.listScenarioRows.response);
export const preview = ScenarioPreview.parse(answers.previewScenario.preview);
