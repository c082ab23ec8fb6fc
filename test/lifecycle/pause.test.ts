import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { harness } from './harness.ts'
import { shootNamespace } from './sample-objects.ts'

type Seed = Awaited<ReturnType<typeof harness>>

const later = '2026-11-21T13:00:00Z anna: NAT gateway'

const annotate = ({ kubernetes, backend }: Seed, of: 'object' | 'shoot', pause: string | null) => {
  const patch = { metadata: { annotations: { [annotations.pause]: pause } } }
  return of === 'shoot'
    ? kubernetes.patch(clusterKind.resource, { name: shootNamespace }, patch)
    : kubernetes.patch(kinds[backend.kind].resource, { name: 'it', namespace: shootNamespace }, patch)
}

describe.each(['object', 'shoot'] as const)('an event for a paused %s', of => {
  test('writes nothing, and the request waits for the end of the pause', async () => {
    const seed = await harness('Worker')
    await seed.create({ annotation: 'reconcile' })
    await annotate(seed, of, later)
    const before = await seed.live()
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'paused' })
    expect(await seed.live()).toEqual(before)
    expect(seed.calls).toEqual([])

    await seed.clock.advance(3_600_000)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
  })

  test('runs a step at once after the pause was removed', async () => {
    const seed = await harness('Worker')
    await seed.create({ annotation: 'reconcile' })
    await annotate(seed, of, later)
    await annotate(seed, of, null)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
  })

  test('runs a step if the bridge’s clock is a little ahead', async () => {
    const seed = await harness('Worker')
    await seed.create({ annotation: 'reconcile' })
    await annotate(seed, of, '2026-11-21T12:00:10Z')
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
  })

  test.each(['until tomorrow', '2026-11-21T11:00:00Z', '2027-11-21T12:00:00Z'])(
    'runs a step if the annotation %j pauses nothing',
    async text => {
      const seed = await harness('Worker')
      await seed.create({ annotation: 'reconcile' })
      await annotate(seed, of, text)
      expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
    },
  )

  test('deletes nothing, not even by force', async () => {
    const seed = await harness('Worker', {
      shoot: { metadata: { annotations: { [annotations.forceDeletionConfirmation]: 'true' } } },
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.step()
    await seed.kubernetes.delete(kinds.Worker.resource, { name: 'it', namespace: shootNamespace })
    await annotate(seed, of, later)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'paused' })
    expect(seed.calls.map(({ operation }) => operation)).toEqual(['reconcile'])
  })

  test('lets a running step finish', async () => {
    const seed = await harness('Worker', {
      actuator: {
        reconcile: async ({ kubernetes: _ }) => {
          await annotate(seed, of, later)
          return { kind: 'continue', afterMs: 1_000, progress: 50, description: 'Half of it' }
        },
      },
    })
    await seed.create({ annotation: 'reconcile' })
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'continues' })
    await seed.clock.advance(60_000)
    expect(await seed.step()).toEqual({ kind: 'recorded', how: 'paused' })
    expect(seed.calls).toHaveLength(1)
  })
})

test('a pause of the shoot does not pause a BackupEntry, whose function reads no Cluster', async () => {
  const seed = await harness('BackupEntry')
  await seed.create({ annotation: 'reconcile' })
  await annotate(seed, 'shoot', later)
  expect(await seed.step()).toEqual({ kind: 'recorded', how: 'succeeded' })
})

test('a pause holds if the rest of the Cluster cannot be decoded, also against a forced deletion', async () => {
  const seed = await harness('Worker')
  await seed.create({ annotation: 'reconcile' })
  await seed.step()
  await seed.kubernetes.delete(kinds.Worker.resource, { name: 'it', namespace: shootNamespace })
  await annotate(seed, 'shoot', later)
  const metadata = { annotations: { [annotations.forceDeletionConfirmation]: 'true' } }
  const spec = { shoot: { metadata, spec: { provider: 'no object' } } }
  await seed.kubernetes.patch(clusterKind.resource, { name: shootNamespace }, { spec })
  expect(await seed.step()).toEqual({ kind: 'recorded', how: 'paused' })
  expect(seed.calls.map(({ operation }) => operation)).toEqual(['reconcile'])
})
