"""Trains with scikit-learn and XGBoost for bench/models.ts.

Usage: train.py [FOLDER]

Prints the installed versions as the first line. Then answers each line {"learner", "rounds", "leaves"} of standard
input with {"ms", "rmse", "mae", "r2"}: time of fitting alone, and errors on the held-out rows. FOLDER holds the data as
float32 files, one column after the other. Without arguments, the script only prints the versions.
"""

import json
import os
import sys
import time

try:
    import sklearn
    from sklearn.ensemble import HistGradientBoostingRegressor
except ImportError:
    sklearn = None
try:
    import xgboost
except ImportError:
    xgboost = None


def answer(value):
    print(json.dumps(value), flush=True)


def estimator(mean, learner, rounds, leaves):
    if learner == "sklearn":
        return HistGradientBoostingRegressor(
            max_iter=rounds,
            max_leaf_nodes=leaves,
            learning_rate=0.1,
            min_samples_leaf=20,
            max_bins=255,
            early_stopping=False,
        )
    return xgboost.XGBRegressor(
        n_estimators=rounds,
        tree_method="hist",
        grow_policy="lossguide",
        max_depth=0,
        max_leaves=leaves,
        learning_rate=0.1,
        min_child_weight=20,
        reg_lambda=0,
        max_bin=255,
        base_score=mean,  # The default is 0.5; the other learners start at the mean.
        n_jobs=int(os.environ["OMP_NUM_THREADS"]),
    )


def main():
    answer({name: module and module.__version__ for name, module in (("sklearn", sklearn), ("xgboost", xgboost))})
    if len(sys.argv) < 2:
        return
    import numpy

    def load(part):
        target = numpy.fromfile(os.path.join(sys.argv[1], f"{part}-target"), dtype="<f4")
        columns = numpy.fromfile(os.path.join(sys.argv[1], f"{part}-columns"), dtype="<f4")
        return numpy.ascontiguousarray(columns.reshape(-1, len(target)).T), target

    columns, target = load("training")
    held_out, expected = load("heldout")
    for line in sys.stdin:
        model = estimator(float(target.mean()), **json.loads(line))
        start = time.perf_counter()
        model.fit(columns, target)
        ms = (time.perf_counter() - start) * 1000
        residuals = (model.predict(held_out) - expected).astype("f8")
        square = float(numpy.mean(residuals**2))
        answer(
            {
                "ms": ms,
                "rmse": square**0.5,
                "mae": float(numpy.mean(numpy.abs(residuals))),
                "r2": 1 - square / float(numpy.var(expected.astype("f8"))),
            }
        )


main()
