import { describe, expect, test } from 'vitest'
import { ca, certificatesIn, issuerOf, newSeed, rotationAt, type Seed, server } from './testing/seed.ts'

const rotation = rotationAt('2026-03-01T10:00:00Z')

/** What gardenlet does between the two seeds: it copies what has `persist=true`, with type, data and labels. */
const copyPersisted = async (from: Seed, to: Seed) => {
  for (const { metadata, type, data, immutable } of (await from.all()).toReversed()) {
    const { name, labels = {} } = metadata
    if (labels.persist === 'true') await to.put({ metadata: { name, labels }, type, data, immutable })
  }
}

describe('a migration', () => {
  test('leaves in the source what gardenlet has yet to copy, and no other key', async () => {
    const source = await newSeed()
    const { current } = await source.reconcile()
    await source.managerOf().removeUnpersisted()
    expect(await source.names()).toEqual([current(ca.name).name])
    source.requests.length = 0
    await source.managerOf().removeUnpersisted()
    expect(source.requests).toEqual([expect.stringMatching(/^list /)])
  })

  test('brings the CA and its bundle along under their names, and makes certificates anew', async () => {
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

  test('in the middle of a rotation brings both CAs along, whichever comes first', async () => {
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

  test('after which the control plane goes on in the source again finds its CA', async () => {
    const source = await newSeed()
    const before = await source.reconcile()
    await source.managerOf().removeUnpersisted()
    const after = await source.reconcile()
    expect(after.current(ca.name)).toEqual(before.current(ca.name))
    expect(await source.names()).toHaveLength(4)
  })
})
