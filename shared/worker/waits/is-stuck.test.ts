import { expect, test } from 'vitest'
import { machineDeployment, machineSet } from '../testing/machine-objects.ts'
import { isStuck } from './is-stuck.ts'

const minute = 60_000
const created = Date.UTC(2026, 0, 2, 3, 4, 5)
const taken = {
  creationTimestamp: '2026-01-02T03:04:05Z',
  finalizers: ['machine.sapcloud.io/machine-controller-manager'],
}
const deployment = machineDeployment('a-z1', { metadata: taken })
const later = created + 2 * minute + 1

test('a machine controller that makes no set of the class for two minutes is stuck', () => {
  expect(isStuck(deployment, [], later)).toBe(true)
  expect(isStuck(deployment, [machineSet('s', deployment, 'a-z1-old')], later)).toBe(true)
  const other = machineDeployment('a-z2', { metadata: taken })
  expect(isStuck(deployment, [machineSet('s', other, 'a-z1-new')], later)).toBe(true)
})

test('a machine controller is not stuck before two minutes have passed', () => {
  expect(isStuck(deployment, [], created + 2 * minute)).toBe(false)
})

test('a machine controller is not stuck if the set exists', () => {
  expect(isStuck(deployment, [machineSet('s', deployment, 'a-z1-new')], later)).toBe(false)
})

test('a machine controller that never observed the deployment is not stuck, because none may run', () => {
  const metadata = { ...taken, finalizers: ['other'] }
  expect(isStuck(machineDeployment('a-z1', { metadata }), [], later)).toBe(false)
  const { creationTimestamp: _, ...undated } = taken
  expect(isStuck(machineDeployment('a-z1', { metadata: undated }), [], later)).toBe(false)
})
