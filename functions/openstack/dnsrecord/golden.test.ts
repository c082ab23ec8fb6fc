import { describe, expect, test } from 'vitest'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { designateCloud } from './testing/designate-cloud.ts'
import { recordSeed } from './testing/record-seed.ts'

type Spec = Partial<DNSRecord['spec']>

/** Recorded of the Go extension `97400dd0`: the spec, and the body of its POST. */
const recorded: Readonly<Record<string, readonly [Spec, object]>> = {
  a: [
    { name: 'a.example.com', values: ['1.2.3.4'] },
    { name: 'a.example.com.', records: ['1.2.3.4'], ttl: 120, type: 'A' },
  ],
  aaaa: [
    { name: 'aaaa.example.com', recordType: 'AAAA', values: ['2001:db8::1'] },
    { name: 'aaaa.example.com.', records: ['2001:db8::1'], ttl: 120, type: 'AAAA' },
  ],
  cname: [
    { name: 'cname.example.com', recordType: 'CNAME', values: ['target.example.net'] },
    { name: 'cname.example.com.', records: ['target.example.net.'], ttl: 120, type: 'CNAME' },
  ],
  txt: [
    { name: 'txt2.example.com', recordType: 'TXT', values: ['plain'] },
    { name: 'txt2.example.com.', records: ['plain'], ttl: 120, type: 'TXT' },
  ],
  wildcard: [
    { name: '*.ingress.example.com', values: ['1.2.3.4'] },
    { name: '*.ingress.example.com.', records: ['1.2.3.4'], ttl: 120, type: 'A' },
  ],
  'longest-zone': [
    { name: 'api.sub.example.com', values: ['1.2.3.4'] },
    { name: 'api.sub.example.com.', records: ['1.2.3.4'], ttl: 120, type: 'A' },
  ],
}

describe.each(Object.entries(recorded))('the recorded record %s', (_, [spec, body]) => {
  test('is created with the request of the Go extension', async () => {
    const designate = designateCloud(['example.com.', 'sub.example.com.'])
    const { lastOperation } = await recordSeed(designate).apply(spec)
    expect(lastOperation.state).toBe('Succeeded')
    expect(designate.bodies.map(text => JSON.parse(text))).toEqual([body])
  })

  test('is taken over without a write and without a change of its zone', async () => {
    const designate = designateCloud(['example.com.', 'sub.example.com.'])
    const zone = designate.zones.find(({ name }) => name === 'sub.example.com.')
    if (zone === undefined) throw new Error('no zone')
    designate.addSet(zone, body)
    const before = designate.sets()
    expect((await recordSeed(designate).apply({ ...spec, zone: zone.id })).zone).toBe(zone.id)
    expect(designate.bodies).toEqual([])
    expect(designate.sets()).toEqual(before)
  })
})
