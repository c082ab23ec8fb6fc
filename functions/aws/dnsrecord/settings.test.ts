import { expect, test } from 'vitest'
import { describeSettings, parseSettings, SettingsError } from '../../../shared/runtime/runtime.ts'
import { dnsRecordSettings } from './settings.ts'

test('the rate limit defaults to that of the Go extension', () => {
  expect(parseSettings(dnsRecordSettings, { env: {} })).toEqual({
    clientQps: 1,
    clientBurst: 5,
    waitTimeoutMs: 2_000,
  })
})

test.each([
  ['TRELLIS_CLIENT_QPS', '0'],
  ['TRELLIS_CLIENT_BURST', '1'],
  ['TRELLIS_WAIT_TIMEOUT_MS', '-1'],
])('%s=%s is refused', (name, value) => {
  expect(() => parseSettings(dnsRecordSettings, { env: { [name]: value } })).toThrow(SettingsError)
})

test('every setting has a description', () => {
  expect(describeSettings(dnsRecordSettings).map(row => row.flag)).toEqual([
    '--client-qps',
    '--client-burst',
    '--wait-timeout-ms',
  ])
})
