import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/**
 * The tables of kinds contain all schemas, but a process parses objects of only a few kinds. In a bundle a schema is
 * created when it is first used. An unused schema costs neither time nor memory, also in a startup snapshot.
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

/** Returns the module with `schema:` members that load the exports of `./schemas/…` at their first use. */
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
