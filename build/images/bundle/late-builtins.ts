import { createRequire } from 'node:module'
import type { Plugin } from 'esbuild'

/**
 * Modules of Node that a snapshot must not contain, because they could reach out of the process while it is written.
 * Everything in `net` except the address checks counts as well.
 */
const network = new Set(['dgram', 'dns', 'dns/promises', 'http', 'http2', 'https', 'tls'])
const reachesOut = (name: string, member: string): boolean =>
  network.has(name) || (name === 'net' && !member.startsWith('isIP'))

/**
 * Modules of Node that are loaded when a member is first used. Besides the above, those that a snapshot may not contain
 * reliably: `node --build-snapshot` warns about them (docs/start-up-snapshot.md).
 */
const late = new Set([
  ...network,
  'async_hooks',
  'child_process',
  'cluster',
  'module',
  'net',
  'perf_hooks',
  'worker_threads',
])

/** Classes that packages derive from while they are loaded: express its request and response. */
const bases = new Map([['http', ['IncomingMessage', 'ServerResponse']]])
/** Constants that packages read while they are loaded. */
const constants = new Map([['http', ['METHODS']]])

const require = createRequire(import.meta.url)

/** Loads modules of Node when a member is first used. */
export const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path, namespace }) => {
      const name = path.replace(/^node:/, '')
      return late.has(name) && namespace !== 'late-builtin'
        ? { path: name, namespace: 'late-builtin' }
        : undefined
    })
    onLoad({ filter: /./, namespace: 'late-builtin' }, ({ path }) => ({
      contents: moduleOf(path, Object.keys(require(`node:${path}`))),
      loader: 'js',
    }))
  },
}

const moduleOf = (name: string, members: readonly string[]): string => {
  const {
    base = [],
    constant = [],
    reaching = [],
    others = [],
  } = Object.groupBy(members, member =>
    bases.get(name)?.includes(member)
      ? 'base'
      : constants.get(name)?.includes(member)
        ? 'constant'
        : reachesOut(name, member)
          ? 'reaching'
          : 'others',
  )
  const values = Object.fromEntries(constant.map(member => [member, require(`node:${name}`)[member]]))
  // If only some members of a module reach out, each is checked separately.
  const whole = reaching.length === 0 ? 'load' : others.length === 0 ? 'loadToReachOut' : '() => exports'
  return `
let loaded
const bases = {}
const load = () => {
  if (loaded === undefined) {
    loaded = require('node:${name}')
    for (const name in bases) Object.setPrototypeOf(bases[name].prototype, loaded[name].prototype)
  }
  return loaded
}
let runs = false
const loadToReachOut = () => {
  runs ||= !require('node:v8').startupSnapshot.isBuildingSnapshot()
  if (!runs) throw new Error('${name} is not to be used while a snapshot is made')
  return load()
}
const define = (members, from) => {
  for (const member of members) Object.defineProperty(exports, member, { enumerable: true, get: () => from()[member] })
}
define(${JSON.stringify(others)}, load)
// A class in a snapshot is empty, and inherits from the real one as soon as the module is loaded.
const baseOf = name => runs || !require('node:v8').startupSnapshot.isBuildingSnapshot() ? load()[name] : bases[name] ??= class {}
for (const name of ${JSON.stringify(base)}) Object.defineProperty(exports, name, { enumerable: true, get: () => baseOf(name) })
Object.assign(exports, ${JSON.stringify(values)})
define(${JSON.stringify(reaching)}, loadToReachOut)
Object.defineProperty(exports, 'default', { get: ${whole} })
Object.defineProperty(exports, '__esModule', { value: true })
`
}
