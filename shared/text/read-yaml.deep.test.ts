import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { readYaml } from './read-yaml.ts'

const head = 'apiVersion: a/v1\nkind: B\nmetadata: {name: a}\n'

/**
 * Returns the values of kubectl, which needs no API server for a label of a local file; undefined if it refuses the
 * text.
 */
const readByKubectl = (text: string): unknown => {
  const args = ['label', '--local', '-f', '-', '-o', 'json', 'x=y']
  const { stdout, status } = spawnSync('kubectl', args, { input: `${head}${text}`, encoding: 'utf8' })
  return status === 0 ? withoutHead(JSON.parse(stdout)) : undefined
}

const readHere = (text: string): unknown => {
  const [read, ...more] = readYaml(`${head}${text}`)
  expect(more).toEqual([])
  return read !== undefined && 'value' in read ? withoutHead(read.value) : undefined
}

const withoutHead = (value: unknown): unknown => {
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = Object(value)
  return rest
}

const plain =
  '0600 0o600 0O17 -0600 0x1F 0X1F -0x10 0b101 0B11 -0b11 08 0900 08.5 1_000 1_0.5 1__0 _1 1_ 0x_0A 0x 0b 0o8 1:30 190:20:30 ' +
  '1e3 1E3 1. .5 +.5 -.5 1e+3 1.e3 .5e3 .5_0 12e 1e 1e400 . .. - + 0 00 -0 -0.0 1.10 +12 6.8523015e+5 1-2 1.2.3 2001-12-14 ' +
  '2001-12-14T21:59:43Z 2001-1-1 yes no on off y n Y N Yes YES True TRUE ON Off tRue yEs true false null Null NULL nULL ~ = 9007199254740991'

const texts: readonly string[] = [
  ...plain.split(' ').map(value => `a: ${value}`),
  ...plain.split(' ').map(value => `a: "${value}"`),
  ...plain.split(' ').map(value => `a: !!str ${value}`),
  ...['1', 'true', 'yes', '0600', '1.5', '1.0', '1e3', '1:30', '2001-01-01', '"q"', 'null', '~', '[a]'].map(
    key => `a: {${key}: b}`,
  ),
  'a:',
  'a: .inf',
  'a: -.Inf',
  'a: .nan',
  'a: &b {x: 1, z: 2}\nc: {z: 3, <<: *b}\nd: {<<: *b, z: 3}',
  'a: &b {x: 1, z: 2}\nc: &c {z: 9, w: 1}\nd: {<<: [*b, *c]}\ne: *c',
  'a: {<<: {x: 1}, <<: {x: 2}}',
  'a: {<<: 3}',
  'a: {<<: [3]}',
  'a: {"<<": {x: 1}}',
  'a: 1\na: 2',
  'a: {b: 1, b: 2}',
  'a: &x [*x]',
  'a: *nowhere',
  'a: !foo bar',
  'a: !!set {x, y}',
  'a: !!binary aGVsbG8=',
  'a: !!binary "%%"',
  'a: !!int "3"',
  'a: !!int x',
  'a: !!float 3',
  'a: !!bool yes',
  'a: !!bool 1',
  'a: !!null ""',
  'a: !!timestamp 2001-01-01',
  'a: !!str',
  'a: "\\q"',
  'a: "a\\x41\\u263A\\\n  b"',
  'a: b: c',
  'a:\t1',
  'a: |\n  a\n   b\nb: >-\n  a\n  b\n\n  c',
  'a: b\n  c',
  "a: 'it''s'",
  'a: {__proto__: {b: 1}}',
  'a: [1, [2, {b: c}]]',
  '# nothing',
]

describe.skipIf(spawnSync('kubectl', ['version', '--client']).status !== 0)(
  'YAML is read as kubectl reads it (skipped without kubectl)',
  () => {
    test.each(texts)('%j', text => {
      expect(readHere(text)).toEqual(readByKubectl(text))
    })
  },
)

test('JSON is read as it is', () => {
  const value = { a: ['0600', 600, true, null, { b: '\t"\u2028' }] }
  expect(readYaml(JSON.stringify(value))).toEqual([{ value }])
  expect(readYaml(JSON.stringify(value, undefined, 2))).toEqual([{ value }])
})

test('each document has its own value or problem', () => {
  expect(readYaml('a: 1\n---\n---\na: [\n')).toEqual([
    { value: { a: 1 } },
    { value: null },
    { problem: expect.any(String) },
  ])
})

describe('a text that is made to harm', () => {
  test('is read once, not once for each of its aliases', () => {
    const aliases = '*x, '.repeat(100_000)
    expect(readYaml(`a: &x 1\nb: [${aliases}]\nc: [&x 2, *x]`)).toEqual([
      { value: { a: 1, b: Array(100_000).fill(1), c: [2, 2] } },
    ])
  })

  test('is refused if its aliases multiply', () => {
    const lines = Array.from(
      { length: 12 },
      (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join()}]`,
    )
    expect(readYaml(['a0: &a0 x', ...lines].join('\n'))).toEqual([
      { problem: expect.stringMatching(/values/) },
    ])
  })

  test('is refused if it is nested too deeply', () => {
    for (const depth of [600, 100_000])
      expect(readYaml(`${'['.repeat(depth)}${']'.repeat(depth)}`)).toEqual([
        { problem: expect.stringMatching(/more than 500 levels/) },
      ])
  })
})
