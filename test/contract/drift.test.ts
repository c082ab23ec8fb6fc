import { expect, test } from 'vitest'
import { driftTable } from './drift.ts'

test('differences are a table, with long texts cut', () => {
  const table = driftTable([
    { subject: 'Worker .spec.a', problem: 'new', trellis: '', gardener: 'x'.repeat(70) },
    { subject: 'group', problem: 'missing', trellis: 'a.b', gardener: '' },
  ])
  expect(table.split('\n')).toEqual([
    'problem  subject         Trellis  Gardener',
    `new      Worker .spec.a  -        ${'x'.repeat(59)}…`,
    'missing  group           a.b      -',
  ])
})
