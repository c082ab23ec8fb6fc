import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { withPlainKeys } from './plain-schema-keys.ts'

test('a key that is named by a text of the same module is that text', () => {
  const source = `const _xN = "xmlName";
const _n = 7;
export var A$ = [3, _xN, [[0, { [_xN]: _iI, [_n]: 1, [_other]: 2 }]]];`
  expect(withPlainKeys(source)).toBe(`const _xN = "xmlName";
const _n = 7;
export var A$ = [3, _xN, [[0, { "xmlName": _iI, [_n]: 1, [_other]: 2 }]]];`)
})

const root = new URL('..', import.meta.url).pathname
const files = ['ec2', 'iam', 'efs', 'route-53'].flatMap(client =>
  globSync(`node_modules/@aws-sdk/client-${client}/dist-es/schemas/schemas_*.js`, { cwd: root }),
)

describe('the schemas of the SDK', () => {
  test.each(files)('%s say the same with plain keys, of which none is computed any longer', file => {
    const source = readFileSync(`${root}${file}`, 'utf8')
    const plain = withPlainKeys(source)
    expect(plain).not.toMatch(/\[_\w+\]:/)
    const texts = new Map(
      [...source.matchAll(/^const (_\w+) = "(.*)";$/gm)].map(([, name, text]) => [name, text]),
    )
    const keys = [...source.matchAll(/\[(_\w+)\]:/g)].map(([, name]) => texts.get(name ?? ''))
    expect([...plain.matchAll(/(?<=[{,]\s*)"([^"]+)":/g)].map(([, text]) => text)).toEqual(keys)
  })
})
