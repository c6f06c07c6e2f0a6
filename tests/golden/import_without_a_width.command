corecast import: uops-info ../data/imports/instructions.xml --arch TOY -o $TMP/mine
