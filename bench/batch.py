"""Predicts CSV files with scikit-learn or XGBoost for bench/batch.ts, with common Python tools.

Usage: batch.py [FOLDER LEARNER TREES LEAVES]

Trains on FOLDER/training.csv and prints {} when it is ready. Then answers each line {"file", "url"} of standard input:
reads the file with pandas, predicts it, and writes the predictions to PostgreSQL by COPY. The answer is {"reading",
"inference", "storing", "peak"}: the milliseconds of each part, and the peak memory of the process in MB. Without
arguments, the script prints the installed versions and exits.
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


def train(folder, learner, trees, leaves):
    import pandas

    rows = pandas.read_csv(os.path.join(folder, "training.csv"))
    target = rows.pop("y")
    if learner == "sklearn":
        from sklearn.ensemble import HistGradientBoostingRegressor

        model = HistGradientBoostingRegressor(
            max_iter=trees, max_leaf_nodes=leaves, learning_rate=0.1, early_stopping=False
        )
    else:
        from xgboost import XGBRegressor

        model = XGBRegressor(
            n_estimators=trees, tree_method="hist", grow_policy="lossguide", max_depth=0, max_leaves=leaves
        )
    return model.fit(rows, target)


def main():
    if len(sys.argv) < 2:
        answer({name: version(name) for name in ("sklearn", "xgboost", "pandas", "psycopg2")})
        return
    folder, learner, trees, leaves = sys.argv[1:]
    model = train(folder, learner, int(trees), int(leaves))
    import pandas
    import psycopg2

    answer({})
    for line in sys.stdin:
        job = json.loads(line)
        times = [time.perf_counter()]
        rows = pandas.read_csv(job["file"])
        times.append(time.perf_counter())
        predictions = model.predict(rows)
        times.append(time.perf_counter())
        text = io.StringIO()
        pandas.DataFrame({"row": range(1, len(rows) + 1), "prediction": predictions}).to_csv(
            text, index=False, header=False
        )
        text.seek(0)
        with psycopg2.connect(job["url"]) as connection, connection.cursor() as cursor:
            cursor.execute("drop table if exists bench_predictions")
            cursor.execute("create table bench_predictions (row int primary key, prediction double precision)")
            cursor.copy_expert("copy bench_predictions from stdin with (format csv)", text)
        connection.close()
        times.append(time.perf_counter())
        parts = [1000 * (end - start) for start, end in zip(times, times[1:])]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        answer({"reading": parts[0], "inference": parts[1], "storing": parts[2], "peak": peak})


main()
