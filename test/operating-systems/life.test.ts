import { describe, expect, test } from 'vitest'
import { definition as gardenlinux } from '../../functions/gardenlinux/operatingsystemconfig/function.ts'
import { definition as local } from '../../functions/local/operatingsystemconfig/function.ts'
import { definition as suseChost } from '../../functions/suse-chost/operatingsystemconfig/function.ts'
import { definition as ubuntu } from '../../functions/ubuntu/operatingsystemconfig/function.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { OperatingSystemConfig } from '../../shared/contract/objects.ts'
import { configOf, namespace, type SeedParts, secrets, seedWith } from './testing/seed.ts'

type Files = NonNullable<OperatingSystemConfig['spec']['files']>

const files: Files = [
  { path: '/etc/plain', content: { inline: { encoding: '', data: 'plain' } } },
  { path: '/etc/from-secret', content: { secretRef: { name: 'source', dataKey: 'token' } } },
]

const setUp = (spec: Partial<OperatingSystemConfig['spec']> = {}, parts: Partial<SeedParts> = {}) =>
  seedWith(local, {
    object: configOf({ type: 'local', files, ...spec }),
    secrets: { source: { token: 's3cr3t' } },
    ...parts,
  })

const errorOf = async (seed: Awaited<ReturnType<typeof setUp>>) => {
  await seed.step()
  const { lastOperation, lastError } = (await seed.object())?.status ?? {}
  return { state: lastOperation?.state, ...lastError }
}

