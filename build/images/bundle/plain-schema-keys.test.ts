import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { plainSchemaKeys, withPlainKeys } from './plain-schema-keys.ts'

test('a computed key with a text constant of the same module becomes plain', () => {
  const source = `const _xN = "xmlName";
const _n = 7;
export var A$ = [3, _xN, [[0, { [_xN]: _iI, [_n]: 1, [_other]: 2 }]]];`
  expect(withPlainKeys(source)).toBe(`const _xN = "xmlName";
const _n = 7;
export var A$ = [3, _xN, [[0, { "xmlName": _iI, [_n]: 1, [_other]: 2 }]]];`)
})

test('a key that would be a prototype without brackets retains them', () => {
  const source = `const _p = "__proto__";
export var A$ = { [_p]: 1 };`
  expect(withPlainKeys(source)).toBe(source)
})

const root = new URL('../../..', import.meta.url).pathname
const files = globSync('node_modules/@aws-sdk/client-*/dist-es/schemas/schemas_*.js', { cwd: root })
const require = createRequire(import.meta.url)

/** Returns the bundled exports of a module of schemas. */
const bundled = async (file: string, plugins: Plugin[]): Promise<Readonly<Record<string, unknown>>> => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from ${JSON.stringify(`${root}${file}`)}`,
      resolveDir: dirname(root + file),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    write: false,
    plugins,
  })
  const module = { exports: {} }
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(module, module.exports, require)
  return module.exports
}

/** Formats a schema as text: a reference to another one by its name, a class by its source. */
const schemaText = (schema: unknown): string =>
  JSON.stringify(schema, (_, value: unknown) =>
    typeof value === 'function' ? String(value) : typeof value === 'symbol' ? value.toString() : value,
  )

describe('the schemas of the SDK', () => {
  test('are those of every installed client', () => {
    const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
      dependencies: Readonly<Record<string, string>>
    }
    const clients = Object.keys(dependencies).filter(name => name.startsWith('@aws-sdk/client-'))
    expect(files.map(file => file.split('/').slice(1, 3).join('/')).sort()).toEqual(clients.sort())
  })

  test.each(files)('%s mean the same in a bundle with plain keys, of which none is computed', async file => {
    expect(withPlainKeys(readFileSync(`${root}${file}`, 'utf8'))).not.toMatch(/\[_\w+\]:/)
    const [plain, computed] = await Promise.all([bundled(file, [plainSchemaKeys]), bundled(file, [])])
    expect(Object.keys(plain)).toEqual(Object.keys(computed))
    expect(Object.keys(plain).length).toBeGreaterThan(10)
    const different = Object.keys(plain).filter(
      name => schemaText(plain[name]) !== schemaText(computed[name]),
    )
    expect(different).toEqual([])
  })
})
