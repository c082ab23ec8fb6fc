import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { givenValues } from './given-values.ts'

const valuesOf = async (text: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'values-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const values = join(folder, 'values.yaml')
  await writeFile(values, text)
  return givenValues({ values }, { functions: [], components: [] } as never)
}

test.each([
  ['lists', `a: ${'['.repeat(600)}${']'.repeat(600)}`],
  ['maps', `a: ${'{a: '.repeat(600)}1${'}'.repeat(600)}`],
  ['lists that exhaust the stack', `a: ${'['.repeat(100_000)}${']'.repeat(100_000)}`],
])('values with too many levels are refused with the limit: %s', async (_, text) => {
  await expect(valuesOf(text)).rejects.toThrow(
    /values\.yaml is not valid YAML \(more than 500 levels of maps and lists\)$/,
  )
})

test('of equal keys in values the last one counts', async () => {
  expect(await valuesOf('logLevel: info\nlogLevel: debug\n')).toMatchObject({ logLevel: 'debug' })
})
