import { describe, expect, test } from 'vitest'
import { deployments } from '../kubernetes/core-resources.ts'
import { resourceNames } from './resource-names.ts'
import { newSeed } from './testing/seed.ts'

const { seed: seedResource } = resourceNames

describe('hibernation', () => {
  const replicasOf = async (seed: Awaited<ReturnType<typeof newSeed>>) =>
    Object((await seed.objectsOf(seedResource))[0]?.data).replicas

  test('hibernation waits for the end of the API server, with status Succeeded', async () => {
    const seed = await newSeed()
    await seed.makeApiServer(2)
    await seed.step()
    await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
    await seed.reconcile()
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
    expect(await replicasOf(seed)).toBe('1')
    expect((await seed.due())?.kind).not.toBe('none')
    await seed.makeApiServer(0)
    await seed.clock.advance(2_000)
    await seed.step()
    expect(await replicasOf(seed)).toBe('0')
    expect(await seed.due()).toEqual({ kind: 'none' })
  })

  test('an API server without a replica count is running', async () => {
    const seed = await newSeed({ shoot: { spec: { hibernation: { enabled: true } } } })
    await seed.makeApiServer(0)
    await seed.kubernetes.patch(
      deployments,
      { name: 'kube-apiserver', namespace: seed.namespace },
      { spec: { replicas: null } },
    )
    await seed.step()
    expect(await replicasOf(seed)).toBe('1')
  })

  test('hibernation ends as soon as the user wants the shoot awake', async () => {
    const seed = await newSeed({ shoot: { spec: { hibernation: { enabled: true } } } })
    await seed.step()
    expect(await replicasOf(seed)).toBe('0')
    await seed.changeShoot({ spec: { hibernation: { enabled: false } } })
    await seed.reconcile()
    await seed.step()
    expect(await replicasOf(seed)).toBe('1')
  })

  test.each([
    ['is being deleted', { metadata: { deletionTimestamp: '2026-11-21T00:00:00Z' } }],
    ['moves to another seed', { status: { lastOperation: { type: 'Migrate', state: 'Processing' } } }],
  ])('hibernation is skipped for a shoot that %s', async (_, fields) => {
    const seed = await newSeed({ shoot: { spec: { hibernation: { enabled: true } }, ...fields } })
    await seed.step()
    expect(await replicasOf(seed)).toBe('1')
    expect(seed.requests).not.toContain('get deployments kube-apiserver')
  })
})
