import { expect, test } from 'vitest'
import { compareWords } from './compare-words.ts'

const constant = (name: string, value: string) => ({ package: 'core', name, type: '', value })
const constants = [
  constant('GroupName', 'extensions.gardener.cloud'),
  constant('Role', 'gardener.cloud/role'),
  constant('Prefix', 'networking.gardener.cloud/to-'),
  constant('Format', 'worker.gardener.cloud/%s'),
  constant('Code', 'ERR_KNOWN'),
]
const missingIn = (text: string, others: Readonly<Record<string, string>> = {}, path = 'a.ts') =>
  compareWords([{ path, text }], constants, others).map(({ subject }) => subject)

test.each([
  "'gardener.cloud/role'",
  '`gardener.cloud/$' + '{key}`',
  "'networking.gardener.cloud/to-dns'",
  '`networking.gardener.cloud/to-$' + '{network}`',
  "'worker.gardener.cloud/pool'",
  "'extensions.gardener.cloud/v1alpha1'",
  'workers.extensions.gardener.cloud/status',
  '`$' + '{plural}.extensions.gardener.cloud`',
  "'trellis.gardener.cloud/step'",
  "'/var/run/secrets/gardener.cloud/shoot'",
  'A sentence about gardener.cloud/role.',
])('%s is known', text => {
  expect(missingIn(text)).toEqual([])
})

test('another word is missing, unless another program has it', () => {
  expect(missingIn("'gardener.cloud/roles'")).toEqual(['gardener.cloud/roles in a.ts'])
  expect(missingIn("'gardener.cloud/roles'", { 'gardener.cloud/roles': 'an extension' })).toEqual([])
})

test('a word of another program that is not used or a constant is reported', () => {
  expect(missingIn('', { 'gardener.cloud/roles': 'an extension' })).toEqual([
    'gardener.cloud/roles in the words of other programs',
  ])
  expect(missingIn("'gardener.cloud/role'", { 'gardener.cloud/role': 'an extension' })).toHaveLength(1)
})

test('an error code in a page must exist', () => {
  expect(missingIn('`ERR_KNOWN` or `ERR_OTHER`', {}, 'a.md')).toEqual(['ERR_OTHER in a.md'])
  expect(missingIn('ERR_TLS')).toEqual([])
})
