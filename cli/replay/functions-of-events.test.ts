import { describe, expect, test } from 'vitest'
import { findFunctions } from '../../functions/find-functions.ts'
import { functionsOfEvents } from './functions-of-events.ts'

const all = await findFunctions()
const namesOf = (functions: readonly { readonly name: string }[]) => functions.map(({ name }) => name)
const event = (kind: string, provider: string, extclass = 'shoot') => ({ kind, provider, extclass }) as never

describe('the functions of events', () => {
  test.each([
    ['DNSRecord', 'aws-route53', ['aws-dnsrecord']],
    ['Infrastructure', 'aws', ['aws-infrastructure']],
    ['Infrastructure', 'local', ['local-infrastructure']],
    ['Network', 'calico', ['calico-network']],
    ['OperatingSystemConfig', 'suse-chost', ['suse-chost-operatingsystemconfig']],
    ['OperatingSystemConfig', 'ubuntu', ['ubuntu-operatingsystemconfig']],
  ])('are only the one that serves %s of type %s', async (kind, provider, names) => {
    expect(namesOf(await functionsOfEvents([event(kind, provider)], undefined, undefined, []))).toEqual(names)
  })

  test('include the one that serves any kind, type and class of this version', async () => {
    for (const { name, kind, types, classes } of all)
      for (const type of types)
        for (const of of classes)
          expect(
            namesOf(await functionsOfEvents([event(kind, type, of)], undefined, undefined, [])),
          ).toContain(name)
  })

  test('are those of each event of a file', async () => {
    const events = [event('DNSRecord', 'aws-route53'), event('Worker', 'aws')]
    expect(namesOf(await functionsOfEvents(events, undefined, undefined, []))).toEqual([
      'aws-dnsrecord',
      'aws-worker',
    ])
  })

  test('are only the named one', async () => {
    const events = [event('DNSRecord', 'anything')]
    expect(namesOf(await functionsOfEvents(events, 'aws-dnsrecord', undefined, []))).toEqual([
      'aws-dnsrecord',
    ])
  })

  test('are all for an event that no function serves, so that the message can name them', async () => {
    for (const [one, named] of [
      [event('DNSRecord', 'nowhere'), undefined],
      [event('DNSRecord', 'aws-route53'), 'unknown'],
      [event('Worker', 'aws'), 'aws-dnsrecord'],
    ] as const)
      expect(namesOf(await functionsOfEvents([one], named, undefined, []))).toEqual(namesOf(all))
  })

  test('are none of this version if functions of another folder serve every event', async () => {
    const given = all.filter(({ name }) => name === 'aws-dnsrecord')
    expect(await functionsOfEvents([event('DNSRecord', 'aws-route53')], undefined, undefined, given)).toEqual(
      [],
    )
  })
})
