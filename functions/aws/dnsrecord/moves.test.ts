import { describe, expect, test } from 'vitest'
import { addHostedZone, createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { denyZones } from './testing/denied-zones.ts'
import { first, second, zones, zonesOf } from './testing/moves.ts'
import { recordLife } from './testing/record-life.ts'
import { route53Account } from './testing/route53-account.ts'
import { secretAccessKey } from './testing/steps.ts'

describe('a former zone without access', () => {
  /** A record that moved to the second zone, with a handler that may deny the first one. */
  const moving = async () => {
    const aws = createAws()
    for (const id of zones) addHostedZone(aws.account(), { name: 'example.com', id })
    const denied = { ids: [] as string[] }
    const requestHandler: typeof aws.requestHandler = {
      ...aws.requestHandler,
      handle: (...request) => denyZones(aws.requestHandler, ...denied.ids).handle(...request),
    }
    const account = route53Account(aws)
    const life = recordLife({ ...aws, requestHandler }, { zone: first })
    await life.until('reconcile')
    life.change({ zone: second })
    return { aws, account, life, denied }
  }

  test('is not forgotten while the account has it: a permission is missing', async () => {
    const world = await moving()
    const { life, denied } = world
    denied.ids = [first]
    for (let count = 0; count < 3; count++)
      expect(await life.step('reconcile')).toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
    expect(life.object().status?.state).toMatchObject({ zones: [first, second] })
    denied.ids = []
    await life.until('reconcile')
    expect(await zonesOf(world)).toEqual([second])
    expect(life.object().status?.state).toMatchObject({ zones: [second] })
  })

  test('is not forgotten while the zones of the account cannot be listed', async () => {
    const { aws, life, denied } = await moving()
    denied.ids = [first]
    aws.account().register({
      accessKeyId: 'AKIAEXAMPLE',
      secretAccessKey,
      allow: ['route53:ListResourceRecordSets', 'route53:ChangeResourceRecordSets'],
    })
    expect(await life.step('reconcile')).toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
    expect(life.object().status?.state).toMatchObject({ zones: [first, second] })
  })

  test('is forgotten if it is not in the account, and a condition and the log say so', async () => {
    const { account, life, denied } = await moving()
    denied.ids = [first]
    await account.change(first, {
      Action: 'DELETE',
      ResourceRecordSet: {
        Name: 'api.example.com',
        Type: 'A',
        TTL: 120,
        ResourceRecords: [{ Value: '1.2.3.4' }],
      },
    })
    await account.deleteZone(first)
    const result = await life.until('reconcile')
    expect(life.object().status?.state).toMatchObject({ zones: [second] })
    expect('conditions' in result && result.conditions?.ResourcesLeftAlone).toMatchObject({
      status: 'True',
      message: expect.stringContaining(
        `api.example.com may still exist in hosted zone ${first}, which is not in the account`,
      ),
    })
    expect(life.lines).toContainEqual(expect.objectContaining({ zones: [first] }))
    const next = await life.until('reconcile')
    expect('conditions' in next && next.conditions).toHaveProperty('ResourcesLeftAlone', undefined)
  })

  test('is not forgotten by a deletion if it is the current one', async () => {
    const { life, denied } = await moving()
    await life.until('reconcile')
    denied.ids = [second]
    expect(await life.step('remove')).toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
    denied.ids = []
    await life.until('remove')
  })

  test('that is not found once is not forgotten while the account has it', async () => {
    const world = await moving()
    const { aws, life } = world
    await life.until('reconcile')
    aws.faults.add({
      service: 'route53',
      action: 'ListResourceRecordSets',
      effect: {
        kind: 'error',
        code: 'NoSuchHostedZone',
        status: 404,
        message: 'No hosted zone found with ID: Z',
      },
    })
    expect(await life.step('remove')).toBeInstanceOf(Error)
    await life.until('remove')
    expect(await zonesOf(world)).toEqual([])
  })

  test('is gone if it is not found and its user may not list zones', async () => {
    const { aws, life } = await moving()
    aws.account().register({
      accessKeyId: 'AKIAEXAMPLE',
      secretAccessKey,
      allow: ['route53:ListResourceRecordSets', 'route53:ChangeResourceRecordSets'],
    })
    life.change({ zone: 'ZGONE' })
    await life.step('reconcile')
    life.change({ zone: second })
    await life.until('reconcile')
    expect(life.object().status?.state).toMatchObject({ zones: [second] })
  })
})
