import { describe, expect, test } from 'vitest'
import type { HostedZone } from './route53.ts'
import { chooseZone, knownZones, zonesToClear } from './zones.ts'

const zones = (...names: string[]): HostedZone[] =>
  names.map((name, index) => ({ id: `Z${index}`, name, isPrivate: false }))

test.each([
  ['the zone of the name itself', 'foo.com', zones('foo.com.'), 'Z0'],
  ['a suffix', 'a.foo.com', zones('bar.com.', 'foo.com.'), 'Z1'],
  ['the longest suffix, first in the list', 'x.a.foo.com', zones('a.foo.com.', 'foo.com.', 'com.'), 'Z0'],
  ['the longest suffix, last in the list', 'x.a.foo.com', zones('com.', 'foo.com.', 'a.foo.com.'), 'Z2'],
  ['no zone whose name is only the end of a label', 'afoo.com', zones('foo.com.'), undefined],
  ['no zone below the name', 'foo.com', zones('a.foo.com.'), undefined],
  ['a zone in other spelling', '*.Foo.com', zones('FOO.COM'), 'Z0'],
  ['nothing without zones', 'foo.com', [], undefined],
])('chooseZone chooses %s', (_, name, available, id) => {
  expect(chooseZone(name, available)?.id).toBe(id)
  expect(chooseZone(name, available)?.among).toBeUndefined()
})

describe('of several zones with the same name', () => {
  const named = (id: string, isPrivate = false): HostedZone => ({ id, name: 'foo.com.', isPrivate })

  test.each<[string, HostedZone[], string[], string]>([
    ['a public one', [named('Z1', true), named('Z2'), named('Z0', true)], [], 'Z2'],
    ['the lowest id of public ones', [named('Z2'), named('Z1')], [], 'Z1'],
    ['the lowest id of private ones', [named('Z2', true), named('Z1', true)], [], 'Z1'],
    ['one that may contain the record', [named('Z1'), named('Z2'), named('Z0', true)], ['Z0'], 'Z0'],
    ['no shorter one that may contain the record', [named('Z1'), named('Z2')], ['ZCOM'], 'Z1'],
  ])('chooseZone chooses %s in every order of the list, and names all of them', (_, same, known, id) => {
    const list = [...same, { id: 'ZCOM', name: 'com.', isPrivate: false }]
    for (const available of [list, list.toReversed()]) {
      const chosen = chooseZone('a.foo.com', available, known)
      expect(chosen?.id).toBe(id)
      expect(new Set(chosen?.among)).toEqual(new Set(same))
    }
  })
})

test('every recorded zone may contain the record, once, in its bare spelling', () => {
  const named = { spec: 'Z9', status: '/hostedzone/Z1', recorded: ['Z1', 'Z2', '../x'] }
  expect(knownZones(named)).toEqual(['Z1', 'Z2'])
})

test.each([
  [
    'of the state, but not a zone that no step was about to change',
    { spec: 'Z9', recorded: ['Z1', 'Z2'] },
    ['Z1', 'Z2'],
  ],
  ['of the state, the current one last', { spec: 'Z1', status: 'Z2', recorded: ['Z1', 'Z2'] }, ['Z2', 'Z1']],
  ['of an earlier version: status and spec', { spec: 'Z9', status: 'Z1' }, ['Z1', 'Z9']],
  ['of another extension, which changed the status since', { status: 'Z3', recorded: ['Z1'] }, ['Z1', 'Z3']],
  ['none if the object names none', {}, []],
])('a deletion clears the zones %s', (_, named, ids) => {
  const all = zonesToClear({ spec: undefined, status: undefined, ...named })
  expect(all.map(({ id }) => id)).toEqual(ids)
})
