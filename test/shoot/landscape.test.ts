import { expect, test } from 'vitest'
import { secretErrors } from '../../functions/aws/webhooks/credentials/secret-errors.ts'
import { landscape, seeds } from '../../sandbox/providers/aws/demo/whole-shoot.ts'

test('the admission of AWS accepts the credentials of the demo', () => {
  const all = [
    landscape.credentials,
    landscape.dns.credentials,
    ...Object.values(seeds).map(({ backup }) => backup.credentials),
  ]
  for (const credentials of all) {
    const data = Object.fromEntries(
      Object.entries(credentials).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
    )
    expect(secretErrors({ metadata: {}, data })).toEqual([])
  }
})
