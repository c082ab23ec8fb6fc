import { expect, test } from 'vitest'
import { matching } from '../../contract/classify.ts'
import { machine, machineClass, machineDeployment, machineSet } from '../testing/machine-objects.ts'
import { type MachineObjects, machineObjectsGone } from './machine-objects-gone.ts'

const deployment = machineDeployment('d')
const set = machineSet('s', deployment, 'c')
const secretWith = (finalizers?: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'c', ...(finalizers && { finalizers }) },
})

const nothing: MachineObjects = { machines: [], sets: [], deployments: [], classes: [], classSecrets: [] }
const all: MachineObjects = {
  machines: [machine('m1', set), machine('m2', set)],
  sets: [set],
  deployments: [deployment],
  classes: [machineClass('c')],
  classSecrets: [secretWith(['machine.sapcloud.io/machine-controller']), secretWith()],
}
const beginning = 'waiting until the following machine resources have been deleted: '

test('the wait ignores deleted objects and class Secrets without finalizers', () => {
  expect(machineObjectsGone({ ...nothing, classSecrets: [secretWith(), secretWith([])] }, {})).toEqual({
    kind: 'over',
  })
})

test('remaining objects are counted by kind', () => {
  expect(machineObjectsGone(all, {})).toMatchObject({
    kind: 'waiting',
    message: `${beginning}2 machines, 1 machine sets, 1 machine deployments, 1 machine classes, 1 machine class secrets`,
  })
})

test.each<[keyof MachineObjects, string]>([
  ['machines', '2 machines'],
  ['sets', '1 machine sets'],
  ['deployments', '1 machine deployments'],
  ['classes', '1 machine classes'],
  ['classSecrets', '1 machine class secrets'],
])('remaining %s are waited for', (kind, counts) => {
  expect(machineObjectsGone({ ...nothing, [kind]: all[kind] }, {})).toMatchObject({
    message: `${beginning}${counts}`,
  })
})

test('a failed machine ends the wait with its code', () => {
  const failed = machineDeployment('d', {
    status: { failedMachines: [{ name: 'm1', lastOperation: { description: 'quota' } }] },
  })
  const classifiers = [matching('ERR_INFRA_QUOTA_EXCEEDED', /quota/)]
  expect(machineObjectsGone({ ...all, deployments: [failed] }, { classifiers })).toMatchObject({
    kind: 'failed',
    error: { message: 'machine m1 failed: quota', codes: ['ERR_INFRA_QUOTA_EXCEEDED'] },
  })
})
