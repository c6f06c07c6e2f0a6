corecast import: uops-info ../data/imports/instructions.xml --arch SKL --dispatch-width 4 -o $TMP/mine
