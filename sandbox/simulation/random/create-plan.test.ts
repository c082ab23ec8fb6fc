import { expect, test } from 'vitest'
import { createPlan } from './create-plan.ts'
import type { NamedCloud } from './random-cloud.ts'
import { eventFaults, injectedFaults } from './world-plan.ts'

const cloud: NamedCloud = {
  name: 'none',
  create: () => {
    throw new Error('a plan needs no cloud')
  },
  changes: ['change a zone'],
  accidents: ['delete a subnet'],
}

test('the plans of some seeds have every delivery, kind of action, fault and request', () => {
  const plans = Array.from({ length: 300 }, (_, seed) => createPlan(String(seed), [cloud]))
  const actions = plans.flatMap(plan => plan.actions)
  const all = (values: readonly unknown[]) => [...new Set(values.map(String))].sort()
  expect(all(plans.map(plan => plan.delivery))).toEqual([
    'in-memory',
    'kafka',
    'nats',
    'rabbitmq',
    'seed process',
  ])
  expect(plans.some(plan => plan.visibleAfterMs > 0)).toBe(true)
  expect(all(actions.map(({ kind }) => kind))).toEqual([
    'accident in the cloud',
    'accident in the seed',
    'change credentials',
    'cut watches',
    'faults',
    'freeze',
    'kill',
    'lag',
    'pause',
    'refuse credentials',
    'replace dispatchers',
    'request',
    'restore etcd',
    'skew',
    'stop',
    'take storage away',
  ])
  const faults = actions.flatMap(action => (action.kind === 'faults' ? [action] : []))
  expect(all(faults.map(({ fault }) => fault))).toEqual(all([...injectedFaults, ...eventFaults]))
  const ofEvents: readonly unknown[] = eventFaults
  expect(all(faults.filter(({ fault }) => ofEvents.includes(fault)).map(({ way }) => way))).toEqual([
    'events',
  ])
  const requests = actions.flatMap(action => (action.kind === 'request' ? [action.request.kind] : []))
  expect(all(requests)).toEqual([
    'change',
    'close bastion',
    'delete',
    'hibernate',
    'migrate',
    'open bastion',
    'reconcile',
    'rotate',
    'wake',
  ])
})

test('a seed that names its cloud has the same plan whichever other clouds there are', () => {
  const others = ['one', 'two'].map(name => ({ ...cloud, name }))
  for (let seed = 0; seed < 20; seed++) {
    const alone = createPlan(String(seed), [cloud])
    expect(createPlan(`none-${seed}`, [...others, cloud])).toEqual(alone)
    expect(createPlan(`two-${seed}`, [...others, cloud]).cloud).toBe('two')
  }
})
