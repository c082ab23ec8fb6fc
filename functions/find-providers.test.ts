import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

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

test('reads for a help nothing but the providers themselves: no SDK, no simulator', async () => {
  const { href } = new URL('find-providers.ts', import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--input-type=module', '--eval', program, href],
  ])
  const functions = fileURLToPath(new URL('.', import.meta.url))
  const read: readonly string[] = JSON.parse(stdout)
  const files = read
    .filter(url => url.startsWith('file:'))
    .map(url => fileURLToPath(url).replace(functions, ''))
  expect(files.sort()).toEqual(['aws/provider.ts', 'aws/provider/furnished-zone.ts', 'find-providers.ts'])
  expect(read.filter(url => !url.startsWith('file:') && !url.startsWith('node:'))).toEqual([])
})
