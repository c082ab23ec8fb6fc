import { expect } from 'vitest'
import { addHostedZone, createAws } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { type Fate, recordLife } from './record-life.ts'
import { route53Account } from './route53-account.ts'

export const [first, second, third] = ['ZFIRST', 'ZSECOND', 'ZTHIRD'] as const
export const zones = [first, second, third]

/** An account with three zones of one name, and a record in the first. */
const begin = async (spec: object = {}) => {
  const aws = createAws()
  for (const id of zones) addHostedZone(aws.account(), { name: 'example.com', id })
  const account = route53Account(aws)
  const life = recordLife(aws, { zone: first, ...spec })
  await life.until('reconcile')
  return { aws, account, life }
}

/** Returns the zones that contain the record. */
export const zonesOf = async ({ account }: Pick<Awaited<ReturnType<typeof begin>>, 'account'>) => {
  const found: string[] = []
  for (const id of zones) if ((await account.records(id)).length > 0) found.push(id)
  return found
}

type World = Awaited<ReturnType<typeof begin>>

/** A user's action after a fault in the middle of a move, and the zone that contains the record then. */
export const sequels: Readonly<
  Record<string, { readonly next: (world: World) => Promise<unknown>; readonly zone?: string }>
> = {
  'the move is repeated': { next: ({ life }) => life.until('reconcile'), zone: second },
  'the zone changes again': {
    next: ({ life }) => {
      life.change({ zone: third })
      return life.until('reconcile')
    },
    zone: third,
  },
  'the zone changes back': {
    next: ({ life }) => {
      life.change({ zone: first })
      return life.until('reconcile')
    },
    zone: first,
  },
  'the zone changes again and again': {
    next: async ({ life }) => {
      life.change({ zone: third })
      await life.step('reconcile')
      life.change({ zone: second })
      await life.until('reconcile')
    },
    zone: second,
  },
  'the object is deleted': { next: ({ life }) => life.until('remove') },
  'the object is deleted by force': { next: ({ life }) => life.until('forceRemove') },
  'the zone changes back and the object is deleted': {
    next: ({ life }) => {
      life.change({ zone: first })
      return life.until('remove')
    },
  },
  'the object moves to another seed': {
    next: async ({ life }) => {
      await life.until('migrate')
      life.moveToOtherSeed()
      await life.until('restore')
    },
    zone: second,
  },
  'the object moves to another seed and is deleted': {
    next: async ({ life }) => {
      await life.until('migrate')
      life.moveToOtherSeed()
      await life.until('remove')
    },
  },
}

/** The number of calls of a move without a fault. */
const callsOfMove = async (values: object): Promise<number> => {
  const { life } = await begin(values)
  life.change({ zone: second })
  life.strike(undefined)
  await life.until('reconcile')
  return life.calls()
}

/**
 * Moves a record, lets the fate happen to each call of the move, one after the other, and then what follows. Expects
 * the record where it belongs, and nowhere after its deletion.
 */
export const expectMoves = async (
  values: object,
  fate: Fate,
  sequel: keyof typeof sequels,
): Promise<void> => {
  const { next, zone } = sequels[sequel] ?? {}
  const count = await callsOfMove(values)
  for (let at = 0; at < count; at++) {
    const world = await begin(values)
    const { life } = world
    life.change({ zone: second })
    life.strike({ at, fate })
    await life.step('reconcile')
    life.strike(undefined)
    world.aws.faults.clear()
    await next?.(world)
    expect(await zonesOf(world), `call ${at}`).toEqual(zone === undefined ? [] : [zone])
    await life.until('remove')
    expect(await zonesOf(world), `call ${at}, deleted`).toEqual([])
  }
}
