import { execFile } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { functionFolder } from '../../functions/testing/function-folder.ts'
import { formatDefinitionProblem } from '../../shared/runtime/runtime.ts'
import { checkProviders } from '../../test/check/check-providers.ts'

const program = `
  import { registerHooks } from 'node:module'
  const read = []
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      read.push(found.url)
      return found
    },
  })
  const { findProviders } = await import(process.argv[1])
  await findProviders()
  console.log(JSON.stringify(read))
`

test('the help reads only the providers themselves: no SDK, no simulator', async () => {
  const { href } = new URL('find-providers.ts', import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--input-type=module', '--eval', program, href],
  ])
  const functions = fileURLToPath(new URL('.', import.meta.url))
  const read: readonly string[] = JSON.parse(stdout)
  const files = read
    .filter(url => url.startsWith('file:'))
    .map(url => fileURLToPath(url).replace(functions, ''))
  expect(files.sort()).toEqual([
    'aws/furnished-zone.ts',
    'aws/made-up-cluster.ts',
    'aws/provider.ts',
    'aws/reads.ts',
    'find-providers.ts',
    'local/made-up-cluster.ts',
    'local/provider.ts',
    'openstack/made-up-cluster.ts',
    'openstack/provider.ts',
  ])
  expect(read.filter(url => !url.startsWith('file:') && !url.startsWith('node:'))).toEqual([])
})

test.each([
  ['exports none', 'export const acme = {}', ':1: no export `provider`'],
  ['throws', "\nthrow new Error('out of order')", ':2: cannot load the file: out of order'],
  [
    'has another name than its folder',
    "export const provider = { name: 'amce' }",
    ': provider.name: expected "acme", the name of its folder, found "amce"',
  ],
  [
    'is none',
    "export const provider = { name: 'acme', title: 'Acme', texts: {}, credentials: {}, plans: {}, plan: () => {} }",
    ': provider lacks simulate (function), connect (function), parseState (function), functionSettings (function)',
  ],
])('an error names the file and line of a provider that %s', async (_, text, message) => {
  const folder = await functionFolder({ 'acme/provider.ts': text })
  try {
    const problems = await checkProviders(pathToFileURL(`${folder.root}/`))
    expect(problems.map(formatDefinitionProblem)).toEqual([`${folder.root}/acme/provider.ts${message}`])
  } finally {
    await folder.remove()
  }
})

test('the providers of this repository have no errors', async () => {
  expect(await checkProviders()).toEqual([])
})
