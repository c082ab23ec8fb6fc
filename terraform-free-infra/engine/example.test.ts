import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { type ReconcileInput, reconcileGraph, type State } from './engine.ts'
import { withoutMemory } from './memory.ts'
import { type ToyCloud, type ToyNetwork, toyGraph } from './testing/example.ts'

const page = new URL('../../docs/engine.md', import.meta.url)

/** A cloud that stores networks in memory. */
const toyCloud = () => {
  const networks = new Map<string, ToyNetwork>()
  const cloud: ToyCloud = {
    networks: async () => [...networks.values()],
    createNetwork: async (name, cidr, token) => {
      networks.set(token, { id: token, name, cidr, mtu: 1500 })
      return { id: token, name, cidr, mtu: 1500 }
    },
    setMtu: async (id, mtu) => {
      const network = networks.get(id)
      if (network !== undefined) networks.set(id, { ...network, mtu })
    },
    deleteNetwork: async id => {
      networks.delete(id)
    },
  }
  return { cloud, networks }
}

describe('the example of docs/engine.md', () => {
  test('matches the code of this test', () => {
    expect(existsSync(page)).toBe(true)
    const source = readFileSync(new URL('testing/example.ts', import.meta.url), 'utf8')
    // The page imports from the folder beside the engine.
    const shown = source.replace(/'\.\.\/(engine\.ts)'/, "'../engine/$1'")
    expect(readFileSync(page, 'utf8')).toContain(shown)
  })

  test('creates the networks of its zones, and removes those of a removed zone', async () => {
    const { cloud, networks } = toyCloud()
    let state: State = {}
    const step = (zones: readonly string[], more: Partial<ReconcileInput<ToyCloud>> = {}) =>
      reconcileGraph({
        graph: toyGraph(zones),
        cloud,
        state,
        save: async next => {
          state = next
        },
        uid: 'uid-1',
        clock: systemClock,
        signal: new AbortController().signal,
        throwIfExpired: () => undefined,
        errorKindOf: () => 'other',
        ...more,
      })
    const there = () => [...networks.values()].map(({ name, cidr, mtu }) => `${name} ${cidr} ${mtu}`)
    expect((await step(['a', 'b'])).kind).toBe('converged')
    expect(there()).toEqual(['a 10.0.0.0/24 9000', 'b 10.0.1.0/24 9000'])
    expect((await step(['a'])).kind).toBe('converged')
    expect(there()).toEqual(['a 10.0.0.0/24 9000'])
    expect((await step(['a'], { destroy: true })).kind).toBe('converged')
    expect(there()).toEqual([])
    expect(withoutMemory(state)).toEqual({})
  })
})
