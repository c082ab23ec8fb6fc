import type { Plugin } from 'esbuild'

/**
 * Leaves out the parts of the CloudEvents SDK that Trellis never runs: 29 of 69 KiB.
 *
 * - `json-bigint`. The SDK replaces the global `JSON` at each event that it parses, with that package if
 *   `CE_USE_BIG_INT=true` is in the environment (`dist/parsers.js` of 10.0.0). All code of the process would then read
 *   numbers as `bigint`.
 * - Kafka and MQTT, which cannot be shaken off, because the SDK has no ES modules.
 */
export const eventsOverHttp: Plugin = {
  name: 'events-over-http',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^json-bigint$|^\.\/(kafka|mqtt)$/ }, ({ path, importer }) =>
      importer.includes('/node_modules/cloudevents/') ? { path, namespace: 'left-out' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({
      contents: path === 'json-bigint' ? 'module.exports = () => JSON' : 'module.exports = {}',
    }))
  },
}
