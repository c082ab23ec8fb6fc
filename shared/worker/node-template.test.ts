import { expect, test } from 'vitest'
import { nodeTemplateOf } from './node-template.ts'

const place = { region: 'r', zone: 'z' }

test('a WorkerConfig overrides the capacities of its pool, in canonical form', () => {
  const pool = { machineType: 'large', nodeTemplate: { capacity: { cpu: 2, memory: '1024Mi' } } }
  const own = { capacity: { cpu: '3000m' }, virtualCapacity: { 'x.y/z': 1 } }
  expect(nodeTemplateOf(pool, own, place)).toEqual({
    ...place,
    capacity: { cpu: '3', memory: '1Gi' },
    virtualCapacity: { 'x.y/z': '1' },
    instanceType: 'large',
    architecture: 'amd64',
  })
})

test('without any capacity there is none', () => {
  expect(nodeTemplateOf({ machineType: 'large' }, {}, place)).toBeUndefined()
  expect(nodeTemplateOf({ machineType: 'large' }, { virtualCapacity: {} }, place)).toMatchObject({
    capacity: {},
  })
})
