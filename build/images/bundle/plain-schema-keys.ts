import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/**
 * The SDK's clients describe their requests and answers in one file, 9,000 constants of EC2 among them, of which a function
 * needs a few dozen. They name members by computed keys, `{ [_xN]: … }`, and esbuild keeps whatever has one, because to
 * compute a key may do something. Here the constants of the same file stand in their place.
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
 * The same module with the constants that are texts in the place of keys that name them; but `__proto__`, which would be
 * no key then.
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
