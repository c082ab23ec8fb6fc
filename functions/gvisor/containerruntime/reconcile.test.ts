import { describe, expect, test } from 'vitest'
import { commonName, configWith, installationOf, runtimeOf, seedWith } from './testing/runtimes.ts'

/** The section of gVisor's configuration that the script of a pool writes. */
const configIn = async (seed: Awaited<ReturnType<typeof seedWith>>, pool = 'a') => {
  const [configMap] = await seed.objectsOf(installationOf(pool))
  const [script] = Object.values(Object(configMap?.data))
  return /\[runsc_config\]\n((?: {2}.*\n)*)EOF\n\n# Restart/
    .exec(String(script))?.[1]
    ?.split('\n')
    .map(line => line.trim())
    .filter(Boolean)
}

const withFlags = async (configFlags: Readonly<Record<string, unknown>>, others: object = {}) => {
  const seed = await seedWith()
  await seed.make(runtimeOf('a', { providerConfig: configWith(configFlags, others) }))
  await seed.converge('gvisor-a')
  return seed
}

describe('a pool', () => {
  test('has its own DaemonSet, and shares an account and a RuntimeClass with the others', async () => {
    const seed = await seedWith(['a', 'b'])
    const namesOf = async (name: string) =>
      (await seed.objectsOf(name)).map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(await seed.managedResources()).toEqual([commonName, installationOf('a'), installationOf('b')])
    expect(await namesOf(commonName)).toEqual(['ServiceAccount gvisor', 'RuntimeClass gvisor'])
    expect(await namesOf(installationOf('b'))).toEqual([
      'ConfigMap containerd-gvisor-b',
      'DaemonSet containerd-gvisor-b',
    ])
  })

  test('selects nodes with containerd and with the labels of its selector', async () => {
    const seed = await seedWith(['a'])
    const [, daemonSet] = await seed.objectsOf(installationOf('a'))
    expect(Object(daemonSet?.spec).template.spec.nodeSelector).toEqual({
      'worker.gardener.cloud/cri-name': 'containerd',
      'worker.gardener.cloud/pool': 'a',
    })
  })

  test('with ManagedResources that are not applied is ready, because nodes join and leave', async () => {
    const seed = await seedWith([], { instant: false })
    seed.resourceManager.treat('all', 'stuck')
    await seed.make(runtimeOf('a'))
    await seed.step('gvisor-a')
    expect((await seed.statusOf('gvisor-a')).lastOperation).toMatchObject({ state: 'Succeeded' })
  })

  test('without changes takes a claim, a status write, and a read of each ManagedResource', async () => {
    const seed = await seedWith(['a'])
    await seed.clock.advance(5_000)
    await seed.ask('gvisor-a', 'reconcile')
    await seed.converge('gvisor-a')
    expect(seed.requests.filter(request => request.startsWith('get'))).toEqual([
      'get containerruntimes gvisor-a',
      `get clusters ${seed.namespace}`,
      `get managedresources ${commonName}`,
      `get managedresources ${installationOf('a')}`,
    ])
    expect(seed.writes()).toEqual([
      'patch containerruntimes gvisor-a',
      'patch containerruntimes/status gvisor-a',
      'patch containerruntimes/status gvisor-a',
    ])
  })

  test('is recreated while its shared objects are being deleted', async () => {
    const seed = await seedWith(['a'], { instant: false })
    await seed.remove('gvisor-a')
    await seed.step('gvisor-a')
    expect((await seed.managedResource(commonName))?.metadata.deletionTimestamp).toBeDefined()
    await seed.make(runtimeOf('b'))
    await seed.step('gvisor-b')
    expect((await seed.statusOf('gvisor-b')).lastOperation).toMatchObject({
      state: 'Processing',
      description: `resource ${seed.namespace}/${commonName} still exists`,
    })
    await seed.resourceManager.work()
    await seed.converge('gvisor-b')
    expect((await seed.statusOf('gvisor-b')).lastOperation).toMatchObject({ state: 'Succeeded' })
    await seed.converge('gvisor-a')
    expect(await seed.managedResources()).toEqual([commonName, installationOf('b')])
  })
})

