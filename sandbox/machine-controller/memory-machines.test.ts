import { expect, test } from 'vitest'
import type { MachineRequest } from './machine-cloud.ts'
import { memoryMachines } from './memory-machines.ts'

const machineClass = (name: string, providerSpec: object = { size: 'small' }) =>
  ({
    metadata: { name, namespace: 'rose' },
    provider: 'acme',
    providerSpec,
  }) as unknown as MachineRequest['machineClass']
const { signal } = new AbortController()
const request = (name: string, className = 'a'): MachineRequest => ({
  name,
  providerId: undefined,
  machineClass: machineClass(className),
  secret: {},
})

test('a created machine is found by its name and its id', async () => {
  const cloud = memoryMachines('acme')
  expect(await cloud.find(request('one'), signal)).toBeUndefined()
  const made = await cloud.create(request('one'), signal)
  expect(await cloud.create(request('one'), signal)).toEqual(made)
  expect(await cloud.find(request('one'), signal)).toEqual({ ...made, initialized: true })
  expect(cloud.powerOf(made.providerId)).toBe('on')
  await cloud.remove({ ...request('other'), providerId: made.providerId }, signal)
  expect(cloud.powerOf(made.providerId)).toBe('gone')
  expect(cloud.powerOf('aws:///x')).toBeUndefined()
})

test('machines are listed by their class', async () => {
  const cloud = memoryMachines('acme')
  const { providerId } = await cloud.create(request('one', 'a'), signal)
  await cloud.create(request('two', 'b'), signal)
  expect([...(await cloud.list(machineClass('a'), {}, signal))]).toEqual([[providerId, 'one']])
})

test('a class without machine settings creates no machine', async () => {
  const asked = { ...request('one'), machineClass: machineClass('a', {}) }
  await expect(memoryMachines('acme').create(asked, signal)).rejects.toThrow('contains no machine definition')
})