describe('an invalid config causes an Error with its path, and no partial write', () => {
  const file = (content: object, more: object = {}) =>
    ({ files: [{ path: '/etc/it', content, ...more }] }) as Partial<OperatingSystemConfig['spec']>
  const image = { imageRef: { image: 'registry/image:1', filePathInImage: '/bin/it' } }
  const inline = (data: string, encoding: '' | 'b64' = '') => ({ inline: { encoding, data } })

  test.each<[string, Partial<OperatingSystemConfig['spec']>, string]>([
    ['a file from an image', file(image), 'spec.files[0].content.imageRef: '],
    ['a file from nowhere', file({}), 'spec.files[0].content: expected exactly one of'],
    [
      'a file from two places',
      file({ ...inline('x'), ...image }),
      'spec.files[0].content: expected exactly one of',
    ],
    [
      'text that is not base64',
      file(inline('*', 'b64')),
      'spec.files[0].content.inline.data: expected base64 text',
    ],
    [
      'clear text that is none',
      file({ ...inline('/w==', 'b64'), transmitUnencoded: true }),
      'spec.files[0].content.transmitUnencoded: ',
    ],
    [
      'clear text with a zero byte',
      file({ ...inline('a\0b'), transmitUnencoded: true }),
      'spec.files[0].content.transmitUnencoded: ',
    ],
    [
      'a mode that is none',
      file(inline('x'), { permissions: 4096 }),
      'spec.files[0].permissions: expected a mode',
    ],
    ['a negative mode', file(inline('x'), { permissions: -1 }), 'spec.files[0].permissions: expected a mode'],
    [
      'the path of a folder',
      file(inline('x'), { path: '/etc/' }),
      'spec.files[0].path: expected the path of a file',
    ],
    [
      'a path that goes up',
      file(inline('x'), { path: '/etc/..' }),
      'spec.files[0].path: expected the path of a file',
    ],
    [
      'a path with a zero byte',
      file(inline('x'), { path: '/etc/a\0' }),
      'spec.files[0].path: a path must not contain a zero byte',
    ],
    [
      'a Secret that cannot be called so',
      file({ secretRef: { name: '../it', dataKey: 'a' } }),
      'spec.files[0].content.secretRef.name: a Secret cannot have the name',
    ],
    [
      'a key that cannot be called so',
      file({ secretRef: { name: 'it', dataKey: 'a/b' } }),
      'spec.files[0].content.secretRef.dataKey: a Secret cannot have the key',
    ],
    [
      'a unit in another folder',
      { units: [{ name: '../it.service' }] },
      'spec.units[0].name: "../it.service" is not',
    ],
    ['a unit without a name', { units: [{ name: '' }] }, 'spec.units[0].name: "" is not a file name'],
    [
      'a drop-in in another folder',
      { units: [{ name: 'a', dropIns: [{ name: 'b/c', content: '' }] }] },
      'spec.units[0].dropIns[0].name: "b/c" is not a file name',
    ],
    ['more than a Secret holds', file(inline('x'.repeat(800_000))), 'exceeds the limit of 1048576 bytes'],
  ])('%s', async (_, spec, message) => {
    const seed = await setUp(spec)
    expect(await errorOf(seed)).toMatchObject({
      state: 'Error',
      description: expect.stringContaining(message),
      codes: ['ERR_CONFIGURATION_PROBLEM'],
    })
    expect(await seed.userData()).toBeUndefined()
  })

  test('a file is named by its path, truncated to fit a line', async () => {
    const seed = await setUp(file(image, { path: `/etc/${'x'.repeat(500)}` }))
    const { description = '' } = await errorOf(seed)
    expect(description).toContain('(file "/etc/xxx')
    expect(description.length).toBeLessThan(400)
  })

  test('only some of many problems are listed, with the total number', async () => {
    const seed = await setUp({
      files: Array.from({ length: 8 }, (_, index) => ({ path: `/${index}`, content: image })),
    })
    expect((await errorOf(seed)).description).toMatch(/files\[4\].*; and 3 more$/)
  })

  test('a missing Secret has no code, and the step succeeds once it exists', async () => {
    const seed = await setUp({}, { secrets: {} })
    const error = await errorOf(seed)
    expect(error).toMatchObject({
      state: 'Error',
      description: expect.stringContaining('file "/etc/from-secret": Secret "source" not found'),
    })
    expect(error.codes ?? []).toEqual([])
    expect(await seed.userData()).toBeUndefined()
    const metadata = { name: 'source', namespace }
    await seed.kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      data: { token: btoa('late') },
    })
    await seed.clock.advance(60_000)
    await seed.step()
    expect((await seed.userData())?.text).toContain(btoa('late'))
  })

  test.each(['other', 'constructor'])('a Secret lacks the key, though it has the key %s', async key => {
    const seed = await setUp({}, { secrets: { source: { other: 'x' } } })
    if (key === 'constructor')
      await seed.kubernetes.patch(kinds.OperatingSystemConfig.resource, seed.key, {
        spec: {
          files: [{ path: '/etc/from-secret', content: { secretRef: { name: 'source', dataKey: key } } }],
        },
      })
    expect(await errorOf(seed)).toMatchObject({
      state: 'Error',
      description: expect.stringMatching(
        /file "\/etc\/from-secret": Secret "source" has no key "(?:token|constructor)"/,
      ),
    })
    expect(await seed.userData()).toBeUndefined()
  })

  test('a large Secret in many files is refused before the content is assembled', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => ({
      path: `/${index}`,
      content: { secretRef: { name: 'source', dataKey: 'token' } },
    }))
    const seed = await setUp({ files: many }, { secrets: { source: { token: 'x'.repeat(500_000) } } })
    expect((await errorOf(seed)).description).toContain('exceeds the limit of 1048576 bytes')
    expect(seed.reads.filter(read => read === 'secrets source')).toHaveLength(1)
  })

  test('files that only the node agent reads are not checked', async () => {
    const seed = await setUp({ purpose: 'reconcile', files: [{ path: '/opt/bin/it', content: image }] })
    await seed.step()
    expect((await seed.object())?.status?.lastOperation).toMatchObject({ state: 'Succeeded' })
    expect(seed.reads.filter(read => read.startsWith('secrets'))).toEqual([])
  })

  test.each([
    [local, 'local'],
    [gardenlinux, 'gardenlinux'],
  ])('a version with a shell command is refused for %o', async (definition, type) => {
    const inPlaceUpdates = { operatingSystemVersion: '1/e;touch pwned;', kubelet: '1.33.3' }
    const seed = await seedWith(definition, {
      object: configOf({ type, purpose: 'reconcile', inPlaceUpdates }),
    })
    expect(await errorOf(seed)).toMatchObject({ state: 'Error', codes: ['ERR_CONFIGURATION_PROBLEM'] })
  })
})

