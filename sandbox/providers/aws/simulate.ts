import type { ProvidedCloud, SimulateSettings } from '../provider.ts'
import { accountOf } from './account-of.ts'
import { awsFault } from './aws-fault.ts'
import { giveBucketOf } from './bucket.ts'
import { furnishedZone } from './furnished-zone.ts'
import { giveHostedZoneOf } from './hosted-zone.ts'
import { giveNetworkOf } from './network.ts'
import { renamed, renames } from './rename.ts'
import type { AccountSnapshot } from './simulator/aws.ts'
import { addHostedZone, createAws, type SimulatedAws, scaledServices, simulatedAws } from './simulator/aws.ts'

/** A simulated AWS for the command line. */
export type ProvidedAws = SimulatedAws & ProvidedCloud

export const simulateAws = ({
  clock,
  scale,
  bytes,
  furnished,
  state,
  objects = [],
}: SimulateSettings): ProvidedAws => {
  // From `parseState`.
  const given = state as AccountSnapshot | undefined
  const number = given?.id ?? accountOf(objects)
  const aws = createAws({
    clock,
    ...(scale !== undefined && scaledServices(scale)),
    ...(bytes && { bytes }),
    ...(number !== undefined && { defaultAccount: number }),
  })
  const account = aws.account()
  if (given !== undefined) account.restore(given)
  if (furnished) addHostedZone(account, furnishedZone)
  return {
    ...simulatedAws(aws),
    prepare: (object, before, cluster) => {
      // A given account is not changed.
      if (given !== undefined) return
      giveHostedZoneOf(account, object)
      giveBucketOf(account, object, clock)
      giveNetworkOf(account, object, cluster)
      const names = renames(before?.status, object.status)
      if (names.size > 0) account.restore(renamed(account.snapshot(), names))
    },
    failAgain: failures => {
      const orders = failures.map(({ service, action, nth, status, code }) =>
        aws.faults.add({
          service,
          action,
          nth,
          effect:
            status === undefined
              ? { kind: 'drop' }
              : { kind: 'error', code, message: 'the same error as recorded', status: Math.max(status, 400) },
        }),
      )
      return () => {
        for (const withdraw of orders) withdraw()
      }
    },
    snapshot: account.snapshot,
    callCount: () => aws.calls.all().length + aws.calls.dropped(),
    fault: random => {
      const { order, text } = awsFault(random)
      return { text, order: () => aws.faults.add(order) }
    },
  }
}
