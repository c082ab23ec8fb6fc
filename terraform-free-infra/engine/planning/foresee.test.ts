import { expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { formatPlan, graphOf, planGraph, planJson, type ResourceType } from '../engine.ts'

type Cloud = Readonly<Record<never, never>>
interface HouseOutcome {
  readonly id: string
  readonly street: string
}
const house: ResourceType<Cloud, { street: string }, HouseOutcome> = {
  what: 'house',
  list: async () => [],
  create: () => Promise.reject(new Error('a plan makes nothing')),
  foreseen: ({ attributes }) => ({ street: attributes.street ?? '' }),
}
type Sign = Readonly<Record<string, string>>
const sign: ResourceType<Cloud, Sign, object, { house: HouseOutcome }> = {
  what: 'sign',
  list: async () => [],
  create: () => Promise.reject(new Error('a plan makes nothing')),
}

const planOf = (attributes: (needs: { house: HouseOutcome }) => Sign) => {
  const graph = graphOf<Cloud>()
  const one = graph.add(house, 'a', { attributes: { street: 'Elm' } })
  graph.add(sign, 'front', { needs: { house: one }, attributes })
  graph.add(sign, 'back', {
    needs: { house: one },
    attributes: { street: one.get(({ street }) => street), number: one.get(({ id }) => id) },
  })
  return planGraph({
    graph: graph.build(),
    cloud: {},
    state: {},
    clock: virtualClock(0),
    signal: new AbortController().signal,
  })
}

test('a value of a resource to be created is shown if its type foresees it', async () => {
  const plan = await planOf(({ house }) => ({ [`street ${house.street}`]: house.street }))
  expect(formatPlan(plan)).toContain(`+ create sign front
    street Elm: Elm
    after: create house a
+ create sign back
    number: (known after create)
    street: Elm
    after: create house a
`)
  expect(planJson(plan).actions.at(-1)?.changes).toEqual([
    { attribute: 'number', knownAfterCreate: true },
    { attribute: 'street', after: 'Elm' },
  ])
})

test('attributes that depend on an unforeseen value are not shown', async () => {
  const plan = await planOf(({ house }) => ({ [`house ${house.id}`]: house.street }))
  expect(formatPlan(plan)).toContain('+ create sign front\n    attributes: (known after create)\n')
})

test('the plan used for actions retains the value as unknown', async () => {
  const plan = await planOf(({ house }) => ({ street: house.street }))
  formatPlan(plan)
  expect(plan.outcomes.size).toBe(0)
  expect(plan.actions.at(-1)?.changes.every(({ after }) => typeof after === 'symbol')).toBe(true)
})
