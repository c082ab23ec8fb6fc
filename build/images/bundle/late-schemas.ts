import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/**
 * The tables of kinds know the schema of each, and a process parses objects of a few: in a bundle a schema is made when it is
 * first used. What is never made needs neither time nor memory, in a startup snapshot neither.
 */
export const lateSchemas: Plugin = {
  name: 'late-schemas',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/shared\/contract\/(?:machine-|resource-)?kinds\.ts$/ }, async ({ path }) => ({
      contents: withLateSchemas(await readFile(path, 'utf8')),
      loader: 'ts',
    }))
  },
}

/** The same module, whose `schema:` members stand for what `./schemas/…` exports and load it at their first use. */
export const withLateSchemas = (source: string): string => {
  const files = new Map<string, string>()
  const rest = source.replace(
    /^import \{ (\w+Schema) \} from '(\.\/schemas\/[\w-]+\.ts)'\n/gm,
    (_, name: string, file: string) => {
      files.set(name, file)
      return ''
    },
  )
  const late = rest.replace(/\bschema: (\w+Schema)\b/g, (whole, name: string) => {
    const file = files.get(name)
    return file === undefined ? whole : `schema: lateSchema(() => require('${file}').${name})`
  })
  return `${late}
function lateSchema(load) {
  return new Proxy({}, {
    get: (_, member) => Reflect.get(load(), member),
    has: (_, member) => Reflect.has(load(), member),
  })
}
`
}
