import { expect, test } from 'vitest'
import type { KindName } from '../../../shared/contract/kinds.ts'
import { factsOf } from '../../../shared/lifecycle/lifecycle.ts'
import { isSelected, type Selection, watchedNamespace } from './decide.ts'

const all: Selection = {
  kinds: ['DNSRecord'],
  classes: ['shoot'],
  namespaces: [],
}

test.each<[string, Partial<Selection>, { type?: string; class?: string }, string | undefined, boolean]>([
  ['an object without a class is of class shoot', {}, { type: 'a' }, 'ns', true],
  ['an empty class counts as shoot', {}, { type: 'a', class: '' }, 'ns', true],
  ['another class is not selected', {}, { type: 'a', class: 'garden' }, 'ns', false],
  [
    'another class can be selected',
    { classes: ['shoot', 'garden'] },
    { type: 'a', class: 'garden' },
    'ns',
    true,
  ],
  ['shoot can be left out', { classes: ['garden'] }, { type: 'a' }, 'ns', false],
  ['a namespace in the list', { namespaces: ['ns'] }, { type: 'a' }, 'ns', true],
  ['a namespace that is not in the list', { namespaces: ['ns'] }, { type: 'a' }, 'other', false],
  ['no namespace at all', { namespaces: ['ns'] }, { type: 'a' }, undefined, true],
])('%s', (_, selection, spec, namespace, expected) => {
  const facts = factsOf({ apiVersion: 'v1', kind: 'DNSRecord', metadata: { name: 'x' }, spec })
  expect(isSelected({ ...all, ...selection }, 'DNSRecord', facts, namespace)).toBe(expected)
})

test.each<[string, KindName, { type?: string; class?: string }, boolean]>([
  ['of a kind, type and class that are served', 'DNSRecord', { type: 'zone', class: 'seed' }, true],
  ['of a type that another kind has', 'DNSRecord', { type: 'aws' }, false],
  ['of a class that another type has', 'Infrastructure', { type: 'aws', class: 'seed' }, false],
])('with a list of functions, an object %s', (_, kind, spec, expected) => {
  const served: Selection['served'] = [
    { kind: 'DNSRecord', type: 'zone', classes: ['shoot', 'seed'] },
    { kind: 'Infrastructure', type: 'aws', classes: ['shoot'] },
  ]
  const facts = factsOf({ apiVersion: 'v1', kind, metadata: { name: 'x' }, spec })
  expect(isSelected({ ...all, classes: ['shoot', 'seed'], served }, kind, facts, 'ns')).toBe(expected)
})

test('it watches a single namespace directly; for several namespaces it watches all and filters', () => {
  expect(watchedNamespace({ ...all, namespaces: ['a'] }, true)).toBe('a')
  expect(watchedNamespace({ ...all, namespaces: ['a'] }, false)).toBeUndefined()
  expect(watchedNamespace({ ...all, namespaces: ['a', 'b'] }, true)).toBeUndefined()
  expect(watchedNamespace(all, true)).toBeUndefined()
})
