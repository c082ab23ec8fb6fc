import { describe, expect, test } from 'vitest'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { withoutMemory } from '../../engine/engine.ts'
import { infrastructureGraph } from './graph.ts'
import { zonesOf } from './network/testing/zones.ts'
import { convergeOver, desiredOf } from './testing/converge.ts'

const isRead = (action: string): boolean => /^(?:Describe|Get|List)/.test(action)

describe.each([
  { count: 1, create: 55, remove: 42 },
  { count: 3, create: 75, remove: 60 },
])('the infrastructure of a shoot with $count zones', ({ count, create, remove }) => {
  test('costs few calls with realistic delays of AWS, and no writes if nothing differs', async () => {
    const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
    const aws = shuffledAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false } })
    const { converge } = convergeOver(aws.requestHandler, clock)
    const actions = () => aws.calls.all().map(({ action }) => action)
    const sshPublicKey =
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKU3qVAHFVKRFCRZxX6Cw6RZ5CDsvJCJyTTqLPcrFb6Y test'
    const desired = desiredOf({ zones: zonesOf(count), sshPublicKey })

    const start = clock.now()
    const made = await converge(infrastructureGraph(desired))
    expect(actions().length).toBeLessThanOrEqual(create)
    // The longest chain of waits: a subnet (1 s) and a NAT gateway (100 s).
    expect(clock.now() - start).toBeLessThanOrEqual(101_000 * 1.1)

    aws.calls.clear()
    expect((await converge(infrastructureGraph(desired), { state: made.state })).state).toEqual(made.state)
    expect(actions().filter(action => !isRead(action))).toEqual([])
    expect(actions().length).toBeLessThanOrEqual(15)

    aws.calls.clear()
    const end = clock.now()
    const purpose = { destroying: true }
    const gone = await converge(infrastructureGraph(desired, purpose), { state: made.state, destroy: true })
    expect(withoutMemory(gone.state)).toEqual({})
    expect(actions().length).toBeLessThanOrEqual(remove)
    expect(clock.now() - end).toBeLessThanOrEqual(50_000 * 1.1)
  })
})
