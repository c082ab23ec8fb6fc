import { expect, test } from 'vitest'
import { blocks } from './testing/shoot-network.ts'
import { setUp, stepsOver } from './testing/steps.ts'

class ProcessDied extends Error {}

/** Lives through a Bastion. The process dies once, at one call, before or after it took effect. */
const liveThrough = async (at: number, when: 'before' | 'after') => {
  const world = await setUp()
  const { cloud, clock, infrastructure } = world
  let count = 0
  let died: string | undefined
  const die = (moment: 'before' | 'after') => (call: string) => {
    if (moment === 'before') count++
    if (count !== at || moment !== when || died !== undefined) return
    died = call
    throw new ProcessDied(call)
  }
  const interference = { before: die('before'), after: die('after') }
  const steps = stepsOver(cloud.connection, clock, {}, { infrastructure, ...interference })
  const complete = async (operation: 'reconcile' | 'remove') => {
    try {
      await steps.until(operation)
    } catch {
      await steps.until(operation)
    }
  }
  await complete('reconcile')
  steps.change({ ingress: blocks('5.6.7.0/24') })
  await complete('reconcile')
  const made = {
    servers: world.servers().length,
    groups: world.groups().length,
    addresses: world.addresses().length,
    ranges: world
      .rules()
      .filter(({ security_group_id: id }) => id === world.groups()[0]?.id)
      .flatMap(({ remote_ip_prefix: range }) => range ?? []),
  }
  await complete('remove')
  const left = [...world.servers(), ...world.groups(), ...world.addresses()]
  return { died, made, left }
}

test('a bastion survives the death of its process at every call', async () => {
  let at = 1
  for (; ; at++) {
    const results = [await liveThrough(at, 'before'), await liveThrough(at, 'after')]
    for (const { died, made, left } of results)
      expect({ at, died, made, left }).toEqual({
        at,
        died,
        made: { servers: 1, groups: 1, addresses: 1, ranges: ['5.6.7.0/24'] },
        left: [],
      })
    if (results.every(({ died }) => died === undefined)) break
  }
  expect(at).toBeGreaterThan(30)
})
