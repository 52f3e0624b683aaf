# Prints the coefficient of each input in auto.arima(), one a line. Arguments: CSV file, target column, steps of a season.
arguments <- commandArgs(trailingOnly = TRUE)
rows <- read.csv(arguments[1], check.names = FALSE)
inputs <- as.matrix(rows[setdiff(names(rows), arguments[2])])
target <- ts(rows[[arguments[2]]], frequency = as.numeric(arguments[3]))
fit <- forecast::auto.arima(target, xreg = inputs)
cat(coef(fit)[colnames(inputs)], sep = "\n")
