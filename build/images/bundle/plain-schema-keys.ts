import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/**
 * The SDK's clients describe their requests and responses in one file (9,000 constants for EC2), of which a function
 * needs a few dozen. They use computed member keys, `{ [_xN]: … }`, and esbuild retains such objects, because computing
 * a key may have side effects. This plugin replaces the keys with the constants of the same file.
 */
export const plainSchemaKeys: Plugin = {
  name: 'plain-schema-keys',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/dist-es\/schemas\/schemas_\d+\.js$/ }, async ({ path }) => ({
      contents: withPlainKeys(await readFile(path, 'utf8')),
      loader: 'js',
    }))
  },
}

/**
 * Returns the module with text constants instead of the keys that name them, except `__proto__`, which would not be a
 * key then.
 */
export const withPlainKeys = (source: string): string => {
  const texts = new Map(
    [...source.matchAll(/^const (\w+) = ("[^"\\\n]*");$/gm)].map(([, name = '', text = '']) => [name, text]),
  )
  return source.replace(/\[(\w+)\]:/g, (key, name: string) => {
    const text = texts.get(name)
    return text === undefined || text === '"__proto__"' ? key : `${text}:`
  })
}
