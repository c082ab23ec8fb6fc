// Loaded before a process: of what runs with NODE_V8_COVERAGE, writes one report of all until a request arrives, and one
// of all between request and answer. Node numbers reports of one process by the time.
const { subscribe } = require('node:diagnostics_channel')
const { takeCoverage } = require('node:v8')

subscribe('http.server.request.start', takeCoverage)
subscribe('http.server.response.finish', takeCoverage)
