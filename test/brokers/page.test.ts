import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mostInFlight, profileNames, retryDelay } from '../../sandbox/knative/knative.ts'
import { applied } from './applied.ts'

const page = readFileSync(new URL('../../docs/brokers.md', import.meta.url), 'utf8')
const cellsOf = (row: string): readonly string[] => {
  const line = page.split('\n').find(text => text.startsWith(`| ${row}`))
  if (line === undefined) throw new Error(`the page has no row ${row}`)
  return line.split('|').slice(2, -1)
}
const all = await Promise.all(profileNames.map(applied))

/** The facts to document for each class, in the order of the columns. */
const facts: Readonly<Record<string, (one: (typeof all)[number]) => string>> = {
  'waits between 6 attempts': ({ broker, kind }) => {
    const { delivery = { retry: 0, backoffPolicy: 'exponential' as const } } = broker.spec
    const waits = Array.from(
      { length: delivery.retry },
      (_, index) => retryDelay(kind.profile, delivery, index + 1, undefined) / 1000,
    )
    return `${waits.join(', ')} s: ${waits.reduce((sum, wait) => sum + wait, 0)} s`
  },
  'an attempt ends after': ({ broker, kind }) =>
    ` ${(kind.profile.attemptMs(broker.spec.delivery?.timeout) ?? 0) / 1000} s`,
  'without a timeout': ({ kind }) => {
    const attempt = kind.profile.attemptMs(undefined)
    return attempt === undefined ? 'never' : `${attempt / 1000} s`
  },
  'another 4xx': ({ kind }) => (kind.profile.refusal === 'success' ? 'delivered' : 'dropped'),
  '2xx with a body': ({ kind }) =>
    ({ retry: 'retried', 'dead-letter': 'dropped', success: 'counts as delivered' })[
      kind.profile.nonEventReply
    ],
  'in flight for one Trigger': ({ kind }) =>
    kind.name === 'rabbitmq' ? '100 at most' : String(mostInFlight(kind.profile.consumption({})) || 'all'),
  'a repeated id': ({ kind: { profile } }) =>
    profile.duplicateWindowMs === undefined ? 'is delivered' : `within ${profile.duplicateWindowMs / 1000} s`,
  '`filters` of Triggers': ({ kind }) => (kind.profile.filters ? 'yes' : 'no'),
}

test.each(Object.entries(facts))(
  'the page has the same value for %s of each class as the sandbox',
  (row, fact) => {
    const cells = cellsOf(row)
    for (const [index, one] of all.entries()) expect(cells[index], one.kind.name).toContain(fact(one))
  },
)
