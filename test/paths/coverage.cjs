// Loaded into a process that runs with NODE_V8_COVERAGE. Writes one report when a request arrives and one when its
// response ends, so each second report covers one request. The number in the report's name orders the reports.
const { subscribe } = require('node:diagnostics_channel')
const { takeCoverage } = require('node:v8')

subscribe('http.server.request.start', takeCoverage)
subscribe('http.server.response.finish', takeCoverage)
