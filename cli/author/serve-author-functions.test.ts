import { expect, test } from 'vitest'
import { ownFunctions } from './serve-author-functions.ts'

test('a function of an author takes the place of the one of the same provider and kind', async () => {
  const names = (await ownFunctions(['/elsewhere/functions/local/dnsrecord/function.ts'])).map(
    ({ name }) => name,
  )
  expect(names).not.toContain('local-dnsrecord')
  expect(names).toEqual(expect.arrayContaining(['aws-dnsrecord', 'local-backupentry']))
})
