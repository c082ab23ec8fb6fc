import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readObjects } from './read-objects.ts'

const read = (text: string) => readObjects('-', Readable.from([text]) as NodeJS.ReadableStream)
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'

test('the last of several equal keys counts, as for API servers', async () => {
  expect(await read(`${head}data: {a: x, a: z}\n`)).toMatchObject([{ data: { a: 'z' } }])
})

test('a file with very many keys is read without a search for equal ones', async () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `  key${index}: v`).join('\n')
  const [object] = await read(`${head}data:\n${keys}\n`)
  expect(Object.keys(Object(object).data)).toHaveLength(20_000)
})

test.each([
  ['a list', `${head}data: ${'['.repeat(600)}${']'.repeat(600)}`],
  ['a map', `${head}data: ${'{a: '.repeat(600)}1${'}'.repeat(600)}`],
  ['a list that exhausts the stack', `${head}data: ${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  [
    'JSON',
    `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"x":${'{"a":'.repeat(600)}1${'}'.repeat(600)}}`,
  ],
])('a file that is too deep is refused with the limit: %s', async (_, text) => {
  await expect(read(text)).rejects.toThrow(
    /^stdin.*: not valid YAML \(more than 500 levels of maps and lists\)$/,
  )
})
