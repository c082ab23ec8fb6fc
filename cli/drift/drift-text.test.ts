import { expect, test } from 'vitest'
import { unpainted } from '../observe/observe.ts'
import type { DriftedObject, DriftReport } from './drift.ts'
import { driftAsText } from './drift-text.ts'

const none: DriftReport = {
  drifted: [],
  pending: [],
  unknown: [],
  beside: [],
  missing: [],
  unread: [],
  unplanned: [],
  same: 0,
  total: 0,
}
const id = (shoot: string) => ({
  kind: 'Infrastructure' as const,
  type: 'aws',
  namespace: `shoot--p--${shoot}`,
  name: shoot,
})
const drifted = (shoot: string, text: string): DriftedObject => ({
  ...id(shoot),
  resources: [],
  ...{ untouched: [], writers: [], text },
})

test('equal findings of several shoots share one text, apart from names and ids', () => {
  const finding = (shoot: string, vpc: string) =>
    drifted(shoot, `~ update VPC ${vpc}\n    tag Name: bob → shoot--p--${shoot}\n`)
  const rows = ['rose', 'lily', 'iris', 'daisy', 'tulip'].map((shoot, index) =>
    finding(shoot, `vpc-0123456789abcde${index}`),
  )
  const text = driftAsText(
    {
      ...none,
      drifted: [...rows, { ...drifted('oak', '- delete subnet\n'), resume: 'trellis resume shoot--p--oak' }],
      total: 6,
    },
    unpainted,
  )
  expect(text).toBe(`✗ Infrastructure shoot--p--rose/rose has drifted. The next reconcile:
    ~ update VPC vpc-0123456789abcde0
        tag Name: bob → shoot--p--rose
    Changed by: not recorded here. The audit log of its cloud or of the API server may say it.
    The same: Infrastructure shoot--p--lily/lily, Infrastructure shoot--p--iris/iris, Infrastructure shoot--p--daisy/daisy and 1 more
    None is requested. To start it:
    run: trellis reconcile Infrastructure/shoot--p--rose/rose
✗ Infrastructure shoot--p--oak/oak has drifted. The next reconcile:
    - delete subnet
    Changed by: not recorded here. The audit log of its cloud or of the API server may say it.
    It is paused, so none begins. To end the pause:
    run: trellis resume shoot--p--oak

Changes are found → wanted.
6 objects: 6 drifted, 0 as applied.
`)
})

test('equal reasons of objects that are pending or unknown share one line, and hostile texts are escaped', () => {
  const why = (shoot: string) => `reading the Secret shoot--p--${shoot}/cloudprovider: no\u001b[2J`
  const text = driftAsText(
    {
      ...none,
      pending: [{ ...id('oak'), why: 'its deletion is requested' }],
      unknown: [
        { ...id('rose'), why: why('rose') },
        { ...id('lily'), why: why('lily') },
      ],
      missing: ['Workers: you may not list them'],
      unplanned: [{ kind: 'DNSRecord', type: 'gcp', count: 2 }],
      same: 4,
      total: 7,
    },
    unpainted,
  )
  expect(text).toBe(`… Infrastructure shoot--p--oak/oak: its deletion is requested
? Infrastructure shoot--p--rose/rose, Infrastructure shoot--p--lily/lily: reading the Secret shoot--p--rose/cloudprovider: no\\x1b[2J
? Workers: you may not list them
Without a plan: 2 DNSRecords of type gcp
7 objects: 1 pending, 2 unknown, 4 as applied.
`)
})
