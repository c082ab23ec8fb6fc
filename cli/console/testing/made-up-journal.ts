import type { Call, JournalEntry, JournalHeader } from '../../../shared/journal/journal.ts'
import { madeUpObjects } from './made-up-objects.ts'

export interface MadeUpJournal {
  readonly header: JournalHeader
  readonly entries: readonly JournalEntry[]
}

export interface JournalSize {
  readonly shoots: number
  readonly hours: number
  /** Each n-th shoot has an Infrastructure that fails. Default: 20. */
  readonly failing?: number
}

const start = Date.parse('2026-11-21T00:00:00.000Z')
const second = 1000
const hour = 3600 * second

/** Every object is reconciled this often. */
const roundMs = 2.5 * hour

/**
 * Returns the journal of a seed in which every shoot is reconciled every two and a half hours. Equal sizes give equal
 * journals.
 */
export const madeUpJournal = ({ shoots, hours, failing = 20 }: JournalSize): MadeUpJournal => {
  const entries: JournalEntry[] = []
  for (let number = 1; number <= shoots; number++)
    entries.push(...entriesOfShoot(number, hours, number % failing === 0))
  entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const header = { journal: 1, by: 'trellis record 1.2.3', at: text(start), seed: 'aws-eu1' } as const
  return { header, entries }
}

const text = (time: number): string => new Date(time).toISOString()

const entriesOfShoot = (number: number, hours: number, isFailing: boolean): readonly JournalEntry[] => {
  const name = `rose-${String(number).padStart(3, '0')}`
  const namespace = `shoot--dev--${name}`
  const objects = madeUpObjects(namespace, name, number)
  const entries: JournalEntry[] = []
  const succeeded = (time: number) => ({
    status: {
      lastOperation: { type: 'Reconcile', state: 'Succeeded', progress: 100, lastUpdateTime: text(time) },
      lastError: null,
    },
  })
  objects.forEach(({ id, object }) => {
    entries.push({ type: 'object', at: text(start + number), id, object })
    entries.push({ type: 'object', at: text(start + number), id, patch: succeeded(start - hour) })
  })
  const worked = objects.filter(one => one.function !== undefined)
  for (let round = 0; round * roundMs < hours * hour; round++)
    worked.forEach(({ id, function: fn = '' }, index) => {
      const begin = start + round * roundMs + number * 37 * second + index * 9 * second + hour / 4
      if (begin > start + hours * hour) return
      const fails = isFailing && index === 0 && round > 0
      for (let attempt = 0; attempt < (fails ? 5 : 1); attempt++)
        entries.push(
          ...operation({ id, fn, number, at: begin + (2 ** attempt - 1) * 20 * second, attempt, fails }),
        )
    })
  return entries
}

interface MadeUpOperation {
  readonly id: string
  readonly fn: string
  readonly number: number
  readonly at: number
  readonly attempt: number
  readonly fails: boolean
}

/** A request of gardenlet, its event, the claim, the step and the result. */
const operation = ({ id, fn, number, at, attempt, fails }: MadeUpOperation): readonly JournalEntry[] => {
  const [kind = '', place = ''] = id.split(' ')
  const [namespace = '', name = ''] = place.split('/')
  const event = `${number}-${at}-${kind}`
  const calls = madeUpCalls(fn, fails)
  const ms = 400 + calls.reduce((sum, call) => sum + call.ms, 0)
  const end = at + 1500 + ms
  const step = (phase: string, until: number) =>
    JSON.stringify({
      phase,
      operation: 'reconcile',
      attempt: fails ? attempt + 1 : 0,
      until: text(until),
      event,
      request: `reconcile@${text(at - attempt)}`,
      generation: 1,
      was: '',
    })
  const entry = (time: number, patch: Readonly<Record<string, unknown>>): JournalEntry => ({
    type: 'object',
    at: text(time),
    id,
    patch,
  })
  const requested = {
    annotations: { 'gardener.cloud/operation': 'reconcile', 'gardener.cloud/timestamp': text(at) },
  }
  const claimed = {
    'gardener.cloud/operation': null,
    'trellis.gardener.cloud/step': step('claimed', at + 76_000),
  }
  const again = at + 20_000 * 2 ** attempt
  return [
    ...(attempt === 0 ? [entry(at, { metadata: requested })] : []),
    {
      type: 'event',
      at: text(at + 200),
      event: {
        id: event,
        source: '/seeds/aws-eu1',
        type: `cloud.gardener.extensions.${kind.toLowerCase()}.reconcile`,
        subject: place,
        time: text(at + 200),
        kind,
        namespace,
        name,
        reason: attempt === 0 ? 'annotation' : 'retry',
      },
    },
    entry(at + 1500, {
      metadata: { annotations: claimed },
      status: {
        lastOperation: {
          type: 'Reconcile',
          state: 'Processing',
          progress: 10,
          lastUpdateTime: text(at + 1500),
        },
      },
    }),
    {
      type: 'step',
      at: text(end + 20),
      event,
      function: fn,
      object: id,
      operation: 'reconcile',
      began: text(at + 1500),
      ms,
      outcome: fails ? 'failed' : 'succeeded',
      calls,
    },
    entry(
      end,
      fails
        ? {
            metadata: { annotations: { 'trellis.gardener.cloud/step': step('waiting', again) } },
            status: {
              lastOperation: { type: 'Reconcile', state: 'Error', progress: 10, lastUpdateTime: text(end) },
              lastError: {
                description: `creating the NAT gateway in zone eu-west-1b: You have reached the limit of NAT gateways (NatGatewayLimitExceeded)`,
                codes: ['ERR_INFRA_QUOTA_EXCEEDED'],
                lastUpdateTime: text(end),
              },
            },
          }
        : {
            status: {
              lastOperation: {
                type: 'Reconcile',
                state: 'Succeeded',
                progress: 100,
                lastUpdateTime: text(end),
              },
              lastError: null,
            },
          },
    ),
  ]
}

const madeUpCalls = (fn: string, fails: boolean): readonly Call[] => {
  const plural = `${fn.replace(/^aws-/, '')}s`
  const write = (after: number): Call => ({
    to: 'kubernetes',
    name: `PATCH ${plural}/status`,
    after,
    ms: 12,
    status: '200',
    write: true,
  })
  const read: Call = { to: 'kubernetes', name: `GET ${plural}`, after: 2, ms: 8, status: '200' }
  if (fn !== 'aws-infrastructure') return [read, write(20), write(240)]
  const cloud = ['DescribeVpcs', 'DescribeSubnets', 'DescribeNatGateways'].map(
    (name, index): Call => ({
      to: 'cloud',
      name: `ec2 ${name}`,
      after: 40 + index * 90,
      ms: 80,
      status: '200',
      requestId: `req-${name}-${index}`,
    }),
  )
  const failed: Call = {
    to: 'cloud',
    name: 'ec2 CreateNatGateway',
    args: '{"SubnetId":"subnet-0b"}',
    after: 320,
    ms: 140,
    status: '400',
    error: 'NatGatewayLimitExceeded',
    requestId: '8f1e2d3c-0000-4a4a-9b9b-aaaabbbbcccc',
    write: true,
  }
  return [read, write(20), ...cloud, ...(fails ? [failed] : []), write(480)]
}
