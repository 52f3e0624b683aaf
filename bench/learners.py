"""scikit-learn and XGBoost for the benchmarks.

Usage: learners.py [train FOLDER | batch FOLDER LEARNER TREES LEAVES]

Without arguments, prints the installed versions. `train` (bench/models.ts) answers each line {"learner", "trees",
"leaves"} of standard input with {"ms", "rmse", "mae", "r2"}: time of fitting alone, and errors on the held-out rows.
FOLDER holds the data as float32 files, one column after the other. `batch` (bench/batch.ts) trains on
FOLDER/training.csv and answers each line {"file", "url"} with {"reading", "inference", "storing", "peak"}: milliseconds
to read the file with pandas, to predict it and to write the predictions to PostgreSQL by COPY, and the peak memory in
MB. Both print a line when they are ready.
"""

import io
import json
import os
import resource
import sys
import time


def version(name):
    try:
        return __import__(name).__version__
    except ImportError:
        return None


def answer(value):
    print(json.dumps(value), flush=True)


def estimator(learner, trees, leaves, mean):
    if learner == "sklearn":
        from sklearn.ensemble import HistGradientBoostingRegressor

        return HistGradientBoostingRegressor(
            max_iter=trees,
            max_leaf_nodes=leaves,
            learning_rate=0.1,
            min_samples_leaf=20,
            max_bins=255,
            early_stopping=False,
        )
    from xgboost import XGBRegressor

    return XGBRegressor(
        n_estimators=trees,
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


def train(folder):
    import numpy

    def load(part):
        target = numpy.fromfile(os.path.join(folder, f"{part}-target"), dtype="<f4")
        columns = numpy.fromfile(os.path.join(folder, f"{part}-columns"), dtype="<f4")
        return numpy.ascontiguousarray(columns.reshape(-1, len(target)).T), target

    columns, target = load("training")
    held_out, expected = load("heldout")
    answer({})
    for line in sys.stdin:
        model = estimator(**json.loads(line), mean=float(target.mean()))
        start = time.perf_counter()
        model.fit(columns, target)
        ms = (time.perf_counter() - start) * 1000
        residuals = (model.predict(held_out) - expected).astype("f8")
        square = float(numpy.mean(residuals**2))
        mae = float(numpy.mean(numpy.abs(residuals)))
        answer({"ms": ms, "rmse": square**0.5, "mae": mae, "r2": 1 - square / float(numpy.var(expected.astype("f8")))})


def batch(folder, learner, trees, leaves):
    import pandas
    import psycopg2

    training = pandas.read_csv(os.path.join(folder, "training.csv"))
    target = training.pop("y")
    model = estimator(learner, int(trees), int(leaves), float(target.mean())).fit(training, target)
    answer({})
    for line in sys.stdin:
        job = json.loads(line)
        times = [time.perf_counter()]
        rows = pandas.read_csv(job["file"])
        times.append(time.perf_counter())
        predictions = model.predict(rows)
        times.append(time.perf_counter())
        text = io.StringIO()
        table = pandas.DataFrame({"row": range(1, len(rows) + 1), "prediction": predictions})
        table.to_csv(text, index=False, header=False)
        text.seek(0)
        with psycopg2.connect(job["url"]) as connection, connection.cursor() as cursor:
            cursor.execute("drop table if exists bench_predictions")
            cursor.execute("create table bench_predictions (row int primary key, prediction double precision)")
            cursor.copy_expert("copy bench_predictions from stdin with (format csv)", text)
        connection.close()
        times.append(time.perf_counter())
        reading, inference, storing = [1000 * (end - start) for start, end in zip(times, times[1:])]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        answer({"reading": reading, "inference": inference, "storing": storing, "peak": peak})


if len(sys.argv) < 2:
    answer({name: version(name) for name in ("sklearn", "xgboost", "pandas", "psycopg2")})
else:
    {"train": train, "batch": batch}[sys.argv[1]](*sys.argv[2:])
