import { expect, test } from 'vitest'
import type { ComparedObject } from './group-differences.ts'
import { groupDifferences } from './group-differences.ts'
import { reportJson, reportText } from './report.ts'

const worker = (shoot: string, machines: number): ComparedObject => ({
  ...{ kind: 'Worker', namespace: `shoot--p--${shoot}`, name: shoot },
  differences: [
    {
      ...{ effect: 'roll', pool: 'a', machines, lines: ['because of size: 50Gi → 60Gi'] },
      sentence: `roll pool a: replace ${machines} machines`,
    },
  ],
})
const record = (shoot: string, id: string): ComparedObject => ({
  ...{ kind: 'DNSRecord', namespace: `shoot--p--${shoot}`, name: `${shoot}-external` },
  differences: [
    {
      effect: 'write',
      sentence: `update A record api.${shoot}.example.com in vpc-${id}`,
      lines: [`value: 203.0.113.7 → 203.0.113.8`],
    },
  ],
})
const objects: readonly ComparedObject[] = [
  record('rose', '0a1b2c3d4e'),
  record('lily', '0f1b2c3d4e'),
  ...['rose', 'lily', 'iris', 'aster', 'a'].map((shoot, index) => worker(shoot, index + 1)),
  { kind: 'Network', namespace: 'shoot--p--rose', name: 'rose', differences: [] },
  { kind: 'Bastion', namespace: 'shoot--p--rose', name: 'jump', unknown: 'throttled' },
]
const comparison = {
  objects,
  shoots: 5,
  unread: ['ControlPlanes'],
  unplanned: [{ kind: 'Network', type: 'cilium', count: 2 }],
}

test('equal differences of shoots are one group, with the most dangerous ones first', () => {
  expect(groupDifferences(objects)).toMatchObject([
    { effect: 'roll', kind: 'Worker', machines: 15 },
    { effect: 'write', kind: 'DNSRecord', sentence: 'update A record api.‹shoot›.example.com in ‹id›' },
  ])
})

test('a report has the groups, what is not known, and a summary', () => {
  expect(reportText({ from: '1', to: '2', comparison })).toBe(`Upgrade from 1 to 2: 9 objects of 5 shoots

Nodes roll
  roll the pool: 15 machines
      because of size: 50Gi → 60Gi
    in 5 of 5 Workers: shoot--p--rose/rose (roll pool a: replace 1 machines), shoot--p--lily/lily (roll pool a: replace 2 machines), shoot--p--iris/iris (roll pool a: replace 3 machines) and 2 more

Writes
  update A record api.‹shoot›.example.com in ‹id›
      value: ‹address› → ‹address›
    in 2 of 2 DNSRecords: shoot--p--rose/rose-external, shoot--p--lily/lily-external

Not known
  Bastion shoot--p--rose/jump: throttled

Could not read ControlPlanes. Its objects are not planned.
Not planned: 2 Networks of type cilium, which has no plan.

7 of 9 objects differ, 15 machines replaced, 1 not known
`)
})

test('the JSON has each object with a difference', () => {
  const json = reportJson({ from: '1', to: '2', comparison }) as { readonly objects: readonly unknown[] }
  expect(json.objects).toHaveLength(8)
})

test('a report without a difference says so', () => {
  const same = { objects: objects.slice(7, 8), shoots: 1, unread: [], unplanned: [] }
  expect(reportText({ from: '1', to: '2', comparison: same })).toContain('\nNothing differs\n')
})
