import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { machineDeployment } from '../testing/machine-objects.ts'
import { workerOf } from '../testing/worker-of.ts'
import { desiredReplicas } from './desired-replicas.ts'

const scaled = workerOf({ pools: [{ minimum: 1, maximum: 3 }] })
const fixed = workerOf({ pools: [{ minimum: 2, maximum: 2 }] })
const limits = { name: 'a-z1', minimum: 1, maximum: 3 }

const having = (replicas: number | undefined, name = 'a-z1') =>
  machineDeployment(name, { spec: replicas === undefined ? {} : { replicas } })

describe('a deployment has', () => {
  test('no machine while hibernation is enabled, in any situation', () => {
    const replicasOf = desiredReplicas({
      worker: fixed,
      hibernation: true,
      observed: [having(2)],
    })
    expect(replicasOf(limits)).toBe(0)
  })

  test('its minimum if no pool of the Worker is scaled', () => {
    const replicasOf = desiredReplicas({ worker: fixed, hibernation: false, observed: [having(5)] })
    expect(replicasOf({ ...limits, minimum: 2, maximum: 2 })).toBe(2)
  })

  test('its current replicas if another pool of the Worker is scaled', () => {
    const worker = workerOf({
      pools: [
        { minimum: 2, maximum: 2 },
        { minimum: 1, maximum: 3 },
      ],
    })
    const replicasOf = desiredReplicas({ worker, hibernation: false, observed: [having(2)] })
    expect(replicasOf({ ...limits, minimum: 2, maximum: 2 })).toBeUndefined()
  })

  test('its minimum if it is new', () => {
    const replicasOf = desiredReplicas({ worker: scaled, hibernation: false, observed: [having(2, 'b-z1')] })
    expect(replicasOf(limits)).toBe(1)
  })

  test('its minimum after a wake-up of the Worker: no deployment of the namespace has a machine', () => {
    const zero = { ...limits, minimum: 0 }
    const asleep = { worker: scaled, hibernation: false, observed: [having(0), having(undefined, 'b-z1')] }
    expect(desiredReplicas(asleep)(limits)).toBe(1)
    expect(desiredReplicas(asleep)(zero)).toBe(0)
    const awake = { ...asleep, observed: [having(0), having(1, 'not-of-this-worker')] }
    expect(desiredReplicas(awake)(zero)).toBeUndefined()
  })

  test('at least its minimum and at most its maximum', () => {
    const having5 = desiredReplicas({ worker: scaled, hibernation: false, observed: [having(5)] })
    expect(having5({ ...limits, minimum: 6, maximum: 9 })).toBe(6)
    expect(having5({ ...limits, minimum: 1, maximum: 4 })).toBe(4)
    expect(having5({ ...limits, minimum: 5, maximum: 5 })).toBeUndefined()
  })

  test('always replicas within its limits, which the next reconcile does not change', () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), fc.nat(20), fc.nat(3), (minimum, more, replicas, other) => {
        const deployment = { name: 'a-z1', minimum, maximum: minimum + more }
        const next = (has: number) =>
          desiredReplicas({
            worker: scaled,
            hibernation: false,
            observed: [having(has), having(other, 'b-z1')],
          })(deployment) ?? has
        const got = next(replicas)
        expect(got).toBeGreaterThanOrEqual(minimum)
        expect(got).toBeLessThanOrEqual(minimum + more)
        expect(next(got)).toBe(got)
      }),
    )
  })
})
