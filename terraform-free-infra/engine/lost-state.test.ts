import { describe, expect, test } from 'vitest'
import { ApplyError } from './error-kind.ts'
import { graphOf } from './graph/graph.ts'
import { withoutMemory } from './memory.ts'
import { collectGraph } from './reconcile-graph.ts'
import type { State } from './state.ts'
import { FakeCloudError } from './testing/fake-cloud.ts'
import { type Ours, plot } from './testing/fake-provider.ts'
import { desired, failureOf, names, setUp } from './testing/reconcile-graph.ts'

/** Removes the mark of all resources, which are then likely ours by their place. */
const unmarked = (mine: ReturnType<typeof setUp>['mine']): void => {
  for (const { id } of mine.all()) mine.edit(id, { marked: false, likely: true })
}

describe('the state keys to record', () => {
  test('are saved before any action', async () => {
    const { mine } = setUp()
    const saved: object[] = []
    mine.onWrite(() => void saved.push(mine.stored.state))
    await mine.step(desired, { record: { For: 'uid-1' } })
    expect(saved[0]).toMatchObject({ For: 'uid-1' })
    expect(mine.stored.state).toMatchObject({ For: 'uid-1' })
  })

  test('need no save if there is nothing to do, and are part of the outcome', async () => {
    const { mine } = setUp()
    await mine.until(desired)
    const { saves } = mine.stored
    const { state } = await mine.step(desired, { record: { For: 'uid-1' } })
    expect(state).toEqual({ ...mine.stored.state, For: 'uid-1' })
    expect(mine.stored.saves).toBe(saves)
  })
})

test('an adopted resource is recorded in one save', async () => {
  const { mine } = setUp()
  await mine.until(desired)
  unmarked(mine)
  const whole = mine.stored.state
  mine.stored.state = {}
  const { saves } = mine.stored
  mine.calls.length = 0
  await mine.step(desired)
  expect(mine.stored.state).toEqual(withoutMemory(whole))
  expect(mine.stored.saves).toBe(saves + 1)
  expect(mine.writes()).toEqual([])
})

describe('a deletion with a lost state', () => {
  test('records and then removes likely resources in its first step', async () => {
    const { mine } = setUp()
    await mine.until(desired)
    unmarked(mine)
    const whole = mine.stored.state
    mine.stored.state = {}
    const saved: object[] = []
    mine.onSave(() => void saved.push(names(mine)))
    const states: State[] = []
    mine.onWrite(() => void states.push(mine.stored.state))
    await mine.until(desired, { destroy: true, adopt: true })
    expect(names(mine)).toEqual([])
    expect(withoutMemory(states[0] ?? {})).toEqual(withoutMemory(whole))
  })

  test('retains likely resources beside one with a mark, which an unfinished creation has made', async () => {
    const { mine } = setUp()
    await mine.until(desired)
    unmarked(mine)
    const before = names(mine)
    const [path] = before.filter(id => id.startsWith('path'))
    mine.stored.state = {}
    mine.edit(path ?? '', { marked: true })
    await mine.until(desired, { destroy: true, adopt: true })
    expect(names(mine)).toEqual(before.filter(id => id !== path))
  })

  test('retains likely resources in every other step', async () => {
    const { mine } = setUp()
    await mine.until(desired)
    unmarked(mine)
    mine.stored.state = {}
    const before = names(mine)
    await mine.until(desired, { destroy: true })
    expect(names(mine)).toEqual(before)
  })
})

describe('the result of a collection', () => {
  test('contains the keys that the state lacks, and nothing changes', async () => {
    const { mine } = setUp()
    await mine.until(desired)
    const { plot, ...rest } = mine.stored.state
    mine.calls.length = 0
    expect(await collectGraph(mine.input(desired, { state: rest }))).toEqual({ plot })
    expect(await collectGraph(mine.input(desired))).toEqual({})
    expect(mine.writes()).toEqual([])
  })

  test('contains no resource that is not proved ours', async () => {
    const { mine } = setUp()
    await mine.until(desired)
    for (const { id } of mine.all()) mine.edit(id, { marked: false })
    expect(await collectGraph(mine.input(desired, { state: {} }))).toEqual({})
  })
})

