import { expect, onTestFinished, test } from 'vitest'
import { findDrift } from '../../cli/drift/drift.ts'
import { driftAsText } from '../../cli/drift/drift-text.ts'
import {
  historyAsText,
  journalView,
  recordedText,
  shootHistory,
  unpainted,
} from '../../cli/observe/observe.ts'
import { plannedKindsOf } from '../../cli/plan/planned-kinds.ts'
import { providerPlanners } from '../../cli/plan/planner.ts'
import { definition } from '../../functions/aws/dnsrecord/function.ts'
import { route53Account } from '../../functions/aws/dnsrecord/testing/route53-account.ts'
import { recordOf } from '../../functions/aws/dnsrecord/testing/steps.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { createSteppedSeed, shootObjects } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { createHistory, type JournalEntry } from '../../shared/journal/journal.ts'

const planned = plannedKindsOf((await findProviders()).flatMap(providerPlanners))
const at = (time: string) => `2026-11-21T${time}:00.000Z`

test('4: the last write, the gap of the journal, and no claim about what others did', async () => {
  const clock = virtualClock(Date.parse(at('00:20')))
  const aws = createAws({ clock })
  const connection = { requestHandler: aws.requestHandler }
  const account = route53Account(aws)
  const zone = await account.createZone('example.com')
  const object = recordOf({})
  const { namespace = '', name } = object.metadata
  const entries: JournalEntry[] = []
  const seed = createSteppedSeed({
    ...{ definition, clock, connection, waits: 'advance' },
    objects: shootObjects({
      namespace,
      secrets: { dns: { accessKeyID: 'AKIAEXAMPLE', secretAccessKey: 'secret' } },
    }),
    onStep: report => entries.push({ type: 'step', at: new Date(clock.now()).toISOString(), ...report }),
  })
  onTestFinished(() => seed.close())
  await seed.apply(object)
  const change = (value: string) =>
    account.change(zone, {
      Action: 'UPSERT',
      ResourceRecordSet: {
        ...{ Name: object.spec.name, Type: object.spec.recordType, TTL: object.spec.ttl ?? 120 },
        ResourceRecords: [{ Value: value }],
      },
    })
  await clock.advance(50 * 60_000)
  await change('9.9.9.9')
  await clock.advance(30 * 60_000)
  const [wanted = ''] = object.spec.values
  await change(wanted)

  const why = 'steps: the bridge could not be read (503)'
  const journal = createHistory([
    { type: 'object', at: at('00:00'), id: `DNSRecord ${namespace}/${name}`, object },
    ...entries,
    { type: 'gap', at: at('01:25'), until: at('01:27'), why },
    { type: 'gap', at: at('01:59'), until: at('02:00'), why: 'later' },
  ])
  const view = journalView(journal, Date.parse(at('01:45')))
  const rows = shootHistory(view, namespace, Date.parse(at('00:00')))
  const text = `${historyAsText(rows, namespace, view.at, unpainted)}${recordedText(view)}`
  const [step = '', changed = '', gap = '', recorded = ''] = text.trimEnd().split('\n').slice(-4)
  expect(step).toMatch(
    new RegExp(`^00:20:\\d\\dZ ✓ DNSRecord ${name}  step reconcile of aws-dnsrecord: succeeded`),
  )
  expect(changed).toContain('changed: route53 ChangeResourceRecordSets')
  expect(gap).toBe(`01:25:00Z ? not recorded until 01:27:00Z: ${why}`)
  expect(recorded).toBe(
    'Recorded from 00:00:00Z to 01:45:00Z. Between these lines, no step of this shoot is recorded. A journal does not show what others change in a cloud: trellis drift compares the present.',
  )
  // The gap of the present is missing as before, and that of the past is not.
  expect(view.missing).toEqual([])
  expect(text).not.toMatch(/nobody|certain|later/)

  const report = await findDrift({
    ...{ kubernetes: seed.kubernetes, clock, planned, env: {}, signal: new AbortController().signal },
    connect: async () => connection,
  })
  expect(driftAsText(report, unpainted)).toBe('1 object: 1 as applied.\n')
})
