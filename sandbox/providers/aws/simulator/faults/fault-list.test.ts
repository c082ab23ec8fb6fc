import { expect, test } from 'vitest'
import type { FaultOrder } from './fault.ts'
import { createFaultList } from './fault-list.ts'

const drop = { kind: 'drop' } as const
const list = { service: 'route53', action: 'List', accessKeyId: 'A' }

test.each<[title: string, order: FaultOrder, met: boolean[]]>([
  ['the next call', { effect: drop }, [true, false, false, false]],
  ['the third call', { nth: 3, effect: drop }, [false, false, true, false]],
  ['two calls from the second on', { nth: 2, times: 2, effect: drop }, [false, true, true, false]],
  ['every call', { times: null, effect: drop }, [true, true, true, true]],
  ['calls of a pattern', { action: 'L*', times: 2, effect: drop }, [true, true, false, false]],
  ['no call of another action', { action: 'Create', effect: drop }, [false, false, false, false]],
  ['no call of another service', { service: 'ec2', effect: drop }, [false, false, false, false]],
  ['no call of another key', { accessKeyId: 'B', effect: drop }, [false, false, false, false]],
])('a fault meets %s', (_, order, met) => {
  const faults = createFaultList({ now: () => 0 })
  faults.add(order)
  expect(met.map(() => faults.meet(list).length > 0)).toEqual(met)
})

test('a fault counts only matching calls', () => {
  const faults = createFaultList({ now: () => 0 })
  faults.add({ action: 'List', nth: 2, effect: drop })
  expect(faults.meet(list)).toEqual([])
  expect(faults.meet({ ...list, action: 'Create' })).toEqual([])
  expect(faults.meet(list)).toHaveLength(1)
})

test('a removed fault affects no calls', () => {
  const faults = createFaultList({ now: () => 0 })
  const takeBack = faults.add({ effect: drop })
  takeBack()
  expect(faults.meet(list)).toEqual([])
})

test('a storm lasts for a time that starts with the first call that it affects', () => {
  let now = 0
  const faults = createFaultList({ now: () => now })
  faults.add({ action: 'Li*', lasts: 1_000, effect: { kind: 'throttle' } })
  const isMet = (time: number) => {
    now = time
    return faults.meet(list).length > 0
  }
  expect([5_000, 5_500, 5_999].map(isMet)).toEqual([true, true, true])
  expect(faults.pending()).toHaveLength(1)
  now = 6_000
  expect(faults.pending()).toEqual([])
  expect([6_000, 5_500].map(isMet)).toEqual([false, false])
})

test('a storm can have a maximum of calls and end earlier', () => {
  const faults = createFaultList({ now: () => 0 })
  faults.add({ times: 2, lasts: 1_000, effect: drop })
  expect([0, 1, 2].map(() => faults.meet(list).length)).toEqual([1, 1, 0])
})