describe('the image', () => {
  const imageOf = async (seed: Awaited<ReturnType<typeof seedWith>>) => {
    const [, daemonSet] = await seed.objectsOf(installationOf('a'))
    return Object(daemonSet?.spec).template.spec.containers[0].image
  }

  test('comes from the table', async () => {
    expect(await imageOf(await seedWith(['a']))).toBe(
      'europe-docker.pkg.dev/gardener-project/releases/gardener/extensions/runtime-gvisor-installation:v0.44.0',
    )
  })

  test('can be set by a user only if the operator has a repository of test images', async () => {
    const providerConfig = configWith({}, { testImageTag: 'mine' })
    for (const testRepository of ['', 'registry.example/gvisor']) {
      const seed = await seedWith([], { settings: { testRepository } })
      await seed.make(runtimeOf('a', { providerConfig }))
      await seed.converge('gvisor-a')
      const image = await imageOf(seed)
      if (testRepository === '') expect(image).toMatch(/:v0\.44\.0$/)
      else expect(image).toBe('registry.example/gvisor:mine')
    }
  })
})

describe('flags', () => {
  test.each([
    [{}, []],
    [{ 'net-raw': 'true' }, ['net-raw = "true"']],
    [{ 'net-raw': 'false' }, ['net-raw = "false"']],
    [{ debug: 'true' }, ['debug = "true"', 'debug-log = "/var/log/runsc/%ID%/gvisor-%COMMAND%.log"']],
    [{ debug: 'false', nvproxy: 'false' }, []],
    [{ nvproxy: 'true' }, ['nvproxy = "true"']],
    [{ 'panic-signal': '-1' }, ['panic-signal = "-1"']],
  ])('%j', async (flags, lines) => {
    expect(await configIn(await withFlags(flags))).toEqual(lines)
  })

  test('are sorted regardless of the input order, so that nothing is rolled', async () => {
    const flags = { nvproxy: 'true', 'net-raw': 'true', 'panic-signal': '6', debug: 'true' }
    const seed = await withFlags(flags)
    const before = await seed.managedResource(installationOf('a'))
    seed.writes()
    await seed.change('gvisor-a', {
      spec: {
        providerConfig: configWith(Object.fromEntries(Object.entries(flags).reverse())),
      },
    })
    await seed.ask('gvisor-a', 'reconcile')
    await seed.converge('gvisor-a')
    expect(seed.writes().filter(write => !write.includes('containerruntimes'))).toEqual([])
    expect(await seed.managedResource(installationOf('a'))).toEqual(before)
    expect(await configIn(seed)).toEqual([
      'debug = "true"',
      'debug-log = "/var/log/runsc/%ID%/gvisor-%COMMAND%.log"',
      'net-raw = "true"',
      'nvproxy = "true"',
      'panic-signal = "6"',
    ])
  })

  test('that change recreate the pods through the checksum in their template', async () => {
    const checksumIn = async (seed: Awaited<ReturnType<typeof seedWith>>) => {
      const [, daemonSet] = await seed.objectsOf(installationOf('a'))
      return Object.values(Object(daemonSet?.spec).template.metadata.annotations)
    }
    const [one, other] = [await withFlags({ debug: 'true' }), await withFlags({ debug: 'false' })]
    expect(await checksumIn(one)).not.toEqual(await checksumIn(other))
  })

  test('that are unknown have no effect, and a condition reports them until they are gone', async () => {
    const seed = await withFlags({ 'net-rwa': 'true', [`${'x'.repeat(500)}\n`]: '', debug: 'true' })
    expect(await configIn(seed)).toHaveLength(2)
    const { conditions, lastOperation } = await seed.statusOf('gvisor-a')
    expect(lastOperation).toMatchObject({ state: 'Succeeded' })
    expect(conditions).toMatchObject([{ type: 'FlagsIgnored', status: 'True', reason: 'UnknownFlags' }])
    expect(conditions[0]?.message).toBe(
      `configFlags "net-rwa" (did you mean net-raw?), "${'x'.repeat(60)}…" are unknown and have no effect. Known flags are debug, net-raw, nvproxy, panic-signal.`,
    )
    await seed.change('gvisor-a', { spec: { providerConfig: null } })
    await seed.ask('gvisor-a', 'reconcile')
    await seed.converge('gvisor-a')
    expect((await seed.statusOf('gvisor-a')).conditions).toEqual([])
  })

  test('by the thousand are reported briefly', async () => {
    const flags = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`flag-${index}`, 'x']))
    const [condition] = (await (await withFlags(flags)).statusOf('gvisor-a')).conditions
    expect(condition?.message).toContain(' and 995 more are unknown')
    expect(condition?.message.length).toBeLessThan(300)
  })
})