test('the marks of created resources are removed last, and retained in a deletion', async () => {
  const { mine } = setUp()
  const removed: (readonly string[])[] = []
  const graph = graphOf<Ours>()
  const marked = { ...plot, marks: true }
  for (const name of ['one', 'two']) graph.add(marked, name, { attributes: { climate: 'mild' } })
  let isLost = true
  graph.unmarkBy(async (_, ids) => {
    if (isLost) throw new Error('no')
    removed.push([...ids, `after ${mine.writes().length}`])
    for (const id of ids) mine.edit(id, { marked: false })
  })
  const input = { graph: graph.build() }
  expect(await failureOf(mine.step(desired, input))).toBeInstanceOf(ApplyError)
  isLost = false
  for (let count = 0; count < 2; count++) await mine.step(desired, input)
  expect(removed).toEqual([['plot-1', 'plot-2', 'after 2']])
  for (const id of names(mine)) mine.edit(id, { marked: true })
  await mine.step(desired, { ...input, destroy: true })
  expect(removed).toHaveLength(1)
})

test('a replacement of a proved resource gets another token than its create', async () => {
  const { mine } = setUp()
  await mine.until(desired)
  mine.stored.state = {}
  await mine.until({ ...desired, beds: { a: 'sand', b: 'loam' } })
  expect(mine.all().find(({ name }) => name === 'a')?.attributes).toMatchObject({ soil: 'sand' })
})

describe('a create', () => {
  test('with a spent token takes the next token, in the same order each time', async () => {
    const tokens = async () => {
      const { mine } = setUp()
      const used: (string | undefined)[] = []
      const { fake } = mine.ours
      const cloud = {
        ...mine.ours,
        fake: {
          ...fake,
          create: async (...[noun, input]: Parameters<typeof fake.create>) => {
            if (noun === 'bed') used.push(input.token)
            if (noun === 'bed' && used.length < 3)
              throw new FakeCloudError('spent', 'used for something else')
            return fake.create(noun, input)
          },
        },
      }
      await mine.step({ ...desired, beds: { a: 'clay' }, paths: [] }, { cloud })
      return used
    }
    const used = await tokens()
    expect(new Set(used).size).toBe(3)
    expect(await tokens()).toEqual(used)
  })

  test('that was repeated without an answer may have made two resources: a deletion waits until it can find both', async () => {
    const { mine, clock } = setUp()
    const repeated: typeof plot = {
      ...plot,
      create: async call => {
        await plot.create?.(call)
        const made = await plot.create?.(call)
        if (made === undefined) throw new Error('a plot can be created')
        return { ...made, repeated: true }
      },
    }
    const graph = graphOf<Ours>()
    graph.add(repeated, '', { key: '', attributes: { climate: 'mild' } })
    const input = { graph: graph.build() }
    await mine.step(desired, input)
    const [first = ''] = names(mine)
    mine.edit(first, { listedAt: clock.now() + 60_000 })
    await mine.until(desired, { ...input, destroy: true })
    expect(names(mine)).toEqual([])
  })

  test('may succeed without an id in the response: the engine looks for the resource and never records an empty id', async () => {
    const { mine } = setUp()
    const { fake } = mine.ours
    const cloud = {
      ...mine.ours,
      fake: {
        ...fake,
        create: async (...[noun, input]: Parameters<typeof fake.create>) => {
          const made = await fake.create(noun, input)
          return noun === 'plot' ? { ...made, id: '' } : made
        },
      },
    }
    await mine.step(desired, { cloud })
    expect(mine.stored.state.plot).toBe(names(mine)[0])
    const other = setUp().mine
    const create = async () => ({ ...mine.all()[0], id: '' }) as never
    const nothing = { ...other.ours, fake: { ...other.ours.fake, create } }
    expect(String(await failureOf(other.step(desired, { cloud: nothing })))).toContain('has no id')
  })
})
