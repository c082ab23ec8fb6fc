// The SDK is loaded on demand by some functions, and a run reads no files.
import '@aws-sdk/client-ec2'
import '@aws-sdk/client-sts'
import { hasCloud, providerOf } from '../../../seed/seed.ts'
import type { WorldRow } from '../../../simulation/oracle/oracle.ts'
import type { CloudSide, CloudSideOptions } from '../../../simulation/simulation.ts'
import { landscape, seeds, wholeShoot } from '../demo/whole-shoot.ts'
import { furnishedZone } from '../furnished-zone.ts'
import {
  type AccountSnapshot,
  type Aws,
  type AwsOptions,
  addHostedZone,
  createAws,
  simulatedAws,
} from '../simulator/aws.ts'
import { awsContents, contentsOf } from './aws-contents.ts'
import { createBook, type Owner } from './book/book.ts'
import { observeAws } from './book/observe-aws.ts'
import { connectSdk } from './connect-sdk.ts'

export { asControllers } from './book/book.ts'

export interface AwsSide extends CloudSide {
  readonly aws: Aws
  /** Returns the contents that owners have created, without the parts that others have added; or those of others. */
  contentsOf(isMeant: (owner: Owner) => boolean): readonly WorldRow[]
  /**
   * Returns the ids of resources that objects have created since a time, in ms since the epoch, of all tables or one.
   */
  created(since: number, table?: string): readonly string[]
  /** A user takes a resource: from now on it belongs to others. */
  give(id: string): void
}

interface AwsBackup {
  readonly accounts: readonly AccountSnapshot[]
  readonly owners: ReadonlyMap<string, Owner>
}

/**
 * Behaviour that AWS does not exclude: other orders of lists, small pages that change while they are read, late reads,
 * and other durations.
 */
export type Hostility = Pick<AwsOptions, 'shuffleLists' | 'pages' | 'lag' | 'ec2'>

/** A simulated AWS in real durations. All functions but those of other clouds work with it. */
export const createAwsSide = (
  { clock, random, visibleAfterMs = 0 }: CloudSideOptions,
  hostility: Hostility = {},
): AwsSide => {
  const aws = createAws({
    clock,
    bytes: random.fork('aws').bytes,
    visibleAfter: visibleAfterMs,
    ...hostility,
  })
  addHostedZone(aws.account(), furnishedZone)
  const book = createBook(aws)
  return {
    aws,
    created: book.created,
    give: book.give,
    contentsOf: isMeant =>
      contentsOf(
        book.rows().flatMap(row => {
          if (!isMeant(row.owner)) return []
          // The book has a row for each record set.
          const {
            place,
            value: { recordSets: _, ...value },
          } = book.ownPart(row)
          return [{ place, value }]
        }),
        clock.now(),
      ),
    clouds: { aws: simulatedAws(aws) },
    connections: { aws: connectSdk(aws.requestHandler, status => refuseNext(aws, status)) },
    functionSettings: {},
    serves: fn => providerOf(fn) === 'aws' || !hasCloud(fn),
    seeds,
    landscape,
    shoot: wholeShoot,
    observe: invariants => observeAws(aws, book, invariants, hostility.lag?.most ?? 0),
    contents: () => awsContents(aws),
    backUp: (): AwsBackup => ({
      accounts: aws.accounts().map(id => aws.account(id).snapshot()),
      owners: book.backUp(),
    }),
    restore: backup => {
      const { accounts, owners } = 'owners' in Object(backup) ? (backup as AwsBackup) : earlierBackup(backup)
      for (const account of accounts) aws.account(account.id).restore(account)
      book.restore(owners)
    },
    close: () => {},
  }
}

/** Earlier versions saved a single account, without owners. */
const earlierBackup = (account: unknown): Partial<AwsBackup> & Pick<AwsBackup, 'accounts'> => ({
  accounts: [account as AccountSnapshot],
})

const refuseNext = (aws: Aws, status: number): void => {
  aws.faults.add({
    effect:
      status === 429
        ? { kind: 'throttle' }
        : status === 403
          ? { kind: 'denied' }
          : { kind: 'error', code: status === 503 ? 'ServiceUnavailable' : 'InternalFailure', status },
  })
}
