import type { KindName } from '../../../../shared/contract/kinds.ts'
import type { LastOperation } from '../../../../shared/contract/objects.ts'
import { createSentences } from '../../../narration/sentence.ts'
import type { SeedEvent } from '../../../seed/seed.ts'
import type { Stage } from '../../stop.ts'
import type { AccountContents } from '../account-contents.ts'
import { furnishedZone } from '../furnished-zone.ts'
import { addHostedZone, createAws, scaledServices } from '../simulator/aws.ts'
import { type AwsShootSeed, startAwsShootSeeds } from './shoot-seeds.ts'
import { wholeAccount } from './whole-account.ts'
import { seeds } from './whole-shoot.ts'

/** The events of two busy seeds that a stop reports: objects that succeeded or are gone. */
export interface Narrated {
  /** The kinds of the reported objects. */
  readonly kinds: readonly KindName[]
  /** If true, changes in AWS are reported too. */
  readonly cloud: boolean
}

/** State that is shared by the stops. */
export interface ShootTour {
  readonly first: AwsShootSeed
  readonly second: AwsShootSeed
  /** The shared account's contents, now and at the start. */
  readonly contents: () => Promise<AccountContents>
  readonly before: AccountContents
  /** Reports these events from now on. */
  readonly narrate: (narrated: Narrated) => void
}

/** A hundredth of AWS's durations. */
const scale = 0.01

/** Starts the two seeds with a new account. */
export const startShootTour = async (stage: Stage): Promise<ShootTour> => {
  const { clock, functions } = stage
  const aws = createAws({ clock, ...scaledServices(scale) })
  addHostedZone(aws.account(), furnishedZone)
  const before = await wholeAccount(aws)
  const sentences = new Map<string, ReturnType<typeof createSentences>>()
  let narrated: Narrated = { kinds: [], cloud: false }
  const isNarrated = (seed: string, event: SeedEvent): boolean =>
    event.part === 'object'
      ? narrated.kinds.some(kind => kind === event.object.kind) && isEnd(event)
      : // Both seeds report the calls of their shared account.
        event.part === 'cloud' && narrated.cloud && seed === seeds.first.name
  const started = await startAwsShootSeeds({
    aws,
    functions,
    clock,
    observe: (seed, event) => {
      const sentenceOf = sentences.get(seed) ?? createSentences()
      sentences.set(seed, sentenceOf)
      const sentence = sentenceOf(event)
      if (sentence === undefined || !isNarrated(seed, event)) return
      stage.print(event.part === 'object' ? { ...sentence, part: `seed ${seed}` } : sentence)
    },
  })
  stage.atEnd(started.close)
  await stage.show(`seed ${seeds.first.name}`, started.first)
  await stage.show(`seed ${seeds.second.name}`, started.second)
  return {
    ...started,
    before,
    contents: () => wholeAccount(aws),
    narrate: next => {
      narrated = next
    },
  }
}

/** Returns true if an operation of the object has ended. A deletion ends when the object is gone. */
const isEnd = ({ object, deleted }: SeedEvent & { readonly part: 'object' }): boolean => {
  const { type, state } = (object.status as { readonly lastOperation?: LastOperation })?.lastOperation ?? {}
  const isDeletion = object.metadata.deletionTimestamp !== undefined && type !== 'Migrate'
  return deleted ? type !== 'Migrate' : state === 'Succeeded' && !isDeletion
}
