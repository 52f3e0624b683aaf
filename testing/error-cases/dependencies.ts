import { createKey, createProject } from "../api.ts";
import { createModel } from "../model-factory.ts";
import { inputCsv } from "../populated-project.ts";
import { base64 } from "../scenario-factory.ts";
import { type ErrorCase, ofProject, unknownId } from "./error-case.ts";

const fileData = base64(inputCsv);
const field = "dependentProjectCheckpoints";

/** Errors of upstream projects and pinned checkpoints. */
export const dependencyErrors = {
  async dependency_checkpoint_required({ call, own, upstream: { projectId: id } }) {
    const body = { title: "x", checkpointId: own.checkpointId, fileData };
    return {
      answer: await call(`POST ${ofProject}/scenarios`, { body }),
      message: `The project uses predictions of upstream projects. Set a checkpoint or null in ${field} for ${id}.`,
      details: [
        {
          field: `${field}.${id}`,
          id,
          code: "dependency_checkpoint_required",
          message: `Set a checkpoint of project ${id}, or null to save its current model.`,
        },
      ],
    };
  },

  async dependency_unknown({ call, own }) {
    const pinnedCheckpoints = { ...own.pinnedCheckpoints, [unknownId]: null };
    const body = { title: "x", checkpointId: own.checkpointId, fileData, [field]: pinnedCheckpoints };
    return {
      answer: await call(`POST ${ofProject}/scenarios`, { body }),
      message: `${field} contains ${unknownId}, which this project does not depend on. Remove the entry, or declare the dependency first.`,
      details: [
        {
          field: `${field}.${unknownId}`,
          id: unknownId,
          code: "dependency_unknown",
          message: `${unknownId} is not a dependency of the project.`,
        },
      ],
    };
  },

  async dependency_has_no_model({ call, admin }) {
    const [main, upstream] = [await createProject({ name: "Main" }), await createProject({ name: "Bare" })];
    const params = { projectId: main.id };
    await createModel(params);
    const dependencies = [{ projectId: upstream.id, featureName: "bare" }];
    await call(`PUT ${ofProject}/dependencies`, { params, body: { dependencies } }, admin);
    const body = { title: "x", fileData, [field]: { [upstream.id]: null } };
    return {
      answer: await call(`POST ${ofProject}/scenarios`, { params, body }, await createKey(params)),
      message: "An upstream project has no trained model. Train or import one there first.",
      details: [
        {
          field: `${field}.${upstream.id}`,
          id: upstream.id,
          code: "dependency_has_no_model",
          message: `The project "Bare" (${upstream.id}) has no trained model.`,
        },
      ],
    };
  },

  async dependency_cycle({ call, admin, own, upstream }) {
    const params = { projectId: upstream.projectId };
    const body = { dependencies: [{ projectId: own.projectId, featureName: "own" }] };
    return {
      answer: await call(`PUT ${ofProject}/dependencies`, { params, body }, admin),
      message: "The dependencies would form a cycle: Upstream → Own → Upstream. Remove one of them.",
      details: [
        {
          field: "dependencies",
          id: upstream.projectId,
          code: "dependency_cycle",
          message: "Upstream would use the predictions of Own.",
        },
        {
          field: "dependencies",
          id: own.projectId,
          code: "dependency_cycle",
          message: "Own would use the predictions of Upstream.",
        },
      ],
    };
  },
} satisfies Record<string, ErrorCase>;
