import { describe, expect, test } from 'vitest'
import { codesOf } from '../../shared/contract/classify.ts'
import { CodedError, RequeueAfterError } from '../../shared/contract/errors.ts'
import { ApplyError } from './error-kind.ts'
import { graphOf } from './graph/graph.ts'
import { reader } from './graph/resource-type.ts'
import { withoutMemory } from './memory.ts'
import { FakeCloudError, type FakeDurations } from './testing/fake-cloud.ts'
import { bed, type Ours, plot } from './testing/fake-provider.ts'
import { desired, failureOf, names, setUp } from './testing/reconcile-graph.ts'

const slow: FakeDurations = { pendingMs: 100_000, goingMs: 60_000, unlistedMs: 0 }

describe('a step that must wait', () => {
  test('ends with a wait while other branches go on', async () => {
    const { mine } = setUp(slow)
    const outcome = await mine.step(desired)
    expect(outcome).toMatchObject({
      kind: 'continue',
      afterMs: 5_000,
      progress: 25,
      description: 'Waiting for bed a to become available, bed b to become available',
    })
    expect(names(mine)).toEqual(['plot-1', 'bed-2', 'bed-3'])
  })

  test('reads the awaited resources again, whatever was read before the step', async () => {
    const { mine } = setUp(slow)
    await mine.step(desired)
    const input = { cloud: mine.ours, state: mine.stored.state, signal: new AbortController().signal }
    const read = reader(input)
    await bed.list({ ...input, read })
    mine.calls.length = 0
    const outcome = await mine.step(desired, { read, resumed: true })
    expect(outcome).toMatchObject({ kind: 'continue' })
    expect(mine.calls).toEqual(['list bed'])
  })

  test('costs one read while all awaited resources are in transition and nothing new is requested', async () => {
    const { mine, clock } = setUp(slow)
    await mine.step(desired)
    const { length } = mine.calls
    const { saves } = mine.stored
    await clock.advance(5_000)
    expect(await mine.step(desired, { resumed: true })).toMatchObject({ kind: 'continue', afterMs: 5_000 })
    expect(mine.calls.slice(length)).toEqual(['list bed'])
    expect(mine.stored.saves).toBe(saves)

    await mine.step(desired)
    expect(mine.calls.slice(length + 1)).toEqual(['list plot', 'list bed', 'list path'])
    await clock.advance(100_000)
    expect((await mine.step(desired, { resumed: true })).kind).toBe('converged')
  })

  test('reads each resource only once it can be ready', async () => {
    const { mine, clock } = setUp(slow)
    const graph = graphOf<Ours>()
    const ground = graph.add(plot, '', { attributes: { climate: 'mild' } })
    const early = { ...bed, firstPollMs: 20_000, pollMs: 15_000 }
    const late = { ...bed, what: 'old bed', firstPollMs: 95_000 }
    for (const [type, name] of [
      [early, 'a'],
      [late, 'b'],
    ] as const)
      graph.add(type, name, {
        needs: { plot: ground },
        attributes: { plot: ground.get(({ id }) => id), soil: 'clay' },
      })
    const built = graph.build()
    await mine.step(desired, { graph: built })
    const { length } = mine.calls
    const resume = () => mine.step(desired, { graph: built, resumed: true })
    await clock.advance(20_000)
    expect(await resume()).toMatchObject({ kind: 'continue', afterMs: 15_000 })
    expect(mine.calls.slice(length)).toEqual(['list bed'])
    // The first was ready before its poll time. The other is read at its own poll time.
    mine.edit('bed-2', { readyAt: 0 })
    await clock.advance(15_000)
    expect(await resume()).toMatchObject({
      kind: 'continue',
      afterMs: 60_000,
      description: 'Waiting for old bed b to become available',
    })
    expect(mine.calls.slice(length)).toEqual(['list bed', 'list bed'])
  })

  test('names an awaited resource that is neither desired any more nor listed yet', async () => {
    const { mine } = setUp({ ...slow, unlistedMs: 30_000 })
    await mine.step(desired)
    const outcome = await mine.step({ ...desired, beds: { a: 'clay' }, paths: [] })
    expect(outcome).toMatchObject({ description: expect.stringContaining('bed bed b (bed-3) to be listed') })
    expect(outcome).not.toMatchObject({ description: expect.stringContaining('wait for') })
  })

  test('waits as long as a type allows, with one shared read', async () => {
    const { mine, clock } = setUp({ ...slow, pendingMs: 2_000 })
    const graph = graphOf<Ours>()
    const ground = graph.add(plot, '', { attributes: { climate: 'mild' } })
    const patient = { ...bed, pollMs: 1_000, patienceMs: 10_000 }
    for (const name of ['a', 'b', 'c'])
      graph.add(patient, name, {
        needs: { plot: ground },
        attributes: { plot: ground.get(({ id }) => id), soil: 'clay' },
      })
    const stepping = mine.step(desired, { graph: graph.build() })
    await clock.advance(2_000)
    expect((await stepping).kind).toBe('converged')
    expect(mine.calls.filter(call => call === 'list bed')).toHaveLength(3)
  })

  test('reads again if an addition has already appeared by itself', async () => {
    const { mine } = setUp()
    await mine.step(desired)
    const blessed = { ...desired, blessing: 'rain' }
    const exists = new FakeCloudError('exists', 'it is blessed')
    mine.refuseWith(call => (call.startsWith('change') || call.startsWith('update') ? exists : undefined))
    const outcome = await mine.step(blessed)
    expect(outcome).toMatchObject({ kind: 'continue', description: expect.stringContaining('it is blessed') })
    mine.refuseWith(() => undefined)
    expect((await mine.until(blessed)).kind).toBe('converged')
  })

  test.each(['busy', 'gone'] as const)('retries a create that the cloud refuses as %s', async fault => {
    const { mine } = setUp()
    mine.refuseWith(call => (call === 'create bed a' ? new FakeCloudError(fault, 'not now') : undefined))
    expect(await mine.step(desired)).toMatchObject({ kind: 'continue', description: expect.any(String) })
  })

  test('retries a removal of which the cloud reports a part as gone, because the resource is still listed', async () => {
    const { mine } = setUp()
    await mine.step(desired)
    const detached = new FakeCloudError('gone', 'it is not attached')
    mine.refuseWith(call => (call.startsWith('remove path') ? detached : undefined))
    expect(await mine.step(desired, { destroy: true })).toMatchObject({
      kind: 'continue',
      description: expect.stringContaining('it is not attached'),
    })
    expect(names(mine)).toHaveLength(4)
    mine.refuseWith(() => undefined)
    await mine.until(desired, { destroy: true })
    expect([names(mine), withoutMemory(mine.stored.state)]).toEqual([[], {}])
  })

  test('fails if a create is refused as existing, but the resource is not ours', async () => {
    const { mine } = setUp()
    const exists = new FakeCloudError('exists', 'the name is taken')
    mine.refuseWith(call => (call === 'create bed a' ? exists : undefined))
    expect(await failureOf(mine.step(desired))).toMatchObject({ message: 'create bed a: the name is taken' })
  })

  test('a name that others have taken, and that is never listed, is an error at each attempt after the time of the cloud', async () => {
    const { mine, clock } = setUp()
    const exists = new FakeCloudError('exists', 'the name is taken')
    mine.refuseWith(call => (call === 'create bed a' ? exists : undefined))
    await failureOf(mine.step(desired))
    const failed: boolean[] = []
    for (let minute = 0; minute < 12; minute++) {
      await clock.advance(60_000)
      failed.push(
        await mine.step(desired).then(
          () => false,
          () => true,
        ),
      )
    }
    expect(failed.slice(failed.indexOf(true)).filter(one => !one)).toEqual([])
    expect(failed.indexOf(true)).toBe(4)
  })

  test.each([
    [false, 'fails'],
    [true, 'is retried'],
  ])('a removal with an unknown error (retried by its type: %s) %s', async (retries, _) => {
    const { mine } = setUp()
    const graph = graphOf<Ours>()
    graph.add({ ...plot, retriesRemoval: () => retries }, '', { attributes: { climate: 'mild' } })
    const input = { graph: graph.build() }
    await mine.step(desired, input)
    mine.refuseWith(call => (call.startsWith('remove') ? new Error('no') : undefined))
    const removing = mine.step(desired, { ...input, destroy: true }).then(({ kind }) => kind, String)
    expect(await removing).toBe(retries ? 'continue' : 'ApplyError: delete plot (plot-1): no')
  })

  test('retries a refused action also while another resource is in transition', async () => {
    const { mine, clock } = setUp(slow)
    mine.refuseWith(call => (call === 'create bed a' ? new FakeCloudError('busy', 'not now') : undefined))
    await mine.step(desired)
    mine.refuseWith(() => undefined)
    await clock.advance(5_000)
    await mine.step(desired, { resumed: true })
    expect(mine.writes()).toEqual(['create plot ', 'create bed a', 'create bed b', 'create bed a'])
  })

  test('retries a failed action although the error status could not be written', async () => {
    const { mine, clock } = setUp(slow)
    mine.refuseWith(call => (call === 'create bed a' ? new Error('no') : undefined))
    expect(await failureOf(mine.step(desired))).toBeInstanceOf(ApplyError)
    mine.refuseWith(() => undefined)
    await clock.advance(5_000)
    // Without the error in the status, the next step counts as the continuation of a wait.
    await mine.step(desired, { resumed: true })
    expect(mine.writes()).toEqual(['create plot ', 'create bed a', 'create bed b', 'create bed a'])
  })

  test('waits as long as requested if a call is delayed', async () => {
    const { mine } = setUp()
    mine.refuseWith(call =>
      call === 'create bed a' ? new RequeueAfterError(new Error('slow down'), 30_000) : undefined,
    )
    expect(await mine.step(desired)).toMatchObject({
      kind: 'continue',
      afterMs: 30_000,
      description: 'Waiting for bed a: slow down',
    })
  })

  test('waits for a resource that refuses its removal, and fails with the refusal at the limit', async () => {
    const { mine, clock } = setUp()
    await mine.step(desired)
    await mine.fake.create('path', { owner: 'you', name: 'x', on: ['bed-3'], attributes: {} })
    const remove = () => mine.step(desired, { destroy: true })
    expect(await remove()).toMatchObject({
      description: 'Waiting for bed a (bed-2) to be deleted, bed b (bed-3): bed-3 has path-5 on it',
    })
    await clock.advance(599_000)
    expect(await remove()).toMatchObject({ kind: 'continue' })
    await clock.advance(1_000)
    expect(await failureOf(remove())).toMatchObject({
      message: 'delete bed b (bed-3): bed-3 has path-5 on it',
    })
    expect(await failureOf(remove())).toMatchObject({
      message: 'delete bed b (bed-3): bed-3 has path-5 on it',
    })
    mine.edit('path-5', { goneAt: 0 })
    await mine.until(desired, { destroy: true })
    expect(withoutMemory(mine.stored.state)).toEqual({})
  })

  test('retries a refused action ever less often: after another tenth of the total wait', async () => {
    const { mine, clock } = setUp()
    await mine.step(desired)
    await mine.fake.create('path', { owner: 'you', name: 'x', on: ['bed-3'], attributes: {} })
    const remove = () => mine.step(desired, { destroy: true })
    for (const [waitedMs, afterMs] of [
      [0, 5_000],
      [40_000, 5_000],
      [80_000, 12_000],
    ] as const) {
      await clock.advance(waitedMs)
      expect(await remove()).toMatchObject({ kind: 'continue', afterMs })
    }
  })

  test('restarts the wait for the replacement of a failed resource', async () => {
    const { mine, clock } = setUp({ pendingMs: 550_000, goingMs: 0, unlistedMs: 0 })
    const graph = graphOf<Ours>()
    const ground = graph.add(plot, '', { attributes: { climate: 'mild' } })
    const quick: typeof bed = {
      ...bed,
      remove: async context => {
        await bed.remove?.(context)
        return 'gone'
      },
    }
    graph.add(quick, 'a', {
      needs: { plot: ground },
      attributes: { plot: ground.get(({ id }) => id), soil: 'clay' },
    })
    const built = graph.build()
    const step = () => mine.step(desired, { graph: built })
    await step()
    await clock.advance(500_000)
    mine.edit('bed-2', { failed: true })
    expect(await failureOf(step())).toBeInstanceOf(ApplyError)
    await clock.advance(549_000)
    expect(await step()).toMatchObject({ kind: 'continue' })
    await clock.advance(1_000)
    expect((await step()).kind).toBe('converged')
    expect(names(mine)).toEqual(['plot-1', 'bed-3'])
  })

  test('fails if a resource remains pending for too long, also with quick reads', async () => {
    const { mine, clock } = setUp({ ...slow, pendingMs: 10_000_000 })
    await mine.step(desired)
    await clock.advance(600_000)
    const message = 'wait for bed a to become available: waited 600 s for bed a to become available'
    const failure = await failureOf(mine.step(desired, { resumed: true }))
    expect(failure).toMatchObject({ errors: [{ message }, {}] })
  })

  test('reports the failure of a resource during a wait, with the codes of its cause', async () => {
    const { mine, clock } = setUp({ ...slow, pendingMs: 5_000 })
    const failure = new CodedError('no water', { codes: ['ERR_INFRA_DEPENDENCIES'] })
    const thirsty: typeof bed = {
      ...bed,
      pollMs: 1_000,
      patienceMs: 3_000,
      list: async context =>
        (await bed.list(context)).map(found => ({ ...found, status: 'failed', failure })),
    }
    const graph = graphOf<Ours>()
    const ground = graph.add(plot, '', { attributes: { climate: 'mild' } })
    graph.add(thirsty, 'a', {
      needs: { plot: ground },
      attributes: { plot: ground.get(({ id }) => id), soil: 'clay' },
    })
    const failing = failureOf(mine.step(desired, { graph: graph.build() }))
    await clock.advance(1_000)
    expect(await failing).toMatchObject({ message: 'create bed a: no water' })
    expect(codesOf(await failing)).toEqual(['ERR_INFRA_DEPENDENCIES'])
  })
})
