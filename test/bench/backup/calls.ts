import { newAccount } from '../../../functions/aws/backupbucket/testing/account.ts'
import { stepsOver } from '../../../functions/aws/backupbucket/testing/steps.ts'
import { entryName, seedWith } from '../../../functions/aws/backupentry/testing/steps.ts'
import { atMost, type Benchmark, type Figure } from '../figure.ts'
import { goCalls } from '../measured-elsewhere.ts'

type Operation = 'new' | 'unchanged' | 'deleted'

const operations: readonly Operation[] = ['new', 'unchanged', 'deleted']

interface Life {
  readonly name: string
  readonly immutability?: object
  /** The Go extension's number of calls for each operation. */
  readonly go: Readonly<Record<Operation, number>>
  /** The limits of the operations that may exceed Go's number. */
  readonly most?: Partial<Readonly<Record<Operation, number>>>
}

const lives: readonly Life[] = [
  // Go rewrites the policy and the other settings without reading them; these are reads.
  { name: 'bucket', go: { new: 6, unchanged: 1, deleted: 1 }, most: { unchanged: 4 } },
  {
    name: 'immutable bucket',
    immutability: { retentionType: 'bucket', retentionPeriod: '96h', mode: 'compliance' },
    go: { new: 7, unchanged: 3, deleted: 1 },
    most: { unchanged: 4 },
  },
]

const isRead = (action: string): boolean => /^(?:Get|List|Head)/.test(action)

const figuresOf = (
  { name, go, most = {} }: Life,
  operation: Operation,
  actions: readonly string[],
): readonly Figure[] => {
  const writes = actions.filter(action => !isRead(action)).length
  const calls: Figure = {
    name: `${operation} ${name}: calls of AWS`,
    value: actions.length,
    unit: 'requests',
    target: atMost(most[operation] ?? go[operation]),
    reference: goCalls(go[operation], 'all calls'),
    with: `${actions.length - writes} reads and ${writes} writes`,
  }
  if (operation !== 'unchanged') return [calls]
  return [
    calls,
    { name: `unchanged ${name}: writes to AWS`, value: writes, unit: 'requests', target: atMost(0) },
  ]
}

/** Creates and deletes a bucket of each kind, and an entry with one object in it. */
export const backupCalls: Benchmark = {
  name: 'backup-calls',
  run: async () => {
    const figures: Figure[] = []
    for (const life of lives) {
      const { aws, clock, actions } = newAccount()
      const { immutability } = life
      const { step } = stepsOver(
        aws.requestHandler,
        clock,
        immutability === undefined ? {} : { immutability },
      )
      for (const operation of operations) {
        aws.calls.clear()
        await step(operation === 'deleted' ? 'remove' : 'reconcile')
        figures.push(...figuresOf(life, operation, actions()))
      }
    }
    return [...figures, ...(await entryFigures())]
  },
}

const entryFigures = async (): Promise<readonly Figure[]> => {
  const life: Life = { name: 'entry', go: { new: 0, unchanged: 0, deleted: 2 } }
  const account = newAccount()
  const { aws, clock, actions, put } = account
  const bucket = stepsOver(aws.requestHandler, clock)
  await bucket.step('reconcile')
  await put(1, `${entryName}/`)
  const seed = await seedWith(aws.requestHandler, clock, { bucketName: bucket.object().metadata.name })
  const acts: Readonly<Record<Operation, () => Promise<unknown>>> = {
    new: seed.step,
    unchanged: async () => {
      await clock.advance(60_000)
      await seed.ask('reconcile')
      await seed.step()
    },
    deleted: async () => {
      await seed.remove()
      await seed.untilGone()
    },
  }
  const figures: Figure[] = []
  for (const operation of operations) {
    aws.calls.clear()
    await acts[operation]()
    figures.push(...figuresOf(life, operation, actions()))
  }
  return figures
}
