import { expect, test } from 'vitest'
import { compareDefinitions, type Definition } from './compare-definitions.ts'

const definition = (spec: object, { kind = 'Worker', group = 'a.b', required = [] as string[] } = {}) =>
  ({
    spec: {
      group,
      names: { kind },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: spec, required } },
            },
          },
        },
      ],
    },
  }) satisfies Definition
const text = { type: 'string', description: 'a text' }
const compare = (ours: Definition, theirs: Definition) =>
  compareDefinitions([ours], [theirs]).map(({ subject, problem }) => `${problem} ${subject}`)

test('descriptions and the sequence of fields make no difference', () => {
  const ours = definition({ a: text, b: { type: 'array', items: text } })
  const theirs = definition({
    b: { items: { description: 'another', type: 'string' }, type: 'array' },
    a: { type: 'string' },
  })
  expect(compare(ours, theirs)).toEqual([])
})

test('a field is missing, new, or different in a keyword or in being required', () => {
  const ours = definition({ gone: text, typed: text, needed: text })
  const theirs = definition(
    { added: text, typed: { type: 'integer' }, needed: text },
    { required: ['needed'] },
  )
  expect(compare(ours, theirs)).toEqual([
    'new Worker .spec.added',
    'missing Worker .spec.gone',
    'different Worker .spec.needed',
    'different Worker .spec.typed',
  ])
})

test('a field stands for the fields in it', () => {
  const list = { type: 'array', items: { type: 'object', properties: { a: text } } }
  expect(compare(definition({}), definition({ list, map: { additionalProperties: list } }))).toEqual([
    'new Worker .spec.list',
    'new Worker .spec.map',
  ])
})

test('a kind is missing, or new in one of the groups', () => {
  const another = definition({}, { kind: 'Machine' })
  expect(compare(definition({}), another)).toEqual(['missing Worker', 'new Machine'])
  expect(compareDefinitions([another], [another, definition({}, { group: 'c.d' })])).toEqual([])
})
