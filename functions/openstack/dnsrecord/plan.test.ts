import { describe, expect, test } from 'vitest'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { secretData } from '../provider/testing/served-cloud.ts'
import { planDnsRecord } from './plan.ts'
import { designateCloud } from './testing/designate-cloud.ts'
import { recordOf, recordSeed } from './testing/record-seed.ts'

const setUp = () => {
  const designate = designateCloud()
  const [zone] = designate.zones
  if (zone === undefined) throw new Error('no zone')
  const seed = recordSeed(designate)
  const plan = (object: DNSRecord, destroy = false) =>
    planDnsRecord({
      object,
      secret: { name: 'dns', namespace: 'shoot--foo--bar', labels: {}, data: secretData },
      connection: designate.connection,
      clock: seed.clock,
      signal: new AbortController().signal,
      destroy,
    })
  return { ...designate, zone, seed, plan }
}

describe('a plan of a record', () => {
  test('has the change of the next step, and changes nothing', async () => {
    const { zone, plan, addSet, bodies } = setUp()
    const sentence = 'create A api.example.com. with 1.2.3.4'
    expect(await plan(recordOf())).toMatchObject({ zone: zone.id, actions: [{ kind: 'create', sentence }] })
    addSet(zone, {})
    expect(await plan(recordOf())).toEqual({ zone: zone.id, actions: [] })
    expect(await plan(recordOf({ ttl: 60 }))).toMatchObject({ actions: [{ kind: 'update' }] })
    expect(bodies).toEqual([])
  })

  test('has the removal from every zone that may contain it', async () => {
    const { zone, plan, seed, addZone, addSet } = setUp()
    await seed.apply()
    const other = addZone('api.example.com.')
    addSet(other, {})
    const live = (await seed.one.live()) as DNSRecord
    const sentence = 'delete A api.example.com. with 1.2.3.4'
    expect(await plan({ ...live, spec: { ...live.spec, zone: other.id } })).toMatchObject({
      zone: other.id,
      actions: [{ kind: 'delete', sentence }],
    })
    expect(await plan(live, true)).toMatchObject({ zone: zone.id, actions: [{ kind: 'delete', sentence }] })
  })

  test('throws the error of the step', async () => {
    const { plan } = setUp()
    await expect(plan(recordOf({ name: 'api.example.org' }))).rejects.toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
    })
  })
})
