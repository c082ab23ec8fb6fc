import { expect, test } from 'vitest'
import { chooseZone } from './plan.ts'

const zones = (...names: string[]) => names.map((name, index) => ({ id: `Z${index}`, name }))

test.each([
  ['the zone of the name itself', 'foo.com', zones('foo.com.'), 'Z0'],
  ['a suffix', 'a.foo.com', zones('bar.com.', 'foo.com.'), 'Z1'],
  ['the longest suffix, first in the list', 'x.a.foo.com', zones('a.foo.com.', 'foo.com.', 'com.'), 'Z0'],
  ['the longest suffix, last in the list', 'x.a.foo.com', zones('com.', 'foo.com.', 'a.foo.com.'), 'Z2'],
  ['no zone whose name is only the end of a label', 'afoo.com', zones('foo.com.'), undefined],
  ['no zone below the name', 'foo.com', zones('a.foo.com.'), undefined],
  ['the later of two zones of the same name', 'a.foo.com', zones('foo.com.', 'foo.com.'), 'Z1'],
  ['a zone in other spelling', '*.Foo.com', zones('FOO.COM'), 'Z0'],
  ['nothing without zones', 'foo.com', [], undefined],
])('chooseZone chooses %s', (_, name, available, id) => {
  expect(chooseZone(name, available)?.id).toBe(id)
})
