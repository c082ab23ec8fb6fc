import { describe, expect, test } from 'vitest'
import { ca, certificatesIn, issuerOf, newSeed, rotationAt, type Seed, server } from './testing/seed.ts'

const rotation = rotationAt('2026-03-01T10:00:00Z')

/**
 * Does the work of gardenlet between the two seeds: copies Secrets with `persist=true`, with type, data and labels.
 */
const copyPersisted = async (from: Seed, to: Seed) => {
  for (const { metadata, type, data, immutable } of (await from.all()).toReversed()) {
    const { name, labels = {} } = metadata
    if (labels.persist === 'true') await to.put({ metadata: { name, labels }, type, data, immutable })
  }
}

describe('a migration', () => {
  test('leaves only the Secrets in the source that gardenlet has yet to copy', async () => {
    const source = await newSeed()
    const { current } = await source.reconcile()
    await source.managerOf().removeUnpersisted()
    expect(await source.names()).toEqual([current(ca.name).name])
    source.requests.length = 0
    await source.managerOf().removeUnpersisted()
    expect(source.requests).toEqual([expect.stringMatching(/^list /)])
  })

  test('retains the CA and its bundle under their names, and recreates certificates', async () => {
    const [source, destination] = [await newSeed(), await newSeed()]
    const before = await source.reconcile()
    await source.managerOf().removeUnpersisted()
    await copyPersisted(source, destination)
    const after = await destination.reconcile()
    expect(after.current(ca.name)).toEqual(before.current(ca.name))
    expect(after.bundle(ca.name)).toEqual(before.bundle(ca.name))
    expect(after.current(server.name).name).toBe(before.current(server.name).name)
    expect(after.current(server.name).data).not.toEqual(before.current(server.name).data)
    expect(issuerOf(after.current(server.name))).toBe(`CN=${after.current(ca.name).name}`)
    expect(after.created).toHaveLength(3)
    expect(after.lostAuthorities).toEqual([])
  })

  test('retains both CAs during a rotation, in any order', async () => {
    const [source, destination] = [await newSeed(), await newSeed()]
    await source.reconcile()
    const before = await source.reconcile({ rotation })
    await source.managerOf().removeUnpersisted()
    await copyPersisted(source, destination)
    const after = await destination.reconcile({ rotation })
    expect(after.current(ca.name)).toEqual(before.current(ca.name))
    expect(after.old(ca.name)).toEqual(before.old(ca.name))
    expect(certificatesIn(after.bundle(ca.name))).toHaveLength(2)
    expect(after.bundle(ca.name)).toEqual(before.bundle(ca.name))
    expect(issuerOf(after.current(server.name))).toBe(`CN=${before.old(ca.name)?.name}`)
  })

  test('and a return to the source seed find the same CA', async () => {
    const source = await newSeed()
    const before = await source.reconcile()
    await source.managerOf().removeUnpersisted()
    const after = await source.reconcile()
    expect(after.current(ca.name)).toEqual(before.current(ca.name))
    expect(await source.names()).toHaveLength(4)
  })
})
