import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createSteppedSeed,
  functionPromises,
  readExample,
  virtualClock,
} from '@trellis-gardener/trellis/testing'
import { fakeAcme } from './fake-acme.ts'
import { definition } from './function.ts'

const example = await readExample(new URL('example.yaml', import.meta.url))
const made = ['networks/rose', 'gateways/rose']

test('the status has the data for the Worker, and steps wait for the gateway', async t => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const cloud = await fakeAcme({ clock })
  t.after(() => cloud.close())
  const seed = createSteppedSeed({ definition, objects: example.beside, clock, cloud })
  t.after(() => seed.close())
  const { lastOperation, egressCIDRs, providerStatus } = Object(await seed.apply(example.object)).status
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.deepEqual(egressCIDRs, ['203.0.113.7/32'])
  assert.equal(providerStatus.network, 'networks-2')
})

for (const { promise, hold } of functionPromises({ definition, example, cloud: fakeAcme, made }))
  test(promise, hold)
