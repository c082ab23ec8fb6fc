import { beforeAll, describe, expect, test } from 'vitest'
import { accountContents, withoutIds } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { stepsOver } from '../../functions/aws/infrastructure/testing/steps.ts'
import { recordedShoots } from '../../sandbox/providers/aws/simulator/ec2/testing/recording.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { Infrastructure } from '../../shared/contract/objects.ts'
import { dataOf, madeByGo, recordedObject, withoutOwnKeys } from './recorded-shoot.ts'

const partsOf = ({ metadata, spec, status }: Infrastructure) => ({ metadata, spec, status })

/** The emulator assigns its own addresses. */
const withoutAddresses = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replace(/\b\d+\.\d+\.\d+\.\d+\/32\b/g, 'address')) as T

const sortedSubnets = (status: Infrastructure['status']) => {
  const { vpc, ...rest } = (status?.providerStatus ?? {}) as { vpc?: { subnets?: { id: string }[] } }
  const subnets = [...(vpc?.subnets ?? [])].sort((one, other) => (one.id < other.id ? -1 : 1))
  return { ...rest, vpc: { ...vpc, subnets } }
}

const shoots = recordedShoots.map(name => name.replace('infrastructure/', ''))

describe.each(shoots)('the shoot %s of the Go extension', file => {
  let go: Awaited<ReturnType<typeof madeByGo>>
  beforeAll(async () => {
    go = await madeByGo(file)
  })

  test('is adopted without a change, with the same state and status, and can be deleted', async () => {
    const { aws, clock, object } = go
    const { until, status } = stepsOver(aws.requestHandler, clock, partsOf(object))
    aws.calls.clear()
    await until('reconcile')
    expect(aws.calls.all().filter(({ action }) => !/^(?:Describe|Get|List)/.test(action))).toEqual([])
    expect(withoutAddresses(withoutOwnKeys(status()).state)).toEqual(withoutAddresses(object.status?.state))
    expect(sortedSubnets(status())).toEqual(sortedSubnets(object.status))
    expect(status().networking).toEqual(object.status?.networking)
    expect(withoutAddresses(status().egressCIDRs)).toEqual(withoutAddresses(object.status?.egressCIDRs))

    await until('remove')
    expect(withoutIds(await accountContents(aws.requestHandler))).toEqual(
      withoutIds(await accountContents(shuffledAws({ clock }).requestHandler)),
    )
  })

  test('has, when created here, the state and the status with which the Go extension continues', async () => {
    const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
    const { metadata, spec, status: made } = recordedObject(file)
    const { until, status } = stepsOver(shuffledAws({ clock }).requestHandler, clock, { metadata, spec })
    await until('reconcile')
    const kindOf = (value: string) => value.replace(/[0-9a-f]{17}|\d+\.\d+\.\d+\.\d+\/32/g, '…')
    const shapeOf = (data: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(data)
          .filter(([key]) => key !== 'KeyPairFingerprint')
          .map(([key, value]) => [key, kindOf(value)]),
      )
    expect(shapeOf(dataOf(withoutOwnKeys(status())))).toEqual(shapeOf(dataOf(made)))
    expect(Object.keys(status()).sort()).toEqual(
      Object.keys(made ?? {})
        .filter(key => key !== 'lastOperation' && key !== 'observedGeneration')
        .sort(),
    )
  })
})
