import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { codesOf } from '../../shared/contract/classify.ts'
import { CodedError, StepExpiredError } from '../../shared/contract/errors.ts'
import type { ApplyEvent } from './apply/apply.ts'
import { ActionError, ApplyError } from './error-kind.ts'
import { graphOf } from './graph/graph.ts'
import type { ResourceType } from './graph/resource-type.ts'
import { reader } from './graph/resource-type.ts'
import { withoutMemory } from './memory.ts'
import { FakeCloudError } from './testing/fake-cloud.ts'
import { bed, type Ours, plot } from './testing/fake-provider.ts'
import { desired, failureOf, names, setUp } from './testing/reconcile-graph.ts'

describe('a step', () => {
  test('runs the expiry check right before each write', async () => {
    const { mine } = setUp()
    let asked = 0
    await mine.step(desired, { throwIfExpired: () => asked++ })
    // A path is created, then its stones are added.
    expect(mine.writes()).toHaveLength(5)
    expect(asked).toBe(5)
  })

  test('passes on its plan, and starts only once the plan is accepted', async () => {
    const { mine } = setUp()
    const noted = mine.step(desired, {
      onPlan: async ({ actions }) => {
        await Promise.resolve()
        expect(actions).toHaveLength(4)
        expect(mine.writes()).toEqual([])
        throw new Error('not noted')
      },
    })
    expect(await failureOf(noted)).toEqual(new Error('not noted'))
    expect(mine.writes()).toEqual([])
  })

  test('plans with the reads just before it, and reads only the rest', async () => {
    const { mine } = setUp()
    await mine.until(desired)
    const input = { cloud: mine.ours, state: mine.stored.state, signal: new AbortController().signal }
    const read = reader(input)
    await bed.list({ ...input, read })
    mine.calls.length = 0
    expect(await mine.step(desired, { read })).toMatchObject({ kind: 'converged' })
    expect(mine.calls.sort()).toEqual(['list path', 'list plot'])
  })

  test('writes nothing once its claim has expired, and reports that', async () => {
    const { mine } = setUp()
    const throwIfExpired = () => {
      if (mine.writes().length > 0) throw new StepExpiredError('over')
    }
    expect(await failureOf(mine.step(desired, { throwIfExpired }))).toBeInstanceOf(StepExpiredError)
    expect(mine.writes()).toEqual(['create plot '])
  })

  test('ends with the reason of its signal, and leaves no listener on it', async () => {
    const { mine } = setUp()
    const stop = new AbortController()
    mine.onSave(() => mine.writes().length > 0 && stop.abort(new Error('the process ends')))
    expect(await failureOf(mine.step(desired, { signal: stop.signal }))).toEqual(
      new Error('the process ends'),
    )
    expect(mine.writes()).toEqual(['create plot '])
    const { signal } = new AbortController()
    await mine.step(desired, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('starts no action after its time, and the next step continues at once', async () => {
    const { mine, clock } = setUp()
    let passed = 0
    mine.onWrite(() => {
      passed += 15_000
    })
    const late = { ...clock, now: () => clock.now() + passed }
    const outcome = await mine.step(desired, { clock: late, concurrency: 1 })
    expect(outcome).toMatchObject({
      kind: 'continue',
      afterMs: 0,
      description: 'Continuing with: create bed b',
    })
    expect(names(mine)).toEqual(['plot-1', 'bed-2'])
  })

  test('saves after each change, before a dependent resource is created', async () => {
    const { mine } = setUp()
    const seen: string[][] = []
    mine.onWrite(
      call =>
        call.startsWith('create') &&
        seen.push(Object.keys(mine.stored.state).filter(key => !key.includes('/'))),
    )
    await mine.step(desired)
    expect(seen).toEqual([[], ['plot'], ['plot'], ['plot', 'bed a', 'bed b']])
  })

  test('never exceeds its concurrency', async () => {
    const { mine } = setUp()
    let running = 0
    let most = 0
    const busy: ResourceType<Ours, { readonly size: number }, { id: string }> = {
      what: 'shed',
      list: async () => [],
      create: async ({ key }) => {
        most = Math.max(most, ++running)
        await new Promise(resolve => setImmediate(resolve))
        running--
        return { id: key, key, status: 'ready', attributes: { size: 1 }, outcome: { id: key } }
      },
    }
    const graph = graphOf<Ours>()
    for (const name of 'abcdefg') graph.add(busy, name, { attributes: { size: 1 } })
    const outcome = await mine.step(desired, { graph: graph.build(), concurrency: 3 })
    expect(outcome.kind).toBe('converged')
    expect(most).toBe(3)
  })

  test('adopts the resource that an unanswered create has created', async () => {
    const { mine } = setUp()
    mine.onWrite(call => {
      if (call === 'create plot ') throw new FakeCloudError('uncertain', 'connection reset')
    })
    expect((await mine.step(desired)).kind).toBe('converged')
    expect(names(mine)).toEqual(['plot-1', 'bed-2', 'bed-3', 'path-4'])
  })

  test('treats a call that does not end as unanswered', async () => {
    const { mine, clock } = setUp()
    const deaf: Ours = {
      ...mine.ours,
      fake: {
        ...mine.fake,
        create: async (noun, input) => {
          await mine.fake.create(noun, input)
          return new Promise(() => undefined)
        },
      },
    }
    const stepping = mine.step({ ...desired, beds: {}, paths: [] }, { cloud: deaf })
    await clock.advance(15_000)
    expect((await stepping).kind).toBe('converged')
    expect(names(mine)).toEqual(['plot-1'])
  })

  test('does not mistake a just-deleted, still listed resource for that of an unanswered create', async () => {
    const { mine } = setUp()
    const stale: typeof plot = {
      ...plot,
      remove: async context => {
        await plot.remove?.(context)
        return 'gone'
      },
      list: async () => [
        { id: 'plot-1', key: '', status: 'ready', attributes: { climate: 'dry' }, outcome: { id: 'plot-1' } },
      ],
      replaces: ['climate'],
    }
    await mine.step({ ...desired, beds: {}, paths: [] })
    const graph = graphOf<Ours>()
    graph.add(stale, '', { attributes: { climate: 'mild' } })
    mine.refuseWith(call =>
      call.startsWith('create') ? new FakeCloudError('uncertain', 'reset') : undefined,
    )
    const failure = await failureOf(mine.step(desired, { graph: graph.build() }))
    expect(failure).toMatchObject({ message: 'replace plot: reset' })
  })

  test('names the resource if an update changed its outcome, and plans the consequences in the next step', async () => {
    const { mine } = setUp()
    const moving: typeof plot = {
      ...plot,
      update: async ({ found }) => ({ ...found, outcome: { id: 'plot-moved' } }),
    }
    await mine.step({ ...desired, beds: {}, paths: [] })
    const graph = graphOf<Ours>()
    graph.add(moving, '', { attributes: { climate: 'dry' } })
    expect(await mine.step(desired, { graph: graph.build() })).toMatchObject({
      kind: 'continue',
      description: 'Continuing with the dependents of plot',
    })
  })

  test('reports a resource that differs from the request, instead of replacing it forever', async () => {
    const { mine } = setUp()
    const wilful: typeof bed = {
      ...bed,
      create: async context => {
        const made = await bed.create?.(context)
        if (made === undefined) throw new Error('a bed can be created')
        return { ...made, attributes: { ...made.attributes, soil: 'sand' } }
      },
    }
    const graph = graphOf<Ours>()
    const ground = graph.add(plot, '', { attributes: { climate: 'mild' } })
    graph.add(wilful, 'a', {
      needs: { plot: ground },
      attributes: { plot: ground.get(({ id }) => id), soil: 'clay' },
    })
    expect(await failureOf(mine.step(desired, { graph: graph.build() }))).toMatchObject({
      message: 'create bed a: bed a (bed-2) was created with other values: soil sand instead of clay',
    })
  })

  test('fails with the errors of the cloud if it cannot read, each error once', async () => {
    const { mine } = setUp()
    const denied = new CodedError('listing beds: denied', { codes: ['ERR_INFRA_UNAUTHORIZED'] })
    mine.refuseWith(call => (call === 'list bed' ? denied : undefined))
    expect(await failureOf(mine.step(desired))).toBe(denied)
    mine.refuseWith(call =>
      call === 'list bed' ? denied : call === 'list path' ? new Error('reset') : undefined,
    )
    const failure = await failureOf(mine.step(desired))
    expect(failure).toMatchObject({ message: 'listing beds: denied; reset' })
    expect(codesOf(failure)).toEqual(['ERR_INFRA_UNAUTHORIZED'])
    expect(mine.writes()).toEqual([])
  })

  test('fails with every failed action by its sentence, once the others have ended', async () => {
    const { mine } = setUp()
    mine.refuseWith(call => {
      if (call === 'create bed a')
        return new CodedError('too many beds', { codes: ['ERR_INFRA_QUOTA_EXCEEDED'] })
      return call === 'create bed b' ? new CodedError('no', { codes: ['ERR_INFRA_UNAUTHORIZED'] }) : undefined
    })
    const failure = await failureOf(mine.step({ ...desired, beds: { a: 'clay', b: 'clay', c: 'clay' } }))
    expect(failure).toBeInstanceOf(ApplyError)
    expect(failure).toMatchObject({
      message: 'create bed a: too many beds; create bed b: no',
      errors: [expect.any(ActionError), expect.any(ActionError)],
    })
    expect(codesOf(failure)).toEqual(['ERR_INFRA_QUOTA_EXCEEDED', 'ERR_INFRA_UNAUTHORIZED'])
    expect(names(mine)).toEqual(['plot-1', 'bed-2'])
  })

  test('retains the id of a replaced resource until the new one exists', async () => {
    const { mine } = setUp()
    await mine.step(desired)
    mine.refuseWith(call => (call === 'create bed a' ? new FakeCloudError('busy', 'not now') : undefined))
    const other = { ...desired, beds: { a: 'loam', b: 'loam' } }
    await mine.step(other)
    await mine.step(other)
    expect(names(mine)).not.toContain('bed-2')
    expect(mine.stored.state).toMatchObject({ 'bed a': 'bed-2', 'path a-b': 'path-4' })
  })

  test('stores an id under a key that depends on the outcome, and removes it with the resource', async () => {
    const { mine } = setUp()
    const retained: ResourceType<Ours, { soil: string }, { id: string }> = {
      what: 'kept bed',
      remembers: key => key.startsWith('beds/'),
      list: async ({ cloud }) =>
        (await cloud.fake.list('bed')).map(({ id, name, attributes: { soil } }) => ({
          id,
          key: name,
          status: 'ready',
          attributes: { soil },
          outcome: { id },
          ours: 'likely' as const,
        })),
      create: async ({ cloud, name, attributes }) => {
        const { id } = await cloud.fake.create('bed', { owner: 'me', name, on: [], attributes })
        return { id, key: name, status: 'ready', attributes, outcome: { id } }
      },
      remove: async ({ cloud, found }) => {
        await cloud.fake.remove('bed', found.id)
        return 'gone'
      },
    }
    const builder = graphOf<Ours>()
    builder.add(retained, 'a', {
      attributes: { soil: 'clay' },
      state: { id: ({ id }) => `beds/${id}_a` },
    })
    const graph = builder.build()
    const saved: object[] = []
    const step = (state: Readonly<Record<string, string>>, more = {}) =>
      mine.step(desired, { graph, state, save: async next => void saved.push(next), ...more })
    const { state } = await step({})
    expect(withoutMemory(state)).toEqual({ 'beds/bed-1_a': 'bed-1' })
    const saves = saved.length
    await step(state)
    expect(saved).toHaveLength(saves)
    expect((await step({})).state).toEqual(withoutMemory(state))
    expect(withoutMemory((await step(state, { destroy: true })).state)).toEqual({})
    expect(names(mine)).toEqual([])
  })

  test('succeeds if a resource was already removed outside', async () => {
    const { mine, clock } = setUp()
    await mine.step({ ...desired, beds: {}, paths: [] })
    mine.refuseWith(call => {
      if (call.startsWith('remove')) mine.edit('plot-1', { goneAt: 0 })
      return undefined
    })
    // A removal may not know yet what was created just now.
    expect((await mine.step(desired, { destroy: true })).kind).toBe('continue')
    await clock.advance(300_000)
    expect((await mine.step(desired, { destroy: true })).kind).toBe('converged')
    expect(withoutMemory(mine.stored.state)).toEqual({})
  })

  test('reports a missing resource that is not ours to create', async () => {
    const { mine } = setUp()
    const given: ResourceType<Ours, Readonly<Record<string, string>>, { id: string }> = {
      what: 'river',
      list: async () => [],
    }
    const graph = graphOf<Ours>()
    graph.add(given, 'Rhine', { attributes: {} })
    const failure = await failureOf(mine.step(desired, { graph: graph.build() }))
    expect(failure).toMatchObject({
      message: 'find river Rhine: river Rhine does not exist, and Trellis must not create it',
    })
    expect(codesOf(failure)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  })

  test('uses a foreign resource, and neither changes nor deletes it', async () => {
    const { mine } = setUp()
    const theirs = await mine.fake.create('plot', {
      owner: 'you',
      name: 'p',
      on: [],
      attributes: { climate: 'dry' },
    })
    const given: typeof plot = {
      ...plot,
      list: async () => [
        {
          id: theirs.id,
          key: '',
          status: 'ready',
          attributes: { climate: 'dry' },
          outcome: theirs,
          foreign: true,
        },
      ],
    }
    const graph = graphOf<Ours>()
    const ground = graph.add(given, '', { attributes: { climate: 'mild' } })
    graph.add(bed, 'a', {
      needs: { plot: ground },
      attributes: { plot: ground.get(({ id }) => id), soil: 'clay' },
    })
    const built = graph.build()
    const made = await mine.step(desired, { graph: built })
    expect(made.kind === 'converged' && ground.in(made.outcomes)?.id).toBe('plot-1')
    expect(withoutMemory(mine.stored.state)).toEqual({ plot: 'plot-1', 'bed a': 'bed-2' })
    await mine.until(desired, { graph: built, destroy: true })
    expect(names(mine)).toEqual(['plot-1'])
    expect(withoutMemory(mine.stored.state)).toEqual({})
  })

  test('reports the start and end of each action, and the progress', async () => {
    const { mine } = setUp()
    const events: ApplyEvent[] = []
    await mine.step({ ...desired, beds: { a: 'clay' }, paths: [] }, { onEvent: event => events.push(event) })
    expect(events).toEqual([
      { kind: 'started', sentence: 'create plot', progress: 1 },
      { kind: 'done', sentence: 'create plot', progress: 50 },
      { kind: 'started', sentence: 'create bed a', progress: 50 },
      { kind: 'done', sentence: 'create bed a', progress: 99 },
    ])
  })

  test('fails if its state cannot be written, and creates nothing', async () => {
    const { mine } = setUp()
    mine.onSave(() => {
      throw new Error('conflict')
    })
    expect(await failureOf(mine.step(desired))).toMatchObject({
      message: expect.stringContaining('conflict'),
    })
    expect(names(mine)).toEqual([])
  })

  test('reads each list once for all its readers', async () => {
    const { mine } = setUp()
    await mine.step({ ...desired, beds: { a: 'clay', b: 'clay', c: 'clay', d: 'clay' } })
    expect(mine.calls.filter(call => call.startsWith('list'))).toEqual(['list plot', 'list bed', 'list path'])
  })
})
