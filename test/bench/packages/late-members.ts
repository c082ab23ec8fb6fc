import type { Plugin } from 'esbuild'

/**
 * Loads modules at the first use of one of their functions, and copies their constants. Then packages that take `http`
 * apart when they are loaded can be in a startup snapshot.
 *
 * @param modules by the package that imports them
 */
export const lateMembers = (modules: Readonly<Record<string, readonly string[]>>): Plugin => ({
  name: 'late-members',
  setup: ({ onResolve, onLoad }) => {
    const isLate = (name: string, importer: string) =>
      Object.entries(modules).some(
        ([folder, names]) => importer.includes(`/node_modules/${folder}/`) && names.includes(name),
      )
    onResolve({ filter: /^[\w:@/-]+$/, namespace: 'file' }, ({ path, importer, resolveDir }) => {
      const name = path.replace(/^node:/, '')
      return isLate(name, importer)
        ? { path: name, namespace: 'late-members', pluginData: resolveDir }
        : undefined
    })
    onLoad({ filter: /./, namespace: 'late-members' }, async ({ path, pluginData }) => ({
      contents: contentsOf(path, await import(path)),
      loader: 'js',
      resolveDir: pluginData,
    }))
  },
})

const contentsOf = (name: string, members: Readonly<Record<string, unknown>>): string => `
let loaded
const load = () => loaded ??= require(${JSON.stringify(name)})
const late = name => new Proxy(class {}, {
  apply: (_, self, args) => Reflect.apply(load()[name], self, args),
  construct: (_, args) => Reflect.construct(load()[name], args),
  get: (own, member) => member === Symbol.hasInstance ? value => value instanceof load()[name] : own[member],
})
${Object.entries(members)
  .filter(([member]) => member !== 'default')
  .map(([member, value]) => {
    const copy = typeof value === 'function' ? `late(${JSON.stringify(member)})` : JSON.stringify(value)
    return `exports[${JSON.stringify(member)}] = ${copy}`
  })
  .join('\n')}
`
