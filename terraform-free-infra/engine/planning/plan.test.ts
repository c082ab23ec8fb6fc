import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { graphOf } from '../graph/graph.ts'
import type { AnyFound, ResourceType } from '../graph/resource-type.ts'
import { knownAfterCreate } from '../graph/resource-type.ts'
import { withoutMemory } from '../memory.ts'
import { bed, type Ours, path, plot } from '../testing/fake-provider.ts'
import { gardener } from '../testing/gardener.ts'
import { desired } from '../testing/reconcile-graph.ts'
import { formatPlan, planJson } from './format-plan.ts'
import { planChanges } from './plan.ts'

const without = { ...desired, beds: { a: 'clay' }, paths: [] }

/** Returns an observed garden in its desired state, an hour later. */
const grown = async () => {
  const clock = virtualClock(0)
  const mine = gardener(clock)
  await mine.until(desired)
  await clock.advance(3_600_000)
  return mine
}
type Mine = Awaited<ReturnType<typeof grown>>

const sentences = async (mine: Mine, resolved = desired, destroy = false) =>
  (await mine.plan(resolved, { destroy })).actions.map(({ sentence }) => sentence)

const moment = { now: 0, shownWithinMs: 1_000 }

describe('a plan', () => {
  test('is empty if nothing differs', async () => {
    const mine = await grown()
    const plan = await mine.plan(desired)
    expect(formatPlan(plan)).toBe('Nothing to do.\n')
    expect(planJson(plan)).toEqual({ destroying: false, actions: [] })
  })

  test('creates everything in the order of its needs, and marks values that are only known after a create', async () => {
    const plan = await gardener(virtualClock(0)).plan(desired)
    expect(formatPlan(plan)).toBe(`+ create plot
    climate: mild
+ create bed a
    blessing: (known after create)
    plot: (known after create)
    soil: clay
    after: create plot
+ create bed b
    blessing: (known after create)
    plot: (known after create)
    soil: loam
    after: create plot
+ create path a-b
    attributes: (known after create)
    after: create bed a, create bed b

Plan: 4 to create, 0 to change, 0 to delete
`)
    expect(planJson(plan).actions[1]).toEqual({
      kind: 'create',
      sentence: 'create bed a',
      after: ['create plot'],
      changes: [
        { attribute: 'blessing', knownAfterCreate: true },
        { attribute: 'plot', knownAfterCreate: true },
        { attribute: 'soil', after: 'clay' },
      ],
    })
  })

  test('shows users only the last predecessors, and gives programs all of them', async () => {
    const mine = await grown()
    const plan = await mine.plan(desired, { destroy: true })
    expect(formatPlan(plan)).toContain(`- delete plot (plot-1)
    after: delete bed a (bed-2), delete bed b (bed-3)
`)
    expect(planJson(plan).actions.find(({ sentence }) => sentence === 'delete plot (plot-1)')?.after).toEqual(
      expect.arrayContaining(['delete bed a (bed-2)', 'delete bed b (bed-3)']),
    )
  })

  test('starts a removal at once if its dependents report that they do not use it', async () => {
    const mine = await grown()
    const standing = (uses: boolean): typeof path => ({
      ...path,
      list: async context =>
        (await path.list(context)).map(found => ({ ...found, ...(!uses && { uses: [] }) })),
    })
    const afterOf = async (uses: boolean) => {
      const built = graphOf<Ours>()
      const base = built.add(plot, '', { key: '', attributes: { climate: 'mild' } })
      const add = (name: string) =>
        built.add(bed, name, {
          needs: { plot: base },
          attributes: { soil: 'clay', plot: base.get(({ id }) => id) },
        })
      built.add(standing(uses), 'a-b', { needs: { from: add('a'), to: add('b') }, attributes: {} })
      const plan = await mine.plan(desired, { graph: built.build(), destroy: true })
      return plan.actions.find(({ sentence }) => sentence === 'delete bed a (bed-2)')?.after
    }
    expect(await afterOf(false)).toEqual([])
    expect(await afterOf(true)).toEqual(['delete path a-b (path-4)'])
  })

  test.each<[drift: string, (mine: Mine) => void, text: string]>([
    [
      'a changed attribute',
      mine => mine.edit('plot-1', { attributes: { climate: 'arctic' } }),
      '~ update plot\n    climate: arctic → mild\n',
    ],
    [
      'a member of a set that went',
      mine => mine.edit('path-4', { attributes: { from: 'bed-2', to: 'bed-3', 'stone bed-2': 'granite' } }),
      '~ update path a-b\n    stone bed-3: slate\n',
    ],
    [
      'a foreign member in a set of ours',
      mine => {
        const path = mine.all().find(({ id }) => id === 'path-4')
        mine.edit('path-4', { attributes: { ...path?.attributes, 'stone bed-9': 'chalk' } })
      },
      '~ update path a-b\n    stone bed-9: chalk → (removed)\n',
    ],
    ['a thing that went', mine => mine.edit('path-4', { goneAt: 0 }), '+ create path a-b\n'],
  ])('repairs %s and nothing else', async (_, drift, text) => {
    const mine = await grown()
    drift(mine)
    const plan = await mine.plan(desired)
    expect(plan.actions).toHaveLength(1)
    expect(formatPlan(plan)).toContain(text)
    const { length } = mine.writes()
    await mine.until(desired)
    expect(await sentences(mine)).toEqual([])
    expect(
      mine
        .writes()
        .slice(length)
        .every(call => call.includes('path') || call.includes('plot-1')),
    ).toBe(true)
  })

  test('shows the consequences of a value that exists only after a change', async () => {
    const mine = await grown()
    const blessed = { ...desired, blessing: 'sun' }
    expect(formatPlan(await mine.plan(blessed))).toContain(`~ update plot
    blessing: sun
~ update bed a
    blessing: (known after create)
    after: update plot
`)
    expect((await mine.step(blessed)).kind).toBe('continue')
    expect(await sentences(mine, blessed)).toEqual([])
  })

  test('retains attributes that others added', async () => {
    const mine = await grown()
    const path = mine.all().find(({ id }) => id === 'path-4')
    mine.edit('path-4', { attributes: { ...path?.attributes, bench: 'oak' } })
    expect(await sentences(mine)).toEqual([])
  })

  test('replaces a resource that cannot be changed, with all resources that depend on it', async () => {
    const mine = await grown()
    const plan = await mine.plan({ ...desired, beds: { a: 'loam', b: 'loam' } })
    expect(plan.actions.map(({ sentence, after }) => [sentence, after])).toEqual([
      ['delete path a-b (path-4)', []],
      ['delete bed a (bed-2)', ['delete path a-b (path-4)']],
      ['replace bed a', ['delete bed a (bed-2)']],
      ['replace path a-b', ['replace bed a', 'delete path a-b (path-4)']],
    ])
  })

  test('deletes nothing because of a value that is still unknown', async () => {
    const mine = await grown()
    mine.edit('plot-1', { goneAt: 0 })
    const plan = await mine.plan(desired)
    expect(plan.actions.map(({ kind, sentence }) => `${kind}: ${sentence}`)).toEqual([
      'create: create plot',
      'update: update bed a',
      'update: update bed b',
    ])
    expect(plan.actions[1]?.changes).toEqual([
      { attribute: 'blessing', before: undefined, after: knownAfterCreate },
      { attribute: 'plot', before: 'plot-1', after: knownAfterCreate },
    ])
  })

  test('removes a resource that is no longer desired, and its users first', async () => {
    const mine = await grown()
    const plan = await mine.plan(without)
    expect(plan.actions.map(({ sentence, after }) => [sentence, after])).toEqual([
      ['delete path a-b (path-4)', []],
      ['delete bed b (bed-3)', ['delete path a-b (path-4)']],
    ])
    await mine.until(without)
    expect(Object.keys(withoutMemory(mine.stored.state))).toEqual(['plot', 'bed a', 'Gone/bed b'])
  })

  test('removes everything in reverse order', async () => {
    const mine = await grown()
    expect(await sentences(mine, desired, true)).toEqual([
      'delete path a-b (path-4)',
      'delete bed a (bed-2)',
      'delete bed b (bed-3)',
      'delete plot (plot-1)',
    ])
  })

  test('removes an unused duplicate, and retains the one that others use', async () => {
    const mine = await grown()
    mine.stored.state = {}
    await mine.fake.create('plot', { owner: 'me', name: '', on: [], attributes: { climate: 'mild' } })
    expect(await sentences(mine)).toEqual([
      'adopt plot (plot-1)',
      'adopt bed a (bed-2)',
      'adopt bed b (bed-3)',
      'adopt path a-b (path-4)',
      'delete plot (plot-5)',
    ])
    await mine.until(desired)
    expect(mine.all().map(({ id }) => id)).toEqual(['plot-1', 'bed-2', 'bed-3', 'path-4'])
  })

  test('retains a resource of unproved ownership, and reports it', async () => {
    const mine = await grown()
    const other = { owner: 'me', on: [], attributes: {} } as const
    await mine.fake.create('bed', { ...other, name: 'a' })
    await mine.fake.create('bed', { ...other, name: 'z' })
    mine.edit('bed-5', { marked: false })
    mine.edit('bed-6', { marked: false, likely: true })
    for (const destroy of [false, true]) {
      const plan = await mine.plan(desired, { destroy })
      expect(plan.actions.map(({ sentence }) => sentence).join()).not.toMatch(/bed-[56]/)
      expect(plan.left).toEqual([
        { label: 'bed a', id: 'bed-5', why: 'no record or tag shows that it belongs to this object' },
        { label: 'bed z', id: 'bed-6', why: 'no record or tag shows that it belongs to this object' },
      ])
    }
    expect(formatPlan(await mine.plan(desired))).toBe(
      'Nothing to do.\norphaned: bed a (bed-5): no record or tag shows that it belongs to this object\norphaned: bed z (bed-6): no record or tag shows that it belongs to this object\n',
    )
  })

  test('retains a leftover in use, and the resources that it uses', async () => {
    const mine = await grown()
    await mine.fake.create('plot', { owner: 'me', name: 'left', on: [], attributes: {} })
    await mine.fake.create('bed', { owner: 'me', name: 'left', on: ['plot-5'], attributes: {} })
    expect(await sentences(mine)).toEqual(['delete bed left (bed-6)', 'delete plot left (plot-5)'])
    await mine.fake.create('path', { owner: 'me', name: 'mine', on: ['bed-6'], attributes: {} })
    mine.edit('path-7', { marked: false })
    const plan = await mine.plan(desired)
    expect(plan.actions).toEqual([])
    expect(plan.left.map(({ id, why }) => `${id}: ${why}`)).toEqual([
      'plot-5: it is in use by bed bed-6',
      'bed-6: it is in use by path path-7',
      'path-7: no record or tag shows that it belongs to this object',
    ])
  })

  test('adopts a likely resource if it is missing, but never replaces it', async () => {
    const mine = await grown()
    mine.edit('bed-2', { marked: false, likely: true })
    const { 'bed a': _, ...state } = mine.stored.state
    mine.stored.state = state
    expect(await sentences(mine)).toEqual(['adopt bed a (bed-2)'])
    const other = { ...desired, beds: { ...desired.beds, a: 'chalk' } }
    const plan = await mine.plan(other)
    expect(plan.actions.map(({ sentence }) => sentence)).toContain('create bed a')
    expect(plan.actions.map(({ sentence }) => sentence).join()).not.toContain('bed-2')
    expect(plan.left.map(({ id }) => id)).toEqual(['bed-2'])
  })

  test('selects the duplicate that others use, whichever is older', async () => {
    const mine = await grown()
    mine.stored.state = {}
    await mine.fake.create('plot', { owner: 'me', name: '', on: [], attributes: { climate: 'mild' } })
    for (const { id, attributes } of mine.all().filter(({ id }) => id.startsWith('bed')))
      mine.edit(id, { on: ['plot-5'], attributes: { ...attributes, plot: 'plot-5' } })
    expect(await sentences(mine)).toContain('adopt plot (plot-5)')
    expect(await sentences(mine)).toContain('delete plot (plot-1)')
  })

  test('does not wait for indirect dependents once the resources in between are gone', () => {
    const type = (what: string): ResourceType<undefined, { readonly a: string }, string> => ({
      what,
      list: async () => [],
      remove: async () => 'gone',
    })
    const [root, stem, leaf] = [type('root'), type('stem'), type('leaf')]
    const graph = graphOf<undefined>()
    const low = graph.add(root, '', { attributes: { a: 'x' } })
    const middle = graph.add(stem, '', { attributes: { a: low.get(id => id) } })
    graph.add(leaf, '', { attributes: { a: middle.get(id => id) } })
    const found = (id: string): AnyFound => ({
      id,
      key: '',
      status: 'ready',
      attributes: {},
      outcome: id,
      ours: 'proved',
    })
    const plan = planChanges({
      graph: graph.build(),
      observed: new Map([
        [root, [found('r')]],
        [leaf, [found('l')]],
      ]),
      state: {},
      moment,
      destroy: true,
    })
    expect(plan.actions.map(({ sentence, after }) => [sentence, after])).toEqual([
      ['delete root (r)', []],
      ['delete leaf (l)', []],
    ])
  })

  test('does not match the state key of another type', () => {
    const type = (what: string): ResourceType<undefined, { readonly a: string }, string> => ({
      what,
      list: async () => [],
    })
    const [path, light] = [type('path'), { ...type('path light'), remove: async () => 'gone' as const }]
    const graph = graphOf<undefined>()
    graph.sweep(path)
    graph.sweep(light)
    const lamp: AnyFound = { id: 'lamp-1', key: 'a', status: 'ready', attributes: {}, outcome: '' }
    const sentencesFor = (found: readonly AnyFound[]) =>
      planChanges({
        graph: graph.build(),
        observed: new Map([[light, found]]),
        state: { 'path light a': 'lamp-1' },
        moment,
      }).actions.map(({ sentence }) => sentence)
    expect(sentencesFor([lamp])).toEqual(['delete path light a (lamp-1)'])
  })

  test('never includes resources that are not ours', async () => {
    const mine = await grown()
    await mine.fake.create('bed', { owner: 'you', name: 'a', on: ['plot-1'], attributes: {} })
    expect(await sentences(mine)).toEqual([])
    expect(await sentences(mine, desired, true)).not.toContain('delete bed a (bed-5)')
  })

  test('forgets keys that are neither present nor desired', async () => {
    const mine = await grown()
    mine.edit('path-4', { goneAt: 0 })
    mine.edit('bed-3', { goneAt: 0 })
    expect(await sentences(mine, without)).toEqual(['forget bed bed b', 'forget path path a-b'])
  })

  test('replaces and reports a failed resource, waits for a disappearing one, and uses no token twice', async () => {
    const clock = virtualClock(0)
    const mine = gardener(clock, { pendingMs: 1_000, goingMs: 30_000, unlistedMs: 0 })
    await mine.step(without)
    mine.edit('bed-2', { failed: true })
    expect(await sentences(mine, without)).toEqual(['delete bed a (bed-2)', 'replace bed a'])
    const failure = await mine.step(without).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      message: 'wait for bed a to become available: bed a (bed-2) has failed',
    })
    await clock.advance(5_000)
    expect((await mine.step(without)).kind).toBe('continue')
    expect(await sentences(mine, without)).toEqual(['wait for bed a (bed-2) to be deleted', 'replace bed a'])
    const old = mine.all().find(({ id }) => id === 'bed-2')?.token
    await mine.until(without)
    const now = mine.all().find(({ id }) => id === 'bed-3')
    expect(now?.token).toMatch(/^[0-9a-f]{32}$/)
    expect(now?.token).not.toBe(old)
  })

  test('gives a recreated resource another token, however long ago it was removed', async () => {
    const clock = virtualClock(0)
    const mine = gardener(clock)
    const tokens: (string | undefined)[] = []
    for (const resolved of [desired, without, desired, without, desired]) {
      await mine.until(resolved)
      const made = mine.all().find(({ name }) => name === 'b')
      if (made !== undefined) tokens.push(made.token)
      await clock.advance(7_200_000)
    }
    expect(new Set(tokens).size).toBe(3)
    await mine.until(desired, { destroy: true })
    expect(withoutMemory(mine.stored.state)).toEqual({})
  })
})