describe('an invalid config', () => {
  const apiVersion = 'gvisor.runtime.extensions.config.gardener.cloud/v1alpha1'
  const kind = 'GVisorConfiguration'
  const binaryPath = '/var/bin/containerruntimes'

  test.each([
    ['another group', { providerConfig: { apiVersion: 'a/b', kind } }, /provider config: apiVersion: /],
    ['another kind', { providerConfig: { apiVersion, kind: 'Other' } }, /provider config: kind: /],
    ['no kind', { providerConfig: { configFlags: { debug: 'true' } } }, /provider config: apiVersion: /],
    [
      'an unknown field',
      { providerConfig: { apiVersion, kind, configFlag: {} } },
      /strict decoding error: unknown field "configFlag" \(did you mean configFlags\?\)/,
    ],
    [
      'a flag that is no text',
      { providerConfig: configWith({ debug: true }) },
      /configFlags\.debug: expected a string/,
    ],
    [
      'values that a flag does not have',
      { providerConfig: configWith({ 'panic-signal': 'TERM', debug: `yes"\nevil = "1${'x'.repeat(200)}` }) },
      /configFlags\.debug: expected "true" or "false", found "yes\\"\\nevil = \\"1x+…"; configFlags\.panic-signal: expected the number of a signal, as text, found "TERM"/,
    ],
    [
      'a tag that is none',
      { providerConfig: configWith({}, { testImageTag: 'a b' }) },
      /testImageTag: expected an image tag/,
    ],
    [
      'a path that the shell would read otherwise',
      { binaryPath: '/bin"; rm -rf /; "' },
      /spec\.binaryPath: expected an absolute path .*, found "\/bin\\"; rm -rf \/; \\""/,
    ],
    ['a path with a way up', { binaryPath: '/var/../etc' }, /spec\.binaryPath: /],
    ['a path of more than 256 characters', { binaryPath: `/${'x'.repeat(256)}` }, /spec\.binaryPath: /],
    ['a path that is relative', { binaryPath: 'bin' }, /spec\.binaryPath: /],
    [
      'a pool that is none',
      { workerPool: { name: '../x', selector: {} }, binaryPath },
      /spec\.workerPool\.name: /,
    ],
    [
      'a selector by expressions, which would be every node',
      {
        workerPool: {
          name: 'a',
          selector: { matchExpressions: [{ key: 'k', operator: 'Exists' }] },
        },
        binaryPath,
      },
      /spec\.workerPool\.selector\.matchExpressions: /,
    ],
  ])('%s', async (_, spec, message) => {
    const seed = await seedWith()
    await seed.make(runtimeOf('a', spec))
    await seed.step('gvisor-a')
    const { lastError, lastOperation } = await seed.statusOf('gvisor-a')
    expect(lastOperation).toMatchObject({ state: 'Error' })
    expect(lastError).toMatchObject({
      description: expect.stringMatching(message),
      codes: ['ERR_CONFIGURATION_PROBLEM'],
    })
    expect(await seed.managedResources()).toEqual([])
    expect(await seed.secretNames()).toEqual([])
    expect((await seed.read('gvisor-a'))?.metadata.finalizers ?? []).toEqual([])
  })
})
