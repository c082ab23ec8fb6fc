const library = '@trellis-gardener/trellis'

/** The library entry for each face of this repository (build/library/trellis.ts, package.json). */
const entries: Readonly<Record<string, string>> = {
  'shared/contract/errors.ts': library,
  'shared/contract/objects.ts': library,
  'shared/kubernetes/ensure-object.ts': library,
  'shared/kubernetes/kubernetes.ts': library,
  'shared/lifecycle/lifecycle.ts': library,
  'shared/runtime/define-function.ts': library,
  'shared/extension/extension.ts': `${library}/resources`,
  'shared/backup-entry/backup-entry.ts': `${library}/backup-entry`,
  'shared/health/health.ts': `${library}/health`,
  'shared/control-plane/control-plane.ts': `${library}/control-plane`,
  'shared/operating-system-config/operating-system-config.ts': `${library}/operating-system`,
  'shared/resources/resources.ts': `${library}/resources`,
  'shared/worker/worker.ts': `${library}/worker`,
  'sandbox/stepped-seed/stepped-seed.ts': `${library}/testing`,
  // Another project has Node, which is enough for its tests.
  vitest: 'node:test',
}

const imports = /^import (type )?\{([^}]*)\} from '([^']+)'\n/gm

/** Returns the source of a function for a project with the library: one import for each of its entries. */
export const importsOfLibrary = (source: string): string => {
  const names = new Map<string, string[]>()
  const rest = source.replaceAll(imports, (_, isType: string | undefined, list: string, from: string) => {
    const module = entries[from.replace(/^(?:\.\.\/)+/, '')] ?? from
    if (module.startsWith('../')) throw new Error(`the library does not export ${from}`)
    const all = list
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '')
    names.set(module, [
      ...(names.get(module) ?? []),
      ...all.map(name => (isType === undefined || name.startsWith('type ') ? name : `type ${name}`)),
    ])
    return ''
  })
  const head = [...names].toSorted(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1))
  return `${head.map(([module, all]) => importOf(module, all)).join('')}${rest}`
}

/** Node's modules first, then packages, then relative files. */
const rank = (module: string): number => (module.startsWith('node:') ? 0 : module.startsWith('.') ? 2 : 1)

const importOf = (module: string, names: readonly string[]): string => {
  const bare = (name: string) => name.replace(/^type /, '')
  const sorted = names.toSorted((one, other) => (bare(one) < bare(other) ? -1 : 1))
  const onlyTypes = sorted.every(name => name.startsWith('type '))
  const list = onlyTypes ? sorted.map(bare) : sorted
  const line = `import ${onlyTypes ? 'type ' : ''}{ ${list.join(', ')} } from '${module}'\n`
  if (line.length <= 111) return line
  return `import ${onlyTypes ? 'type ' : ''}{\n${list.map(name => `  ${name},\n`).join('')}} from '${module}'\n`
}
