import { expect, test } from 'vitest'
import { describeSettings, parseSettings } from '../../../shared/runtime/runtime.ts'
import { dnsRecordSettings } from './settings.ts'

test('there are no settings', () => {
  expect(parseSettings(dnsRecordSettings, { env: {} })).toEqual({})
  expect(describeSettings(dnsRecordSettings)).toEqual([])
})

test.each(['TRELLIS_CLIENT_QPS', 'TRELLIS_CLIENT_BURST', 'TRELLIS_WAIT_TIMEOUT_MS'])(
  '%s of an earlier version is refused with the reason',
  name => {
    expect(() => parseSettings(dnsRecordSettings, { env: { [name]: '5' } })).toThrow(
      `${name} no longer exists: the rate of Route 53 calls adapts to the limit of the account. Remove it`,
    )
  },
)
