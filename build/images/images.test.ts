import { expect, test } from 'vitest'
import { findPrograms } from './images.ts'

test('each program has a unique name: functions, all of a provider in one, the bridge, the webhooks, the seed process', async () => {
  const names = (await findPrograms()).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(expect.arrayContaining(['aws-dnsrecord', 'aws-compact', 'bridge', 'webhook', 'seed']))
})