test('a migration of a config that was never reconciled is recorded, and its annotation is removed', async () => {
  const seed = await setUp()
  await seed.ask('migrate')
  await seed.step()
  const object = await seed.object()
  expect(object?.status?.lastOperation).toMatchObject({ type: 'Migrate', state: 'Succeeded' })
  expect(object?.metadata.annotations).not.toHaveProperty('gardener.cloud/operation')
  expect(await seed.step()).toBeUndefined()
})

test('an addition that an operating system no longer makes is removed from the status', async () => {
  const inPlaceUpdates = { operatingSystemVersion: '1.2.3', kubelet: '1.33.3' }
  const seed = await seedWith(gardenlinux, {
    object: configOf({ type: 'gardenlinux', purpose: 'reconcile', inPlaceUpdates }),
  })
  await seed.step()
  expect((await seed.object())?.status).toMatchObject({ inPlaceUpdates: { osUpdate: { args: ['1.2.3'] } } })
  await seed.ask('reconcile', { spec: { inPlaceUpdates: null } })
  await seed.step()
  const { status } = (await seed.object()) ?? {}
  expect(status).not.toHaveProperty('inPlaceUpdates')
  expect(status).not.toHaveProperty('extensionFiles')
  expect(status?.extensionUnits).toHaveLength(1)
})

test.each(['before', 'after'] as const)(
  'if a process dies %s any write, the next process reaches the same result',
  async when => {
    const whole = await setUp()
    await whole.step()
    const { text } = (await whole.userData()) ?? {}
    let n = 0
    for (let died = true; died; ) {
      n++
      const seed = await setUp()
      seed.dieAt(n, when)
      await seed.step()
      died = seed.hasDied()
      await seed.clock.advance(2_000_000)
      for (let more = 0; more < 3 && (await seed.step()) !== undefined; more++)
        await seed.clock.advance(2_000_000)
      const object = await seed.object()
      expect(object?.status, `write ${n}`).toMatchObject({
        lastOperation: { state: 'Succeeded' },
        cloudConfig: { secretRef: { name: 'osc-result-pool', namespace } },
      })
      expect((await seed.userData())?.text).toBe(text)
    }
    expect(n).toBe(5)
  },
)

describe('the additions that depend on the shoot', () => {
  const pathsOf = async (version: string) => {
    const object = configOf({ type: 'suse-chost', purpose: 'reconcile' })
    const seed = await seedWith(suseChost, { object, kubernetes: { version } })
    await seed.step()
    const { lastError, extensionFiles } = (await seed.object())?.status ?? {}
    return lastError?.codes ?? extensionFiles?.map(({ path }) => path)
  }
  const always = '/etc/sysctl.d/98-enable-ipv6-ra.conf'
  const flags = '/var/lib/kubelet/extra_args'

  test.each([
    ['1.34.9', [always]],
    ['1.35.0', [always, flags]],
    ['v1.37.4', [always, flags]],
    ['1.38.0', [always]],
    ['latest', ['ERR_CONFIGURATION_PROBLEM']],
  ])('CHost with Kubernetes %s', async (version, expected) => {
    expect(await pathsOf(version)).toEqual(expected)
  })
})

test.each([
  [local, ['local']],
  [gardenlinux, ['gardenlinux', 'gardenlinux-fips', 'memoryone-gardenlinux']],
  [suseChost, ['suse-chost', 'memoryone-chost']],
  [ubuntu, ['ubuntu']],
])('a function serves all types of its operating system', async (definition, types) => {
  expect(definition.types).toEqual(types)
  for (const type of types) {
    const seed = await seedWith(definition, { object: configOf({ type, files: [] }) })
    await seed.step()
    expect((await seed.object())?.status?.lastOperation?.state).toBe('Succeeded')
  }
})
