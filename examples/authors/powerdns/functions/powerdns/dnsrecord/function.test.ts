import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSteppedSeed, functionPromises, readExample } from '@trellis-gardener/trellis/testing'
import { fakePowerDns } from './fake-powerdns.ts'
import { definition } from './function.ts'

const example = await readExample(new URL('example.yaml', import.meta.url))
const made = ['A api.rose.example.com.']

test('the record is in the zone of the status', async t => {
  const cloud = await fakePowerDns()
  t.after(() => cloud.close())
  const seed = createSteppedSeed({ definition, objects: example.beside, cloud })
  t.after(() => seed.close())
  const { lastOperation, zone } = Object(await seed.apply(example.object)).status
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  assert.equal(zone, 'example.com.')
  assert.equal((await cloud.things(seed.kubernetes)).length, 2)
})

test('a wrong API key is an error that the user must fix', async t => {
  const cloud = await fakePowerDns()
  t.after(() => cloud.close())
  const seed = createSteppedSeed({
    definition,
    objects: example.beside,
    cloud: { ...cloud, secret: { ...cloud.secret, apiKey: 'wrong' } },
  })
  t.after(() => seed.close())
  const { lastError } = Object(await seed.apply(example.object)).status
  assert.deepEqual(lastError.codes, ['ERR_INFRA_UNAUTHENTICATED'])
})

for (const { promise, hold } of functionPromises({ definition, example, cloud: () => fakePowerDns(), made }))
  test(promise, hold)
