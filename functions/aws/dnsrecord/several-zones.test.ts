import { describe, expect, test } from 'vitest'
import { addHostedZone, createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { editedLists } from './testing/edited-lists.ts'
import { recordLife } from './testing/record-life.ts'
import { route53Account } from './testing/route53-account.ts'

type ZoneToAdd = Parameters<typeof addHostedZone>[1]

const vpcs = [{ VPCId: 'vpc-1', VPCRegion: 'eu-west-1' as const }]
const example = (id: string, isPrivate = false): ZoneToAdd => ({
  id,
  name: 'example.com',
  ...(isPrivate && { vpcs }),
})

/** An account with these zones. Lists of zones are reversed if `isReversed`. */
const setUp = (zones: readonly ZoneToAdd[], spec: object = {}) => {
  const aws = createAws()
  for (const zone of zones) addHostedZone(aws.account(), zone)
  const list = { isReversed: false }
  const requestHandler = editedLists(aws.requestHandler, {
    HostedZone: all => (list.isReversed ? all.toReversed() : all),
  })
  const life = recordLife({ ...aws, requestHandler }, spec)
  const account = route53Account(aws)
  const zonesOf = async () => {
    const found: string[] = []
    for (const { id } of zones) if ((await account.records(id)).length > 0) found.push(id)
    return found
  }
  return { aws, account, life, list, zonesOf }
}

const conditionOf = (result: object) =>
  'conditions' in result
    ? (result.conditions as Record<string, { message?: string }>).SeveralHostedZones
    : undefined

describe('of several zones of the same name', () => {
  test.each<[string, ZoneToAdd[], string]>([
    ['the public one before a private one', [example('ZB'), example('ZA', true)], 'ZB'],
    ['the public one after a private one', [example('ZA', true), example('ZB')], 'ZB'],
    ['the lowest id of public ones', [example('ZC'), example('ZB'), example('ZA', true)], 'ZB'],
    ['the lowest id of private ones', [example('ZC', true), example('ZB', true)], 'ZB'],
  ])('%s gets the record in every order of the list', async (_, zones, id) => {
    for (const isReversed of [false, true]) {
      const { life, list, zonesOf } = setUp(zones)
      list.isReversed = isReversed
      await life.until('reconcile')
      expect(await zonesOf()).toEqual([id])
      expect(life.object().status?.zone).toBe(id)
    }
  })

  test('the choice, the others and the way to another choice are in the log and in a condition', async () => {
    const { life } = setUp([example('ZB'), example('ZA', true)])
    const message =
      'api.example.com is in hosted zone ZB. The account has 2 zones of this name: ZB (public), ZA (private). Set spec.zone to choose another one.'
    expect(conditionOf(await life.until('reconcile'))).toMatchObject({ status: 'True', message })
    expect(life.lines).toContainEqual(
      expect.objectContaining({
        message: 'several hosted zones have the same name; set spec.zone to choose another one',
        zone: 'ZB',
        among: ['ZB (public)', 'ZA (private)'],
      }),
    )
  })

  test('the condition stays until spec.zone makes the choice', async () => {
    const { life } = setUp([example('ZB'), example('ZA', true)])
    await life.until('reconcile')
    const unchanged = await life.until('reconcile')
    expect('conditions' in unchanged && 'SeveralHostedZones' in (unchanged.conditions ?? {})).toBe(false)
    life.change({ zone: 'ZA' })
    const chosen = await life.until('reconcile')
    expect('conditions' in chosen && chosen.conditions).toHaveProperty('SeveralHostedZones', undefined)
  })

  test('one with a longer name is no choice', async () => {
    const { life, zonesOf } = setUp([example('ZB'), { name: 'api.example.com', id: 'ZA', vpcs }])
    expect(conditionOf(await life.until('reconcile'))).toBeUndefined()
    expect(await zonesOf()).toEqual(['ZA'])
  })

  test('a record stays where it is when the order of the list changes, or a zone is added', async () => {
    const { aws, life, list, zonesOf } = setUp([example('ZB', true)])
    await life.until('reconcile')
    addHostedZone(aws.account(), example('ZA'))
    for (const isReversed of [true, false]) {
      list.isReversed = isReversed
      await life.until('reconcile')
      expect(await zonesOf()).toEqual(['ZB'])
    }
  })

  test('a record stays where it is in another seed', async () => {
    const { aws, life, zonesOf } = setUp([example('ZB', true)])
    await life.until('reconcile')
    addHostedZone(aws.account(), example('ZA'))
    await life.until('migrate')
    life.moveToOtherSeed()
    await life.until('restore')
    expect(await zonesOf()).toEqual(['ZB'])
    expect(life.object().status?.zone).toBe('ZB')
    await life.until('remove')
    expect(await zonesOf()).toEqual([])
  })

  test('a record of an earlier version stays where it is in another seed', async () => {
    const { aws, life, zonesOf } = setUp([example('ZB', true)])
    await life.until('reconcile')
    life.forgetState()
    addHostedZone(aws.account(), example('ZA'))
    await life.until('migrate')
    life.moveToOtherSeed()
    await life.until('restore')
    expect(await zonesOf()).toEqual(['ZB'])
  })

  test.each(['crash before', 'crash after', 'answer lost'] as const)(
    'a record whose first change had the fate "%s" does not stay in a zone that another choice left',
    async fate => {
      for (let at = 0; at < 4; at++) {
        const { aws, account, life, zonesOf } = setUp([example('ZB')])
        life.strike({ at, fate })
        await life.step('reconcile')
        life.strike(undefined)
        addHostedZone(aws.account(), example('ZA'))
        await life.until('reconcile')
        expect((await zonesOf()).length + (await account.records('ZA')).length).toBe(1)
        await life.until('remove')
        expect([...(await zonesOf()), ...(await account.records('ZA'))]).toEqual([])
      }
    },
  )
})

test('a deletion leaves a record of others in a zone that no step was about to change', async () => {
  const { account, life, zonesOf } = setUp([example('ZA'), example('ZB')], { zone: 'ZA' })
  await life.until('reconcile')
  await account.change('ZB', {
    Action: 'CREATE',
    ResourceRecordSet: {
      Name: 'api.example.com',
      Type: 'A',
      TTL: 1,
      ResourceRecords: [{ Value: '9.9.9.9' }],
    },
  })
  life.change({ zone: 'ZB' })
  await life.until('remove')
  expect(await zonesOf()).toEqual(['ZB'])
})

test('a wrong spec.zone can be removed, and is forgotten', async () => {
  const { life, zonesOf } = setUp([example('ZA')], { zone: 'ZWRONG' })
  expect(await life.step('reconcile')).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
  life.change({ zone: undefined })
  await life.until('reconcile')
  expect(await zonesOf()).toEqual(['ZA'])
  expect(life.object().status?.state).toMatchObject({ zones: ['ZA'] })
})
