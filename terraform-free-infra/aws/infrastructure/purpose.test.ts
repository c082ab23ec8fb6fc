import { describe, expect, test } from 'vitest'
import { isDoneWith } from './tags.ts'

const thing = { what: 'load balancer', keys: ['LoadBalancer'] }
const going = { 'Waiting/NAT gateway a (nat-1)': '2026-11-21T00:00:00Z going nat-1 NAT gateway' }

describe('a read for a type is skipped', () => {
  test('in a step of a deletion that only waits for other types', () => {
    expect(isDoneWith(going, { destroying: true }, thing)).toBe(true)
  })

  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['not while nothing is waited for: it may be the first', {}, true],
    ['not while the state knows one', { ...going, LoadBalancer: 'lb-1' }, true],
    ['not while a create got no answer', { ...going, 'Creating/LoadBalancer': '2026-11-21T00:00:00Z' }, true],
    ['not while one is waited for', { 'Waiting/x': '2026-11-21T00:00:00Z going lb-1 load balancer' }, true],
    [
      'not once something was refused or has failed',
      { ...going, 'Waiting/x': '2026-11-21T00:00:00Z busy sg-1 group' },
      true,
    ],
    ['not while the wait may be that of a reconcile', { ...going, IAMRoleName: 'nodes' }, true],
    ['not in a reconcile', going, false],
  ])('%s', (_, state, destroying) => {
    expect(isDoneWith(state, { destroying }, thing)).toBe(false)
  })
})
