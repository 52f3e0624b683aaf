import { counted } from "#lib/contract/counted";
import { modelNameOf } from "#lib/engine/inference/learner";
import { classMetrics } from "#lib/engine/learners/class-metrics";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { withColumn } from "#lib/engine/table/columns";
import { baseline } from "./baseline.ts";
import { collectOutOfSample } from "./collect-out-of-sample.ts";
import { fitContext } from "./fit-context.ts";
import type { FitInput } from "./fit-input.ts";
import { fitMembers } from "./fit-members.ts";
import { fitPanel } from "./fit-panel.ts";
import { fixedProcedure } from "./fixed-procedure.ts";
import { leaderboard } from "./leaderboard.ts";
import { measureUnselected } from "./measure-unselected.ts";
import type { FittedModel } from "./model-summary.ts";
import type { FitOfParts } from "./panel-parts.ts";
import {
  blendsFamilies,
  classFamilies,
  regressionSets,
  requestedFamilies,
  requestedSets,
  usesFixedProcedure,
} from "./requested-candidates.ts";
import { searchCandidates, withoutSelection } from "./search-candidates.ts";
import { naiveSeasons } from "./seasonality.ts";
import {
  convertFutureLagError,
  type Finalist,
  type FitStage,
  refit,
  trainFinalists,
} from "./train-finalists.ts";
import { writeModel } from "./write-model.ts";

type FitOptions = {
  onProgress?: ((fraction: number, stage: FitStage, message: string) => void) | undefined;
  shouldStop?: (() => boolean) | undefined;
  /** Fits parts of many series elsewhere. */
  fitParts?: FitOfParts | undefined;
};

/**
 * Trains, validates and packs a model. Back-tests inside the training rows choose the model. The validation rows (the last
 * `fraction` of rows in time order, otherwise of shuffled rows) do not influence the choice: they measure the procedure.
 * Then the chosen settings are fitted on all rows. Back-test and validation metrics are of predictions by models that had
 * not seen the rows; `train` is in-sample.
 *
 * @throws TrainingImpossible with the reason; TrainingCancelled if `shouldStop` returns true
 */
export async function fitModel(input: FitInput, options: FitOptions = {}): Promise<FittedModel> {
  const { request = {}, upstream = [] } = input;
  const onProgress = options.onProgress ?? (() => {});
  const shouldStop = options.shouldStop ?? (() => false);
  const joined = upstream.reduce((table, { column }) => withColumn(table, column), input.table);
  if (input.series && input.series.length > 0)
    return fitPanel({ ...input, table: joined }, { onProgress, shouldStop, fitParts: options.fitParts });
  onProgress(0, "prepare", "Ordering the rows and looking for a frequency");
  const context = await fitContext({ ...input, table: joined }, shouldStop);
  const { data, known, classes, horizon } = context;
  const targetMetric = request.targetMetric ?? (classes ? "logLoss" : "rmse");
  const naive = baseline(data, known, horizon);
  const naiveName = classes ? "base rate" : naive.name;
  const metricsOf = classes ? classMetrics : regressionMetrics;
  const naiveMetrics = metricsOf(data.targets.subarray(data.trainingRows), naive.predictions);
  const families = classes ? classFamilies(request, data) : requestedFamilies(request, data, known);
  const seasons = data.grid && known ? naiveSeasons(data.grid.frequency, data.trainingRows) : [];
  const {
    tried,
    finalists,
    naive: naiveErrors,
  } = await convertFutureLagError(async () =>
    classes === null && usesFixedProcedure(request, data, known)
      ? withoutSelection(fixedProcedure(context, targetMetric))
      : searchCandidates({
          context,
          families,
          blends: classes === null && blendsFamilies(request, data, families),
          sets: requestedSets(request, data, known, horizon),
          regressionSets: regressionSets(request, data),
          seasons,
          hyperparameters: request.hyperparameters ?? {},
          requiresInputs: request.features?.inputs === true,
          metric: targetMetric,
          report: (fraction, message) => onProgress(0.02 + 0.48 * fraction, "select", message),
        }),
  );
  const trained = await convertFutureLagError(() =>
    trainFinalists(context, finalists, (fraction, stage, message) =>
      onProgress(0.5 + 0.25 * fraction, stage, message),
    ),
  );
  const [best] = trained as [Finalist, ...Finalist[]];
  const name = modelNameOf(best.tried, classes);
  const refitting = `${name}: fitting on all ${counted(data.targets.length, "row")}`;
  const finalModel = refit(context, best, (fraction) =>
    onProgress(0.75 + 0.15 * fraction, "refit", refitting),
  );
  onProgress(0.9, "calibrate", `${name}: observing errors from earlier dates`);
  const outOfSample = await collectOutOfSample(context, best);
  const measured =
    best.tried.scores.length === 0
      ? measureUnselected(context, best.tried, {
          backTests: outOfSample.backTests,
          naive: naive.naive,
          metric: targetMetric,
        })
      : null;
  Object.assign(best.tried, measured?.model);
  const members = fitMembers(context, best.tried, finalModel);
  onProgress(0.97, "write", `${name}: packing the model`);
  const fitted = await writeModel({
    ...best,
    finalModel,
    members,
    outOfSample,
    context,
    request,
    targetMetric,
    baseline: naiveMetrics,
    naive: naive.naive,
    leaderboard: await leaderboard({
      context,
      finalModel,
      tried,
      finalists: trained,
      metric: targetMetric,
      baseline: { name: naiveName, metrics: naiveMetrics, errors: measured?.naive ?? naiveErrors },
    }),
  });
  onProgress(1, "write", "Done");
  return fitted;
}
