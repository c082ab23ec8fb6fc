import { expect, test } from 'vitest'
import { compareConstants } from './compare-constants.ts'
import type { Correspondence } from './correspondence.ts'

const constant = (name: string, value: string, type = '') => ({ package: 'core', name, type, value })
const constants = [
  constant('RoleKey', 'gardener.cloud/role'),
  constant('A', 'ERR_A', 'Code'),
  constant('B', 'ERR_B', 'Code'),
]
const compare = (texts: readonly string[], correspondence: Correspondence, path = 'x') =>
  compareConstants(new Map([[path, texts]]), { [path]: correspondence }, constants).map(
    ({ problem, trellis, gardener }) => [problem, trellis, gardener],
  )

test('equal texts are no difference', () => {
  expect(compare(['gardener.cloud/role'], { constants: ['core.RoleKey'] })).toEqual([])
  expect(compare(['ERR_B', 'ERR_A'], { type: 'core.Code', except: {} })).toEqual([])
  expect(compare(['True'], { key: 'core.A' }, 'healthy.ERR_A')).toEqual([])
  expect(compare(['x'], { none: 'own' })).toEqual([])
})

test('a changed value is different', () => {
  expect(compare(['gardener.cloud/part'], { constants: ['core.RoleKey'] })).toEqual([
    ['different', 'gardener.cloud/part', 'gardener.cloud/role'],
  ])
})

test('a removed constant is missing', () => {
  expect(compare(['x'], { constants: ['core.Gone'] })).toEqual([['missing', 'x', 'no core.Gone']])
})

test('a type may have lost values and gained others, except known ones', () => {
  expect(compare(['ERR_A', 'ERR_C'], { type: 'core.Code', except: {} })).toEqual([
    ['missing', 'ERR_C', ''],
    ['new', '', 'ERR_B'],
  ])
  expect(compare(['ERR_A'], { type: 'core.Code', except: { ERR_B: 'only of shoots' } })).toEqual([])
})

test('a text without an entry is an error', () => {
  expect(() => compareConstants(new Map([['x', ['y']]]), {}, constants)).toThrow('x of shared/contract')
})
