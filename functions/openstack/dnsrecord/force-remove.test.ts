import { expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/clock.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { noKubernetes } from '../../../shared/lifecycle/testing/no-kubernetes.ts'
import { secretData } from '../provider/testing/served-cloud.ts'
import { designateActuator } from './actuator.ts'
import { designateCloud } from './testing/designate-cloud.ts'
import { recordOf, recordSeed } from './testing/record-seed.ts'

const setUp = async () => {
  const designate = designateCloud()
  const seed = recordSeed(designate)
  await seed.apply()
  const object = (await seed.one.live()) as DNSRecord
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const clock = virtualClock(0)
  const actuator = designateActuator({ connection: designate.connection, clock })
  const forceRemove = (given: DNSRecord = object, hasSecret = true) =>
    actuator.forceRemove?.({
      object: given,
      operation: 'Delete',
      cluster: undefined,
      secret: undefined,
      findSecret: async () =>
        hasSecret ? { name: 'dns', namespace: 'shoot--foo--bar', labels: {}, data: secretData } : undefined,
      signal: new AbortController().signal,
      throwIfExpired: () => {},
      kubernetes: noKubernetes,
      clock,
      log,
      saveStatus: async () => {},
    })
  return { ...designate, object, actuator, clock, forceRemove }
}

test('a forced deletion deletes the record as usual', async () => {
  const { forceRemove, sets } = await setUp()
  expect(await forceRemove()).toEqual({ kind: 'done' })
  expect(sets()).toEqual([])
})

test('a forced deletion names the record that its credentials do not reach', async () => {
  const { forceRemove, zones, state, object, actuator } = await setUp()
  const things = [`A record api.example.com in the zone ${zones[0]?.id}`]
  state.project = 'project-2'
  expect(await forceRemove()).toMatchObject({
    orphans: { why: expect.stringContaining('project-1'), things },
  })
  expect(actuator.orphans?.({ object, cluster: undefined })).toEqual(things)
  expect(actuator.orphans?.({ object: recordOf(), cluster: undefined })).toEqual(['A record api.example.com'])
})

test('a forced deletion ends without its Secret, and of an object that violates its schema', async () => {
  const { forceRemove, object } = await setUp()
  expect(await forceRemove(object, false)).toMatchObject({
    orphans: { why: 'the Secret of spec.secretRef is missing or malformed' },
  })
  const broken = { ...object, spec: { ...object.spec, values: 'x' } } as unknown as DNSRecord
  expect(await forceRemove(broken)).toMatchObject({
    orphans: { why: expect.stringContaining('spec.values') },
  })
})

test('a forced deletion retries a temporary failure', async () => {
  const { forceRemove, faults } = await setUp()
  faults.push({
    call: 'DELETE',
    answer: { status: 409, body: { code: 409, type: 'conflict', message: 'busy' } },
  })
  await expect(forceRemove()).rejects.toThrow('busy')
})
