# Back-tests auto.arima() with inputs. Prints the mean absolute error over all origins, and then the coefficient of each
# input for all rows, one a line. Arguments: CSV file, target column, steps of a season, origins, steps of a horizon.
arguments <- commandArgs(trailingOnly = TRUE)
rows <- read.csv(arguments[1], check.names = FALSE)
sizes <- as.numeric(arguments[3:5])
inputs <- as.matrix(rows[setdiff(names(rows), arguments[2])])
target <- rows[[arguments[2]]]
# A column without changes would make the regression singular.
varying <- function(count) apply(inputs[1:count, ], 2, function(values) length(unique(values)) > 1)
arima_of <- function(count)
  forecast::auto.arima(ts(target[1:count], frequency = sizes[1]), xreg = inputs[1:count, varying(count)])
errors <- sapply(sizes[2]:1, function(origin) {
  cut <- length(target) - origin * sizes[3]
  ahead <- cut + 1:sizes[3]
  predicted <- forecast::forecast(arima_of(cut), xreg = inputs[ahead, varying(cut)])$mean
  mean(abs(target[ahead] - predicted))
})
cat(mean(errors), coef(arima_of(length(target)))[colnames(inputs)], sep = "\n")
