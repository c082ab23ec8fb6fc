import { EC2Client } from '@aws-sdk/client-ec2'
import { EFSClient } from '@aws-sdk/client-efs'
import { IAMClient } from '@aws-sdk/client-iam'
import { operator } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { clusterOf, namespace, type ObjectParts } from '../../functions/aws/infrastructure/testing/objects.ts'
import { stepsOver } from '../../functions/aws/infrastructure/testing/steps.ts'
import type { CallRecord } from '../../sandbox/providers/aws/simulator/aws.ts'
import { isRead } from '../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { Infrastructure } from '../../shared/contract/objects.ts'
import type { AwsRequestHandler } from '../../terraform-free-infra/aws/account/aws.ts'
import { markTag } from '../../terraform-free-infra/aws/infrastructure/infrastructure.ts'
import type { Made } from './account.ts'
import { dataOf } from './recorded-shoot.ts'

type Status = NonNullable<Infrastructure['status']>

export interface ShootShape {
  /** Creates the user's resources before the shoot. The parts get their ids. */
  readonly given?: (handler: AwsRequestHandler) => Promise<Made>
  readonly parts: (made: Made) => ObjectParts
  readonly cluster?: ReturnType<typeof clusterOf>
}

/** Manual access to an account, outside the function. */
export interface Hands {
  readonly ec2: EC2Client
  readonly iam: IAMClient
  readonly efs: EFSClient
  /** Returns the value of a state key: `id('Zones/eu-west-1a/NATGateway')`. Throws if the key is absent. */
  readonly id: (key: string) => string
  /** Advances the clock by milliseconds. */
  readonly wait: (ms: number) => Promise<void>
}

/** Creates a shoot with its infrastructure. Tests can restore it any number of times. */
export const madeShoot = async ({ given, parts, cluster = clusterOf() }: ShootShape) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const handler: AwsRequestHandler = aws.requestHandler
  const made = (await given?.(handler)) ?? new Map<string, string>()
  const first = stepsOver(handler, clock, parts(made))
  await first.until('reconcile', { cluster })
  const there = aws.account().snapshot()
  const status = first.status()

  /** Restores the shoot to its initial state, with another status if given. Only the latest caller may use it. */
  const again = (rewrite: (status: Status) => Status = same => same) => {
    aws.account().restore(there)
    aws.faults.clear()
    const steps = stepsOver(handler, clock, { ...parts(made), status: rewrite(status) })
    const settings = operator(handler)
    const before = dataOf(status)
    const hands: Hands = {
      ec2: new EC2Client(settings),
      iam: new IAMClient(settings),
      efs: new EFSClient(settings),
      id: key => {
        const id = before[key]
        if (id === undefined) throw new Error(`the state has no ${key}`)
        return id
      },
      wait: ms => clock.advance(ms),
    }
    return {
      aws,
      clock,
      steps,
      hands,
      made,
      /** Reconciles until done. Returns the writes to AWS. */
      reconcile: async (): Promise<readonly string[]> => {
        aws.calls.clear()
        await steps.until('reconcile', { cluster })
        const names = namesOf(before, dataOf(steps.status()))
        const writes = aws.calls.all().filter(call => !isRead(call))
        const unmarkings = writes.filter(isUnmarking)
        // The marks of created resources are removed in one call at the end. The simulator logs calls in order.
        if (unmarkings.length > 1 || (unmarkings.length === 1 && writes.at(-1) !== unmarkings[0]))
          throw new Error(`marks were taken away before the end, or in ${unmarkings.length} calls`)
        return writes.filter(call => !isUnmarking(call)).map(call => written(call, names))
      },
      remove: () => steps.until('remove', { cluster }),
    }
  }
  return { again, made, status }
}
export type MadeShoot = Awaited<ReturnType<typeof madeShoot>>

/** Returns true if a call removes the mark of created resources, which proves their owner until the state does. */
const isUnmarking = ({ action, input }: CallRecord): boolean =>
  action === 'DeleteTags' && JSON.stringify(input).includes(markTag)

/** Returns the state keys by id. A recreated resource has the prefix `new`. */
const namesOf = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> => {
  const short = (key: string) => key.replace(/^Zones\/eu-west-1/, '')
  const known = new Map<string, string>()
  for (const [key, value] of Object.entries(after)) known.set(value, `new ${short(key)}`)
  for (const [key, value] of Object.entries(before)) known.set(value, short(key))
  return known
}

/** Returns a write as one line: its action and its subject, with names from the state. */
const written = ({ action, input }: CallRecord, names: ReadonlyMap<string, string>): string => {
  const about = [...JSON.stringify(input).matchAll(/\b(?:[a-z]+-[0-9a-f]{17}|fsmt-[0-9a-f]+)\b/g)]
    .map(([id]) => names.get(id) ?? 'another')
    .filter((name, index, all) => all.indexOf(name) === index)
  return [action, ...about].join(' ').replaceAll(namespace, '…')
}
