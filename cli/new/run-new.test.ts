import { expect, test } from 'vitest'
import { runNew } from './run-new.ts'

test.each([
  ['acme/dnsrecord', {}],
  ['acme/extension', { secondary: true }],
])('references are refused for %s %j, whose template has none', async (target, options) => {
  await expect(runNew(target, undefined, { ...options, references: true, yes: true })).rejects.toThrow(
    '--references is for a primary function of Extensions: trellis new acme/extension',
  )
})
