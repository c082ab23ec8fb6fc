import type { Plugin } from 'esbuild'

/**
 * The CloudEvents SDK replaces the global `JSON` at each event that it parses, with `json-bigint` if
 * `CE_USE_BIG_INT=true` is in the environment (`dist/parsers.js` of 10.0.0). All code of the process would then read
 * numbers as `bigint`. Bundles contain JSON in its place, which also saves 24 KiB.
 */
export const noBigIntegers: Plugin = {
  name: 'no-big-integers',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^json-bigint$/ }, ({ path }) => ({ path, namespace: 'no-big-integers' }))
    onLoad({ filter: /./, namespace: 'no-big-integers' }, () => ({ contents: 'module.exports = () => JSON' }))
  },
}
