"""Predicts two classes with scikit-learn for bench/classes.ts.

Usage: classes.py [FOLDER]

Without FOLDER, prints the installed version as JSON. With it, splits each data set into five folds, and writes the rows
of each split to FOLDER as CSV files whose last column is the target. Prints a line of JSON for each split: names of the
data set and the files, the actual classes, and each model's probabilities.

Data: breast cancer from scikit-learn; German credit and Pima diabetes from the Debian package weka, or the folder
WEKA_EXAMPLES; affairs from the folder of statsmodels.
"""

import csv
import importlib.util
import json
import os
import sys

try:
    import sklearn
except ImportError:
    sklearn = None


def is_number(cells):
    try:
        return all(cell == "" or float(cell) is not None for cell in cells)
    except ValueError:
        return False


def breast_cancer():
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    rows = [[repr(float(x)) for x in row] for row in data.data]
    return list(data.feature_names), rows, [data.target_names[y] for y in data.target]


def weka(name):
    folder = os.environ.get("WEKA_EXAMPLES", "/usr/share/doc/weka/examples")
    names, rows = [], []
    with open(os.path.join(folder, name)) as file:
        for line in file:
            line = line.strip()
            if line.lower().startswith("@attribute"):
                names.append(line.split()[1].strip("'\""))
            elif line and line[0] not in "@%":
                cells = next(csv.reader([line], quotechar="'", skipinitialspace=True))
                rows.append(["" if cell.strip() == "?" else cell.strip() for cell in cells])
    return names[:-1], [row[:-1] for row in rows], [row[-1] for row in rows]


def affairs():
    (folder,) = importlib.util.find_spec("statsmodels").submodule_search_locations
    with open(os.path.join(folder, "datasets", "fair", "fair.csv")) as file:
        names, *rows = csv.reader(file)
    return names[:-1], [row[:-1] for row in rows], ["yes" if float(row[-1]) > 0 else "no" for row in rows]


DATASETS = {
    "breast cancer": breast_cancer,
    "German credit": lambda: weka("credit-g.arff"),
    "Pima diabetes": lambda: weka("diabetes.arff"),
    "affairs": affairs,
}


def models(numbers, texts):
    """Returns both models with their usual preparation. Columns are numbers first, then texts as codes."""
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    prepare = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), list(range(numbers))),
        (OneHotEncoder(handle_unknown="ignore"), list(range(numbers, numbers + texts))),
    )
    return {
        "HistGradientBoosting": HistGradientBoostingClassifier(
            categorical_features=list(range(numbers, numbers + texts)), random_state=1
        ),
        "logistic regression": make_pipeline(prepare, LogisticRegression(max_iter=10_000)),
    }


def write_rows(path, names, rows, target):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "class to predict"])
        writer.writerows([*row, y] for row, y in zip(rows, target))


def evaluate(name, load, folder):
    import numpy
    from sklearn.model_selection import StratifiedKFold

    names, rows, target = load()
    columns = list(zip(*rows))
    numbers = [column for column in columns if is_number(column)]
    texts = [column for column in columns if not is_number(column)]
    codes = [[float(sorted(set(column)).index(cell)) for cell in column] for column in texts]
    inputs = numpy.array([[float(cell or "nan") for cell in column] for column in numbers] + codes).T
    positive = sorted(set(target), key=str.lower)[1]
    actual = numpy.array([int(y == positive) for y in target])
    splits = StratifiedKFold(n_splits=5, shuffle=True, random_state=1)
    for at, (train, test) in enumerate(splits.split(inputs, actual)):
        files = [os.path.join(folder, f"{name}-{at}-{part}.csv".replace(" ", "-")) for part in ("train", "test")]
        for path, chosen in zip(files, (train, test)):
            write_rows(path, names, [rows[i] for i in chosen], [target[i] for i in chosen])
        results = {}
        for model, estimator in models(len(numbers), len(texts)).items():
            estimator.fit(inputs[train], actual[train])
            results[model] = estimator.predict_proba(inputs[test])[:, 1].tolist()
        answer = {"name": name, "rows": len(rows), "columns": len(names), "files": files}
        print(json.dumps({**answer, "actual": actual[test].tolist(), "results": results}), flush=True)


def main():
    if len(sys.argv) < 2:
        print(json.dumps({"sklearn": sklearn and sklearn.__version__}))
        return
    for name, load in DATASETS.items():
        try:
            evaluate(name, load, sys.argv[1])
        except (OSError, AttributeError) as error:
            print(json.dumps({"name": name, "skipped": str(error)}), flush=True)


main()
