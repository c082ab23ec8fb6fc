import { expect, test } from 'vitest'
import { parsePrograms } from '../../shared/runner/runner.ts'
import { objectsOf, typesOf } from './served-objects.ts'

test('the programs of a seed process name the objects that the bridge watches', () => {
  const fn = { name: 'one', kind: 'DNSRecord', types: ['x', 'y'], classes: ['shoot', 'seed'] }
  const programs = parsePrograms(
    JSON.stringify([
      { name: 'a', functions: [fn] },
      { name: 'b', functions: [{ name: 'two', kind: 'DNSRecord', types: ['z'] }] },
    ]),
  )
  expect(objectsOf(programs)).toEqual([
    { kind: 'DNSRecord', type: 'x', classes: ['shoot', 'seed'] },
    { kind: 'DNSRecord', type: 'y', classes: ['shoot', 'seed'] },
    { kind: 'DNSRecord', type: 'z', classes: ['shoot'] },
  ])
  expect(typesOf(programs)).toEqual({ DNSRecord: ['x', 'y', 'z'] })
})
