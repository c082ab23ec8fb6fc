import { describe, expect, test } from 'vitest'
import { requestText } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { KubernetesError } from '../kubernetes/kubernetes.ts'
import { newSeed } from './testing/seed.ts'
import { configurationProblem, tinyProvider } from './testing/tiny-provider.ts'

const a = 'shoot--p--x-a-z1'
const b = 'shoot--p--x-b-z1'
const writesOf = (requests: readonly string[]) => requests.filter(call => !/^(get|list) /.test(call))

describe('a pool with a problem', () => {
  const problem = /failed to generate the machine deployments: machine type "unknown" not found$/

  test('is not changed, the others are reconciled, and nothing is deleted', async () => {
    const seed = await newSeed({ pools: [{ priority: 7 }, {}] })
    await seed.converge()
    await seed.make('MachineClass', 'of-no-pool', { providerSpec: {} })
    const before = await seed.deploymentOf(a)
    await seed.reconcile([{ machineType: 'unknown' }, { minimum: 2, maximum: 3 }])
    await seed.step()
    const { status } = await seed.live()
    expect(status?.lastOperation?.state).toBe('Error')
    expect(status?.lastError).toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      description: expect.stringMatching(problem),
    })
    expect(await seed.deploymentOf(a)).toEqual(before)
    expect((await seed.deploymentOf(b)).spec?.replicas).toBe(2)
    expect(status?.machineDeployments).toEqual([
      { name: a, minimum: 1, maximum: 2, priority: 7 },
      { name: b, minimum: 2, maximum: 3 },
    ])
    expect(status?.providerStatus).toEqual({ kind: 'BoxStatus', sizes: ['large'] })
    expect((await seed.machineObjects('MachineClass')).map(({ metadata }) => metadata.name)).toContain(
      'of-no-pool',
    )
  })

  test.each([
    [
      { userDataSecretRef: { name: 'none', key: 'k' } },
      'failed fetching user data secret none referenced in worker pool a: secrets "none" not found (worker pool "a", spec.pools[1].userDataSecretRef.name). gardenlet writes the Secret. Reconcile the shoot',
    ],
    [
      { userDataSecretRef: { name: 'u', key: 'other' } },
      'user data secret u for worker pool a has no other field or it\'s empty (worker pool "a", spec.pools[1].userDataSecretRef.key). gardenlet writes',
    ],
    [
      { nodeAgentSecretName: '' },
      'missing node-agent secret name for worker pool "a" (worker pool "a", spec.pools[1].nodeAgentSecretName). gardenlet writes it',
    ],
    [
      { updateStrategy: 'AutoInPlaceUpdate' as const, kubernetesVersion: 'x' },
      'invalid semantic version (worker pool "a", spec.pools[1].kubernetesVersion). Set a version',
    ],
    [
      {
        updateStrategy: 'AutoInPlaceUpdate' as const,
        kubeletConfig: { kubeReserved: { cpu: '1e1.5' } },
      },
      'found "1e1.5" (worker pool "a", spec.pools[1].kubeletConfig.kubeReserved). Correct the quantity',
    ],
    [{ maxSurge: 'some' }, 'found "some" (worker pool "a", spec.pools[1].maxSurge). Correct it'],
    [{ maxUnavailable: '1.5%' }, 'found "1.5%" (worker pool "a", spec.pools[1].maxUnavailable). Correct it'],
  ])('%j says how to fix it', async (pool, text) => {
    const seed = await newSeed({ pools: [{ name: 'b' }, { name: 'a', ...pool }] })
    await seed.step()
    const { status } = await seed.live()
    expect(status?.lastError?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(status?.lastError?.description).toMatch(
      /^Error reconciling Worker: failed to generate the machine deployments: /,
    )
    expect(status?.lastError?.description).toContain(text)
    expect((await seed.machineObjects('MachineDeployment')).map(({ metadata }) => metadata.name)).toEqual([b])
  })

  test('with empty user data is reported', async () => {
    const seed = await newSeed({ pools: [{ userDataSecretRef: { name: 'empty', key: 'k' } }] })
    await seed.makeSecret('empty', { k: '' })
    await seed.step()
    const text = (await seed.live()).status?.lastError?.description
    expect(text).toContain("user data secret empty for worker pool a has no k field or it's empty")
  })

  test('with the name of another pool is reported, and neither is changed', async () => {
    const seed = await newSeed({ pools: [{}, {}] })
    await seed.converge()
    const before = await seed.machineObjects('MachineDeployment')
    await seed.reconcile([{ minimum: 2, maximum: 2 }, { name: 'a' }, { name: 'b', priority: 1 }])
    await seed.step()
    expect((await seed.live()).status?.lastError).toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      description: expect.stringContaining(
        'more than one worker pool has the name "a" (worker pool "a", spec.pools[0].name). Give each pool a unique name',
      ),
    })
    expect(await seed.machineObjects('MachineDeployment')).toEqual(before)
  })

  test('next to another one is reported together with it', async () => {
    const seed = await newSeed({ pools: [{ machineType: 'unknown' }, { nodeAgentSecretName: '' }] })
    await seed.step()
    const text = String((await seed.live()).status?.lastError?.description)
    expect(text).toContain(
      'machine type "unknown" not found; missing node-agent secret name for worker pool "b" (',
    )
  })

  test.each([
    ['secrets', /^create secrets shoot--p--x-a-/],
    ['machineclasses', /^create machineclasses shoot--p--x-a-/],
    ['machinedeployments', /^(create|patch) machinedeployments shoot--p--x-a-/],
  ] as const)(
    'with a %s refused by the API server is not changed, but the other pools are',
    async (plural, refused) => {
      const seed = await newSeed({ pools: [{}, {}] })
      await seed.converge()
      const before = await seed.deploymentOf(a)
      await seed.reconcile([{ providerConfig: { lid: 'red' } }, { providerConfig: { lid: 'red' } }])
      seed.interfereWith({
        before: request => {
          if (!refused.test(requestText(request))) return
          throw new KubernetesError(422, 'Invalid', `${plural} "${request.name}" is invalid: no`)
        },
      })
      await seed.step()
      const { status } = await seed.live()
      expect(status?.lastError).toMatchObject({
        codes: ['ERR_CONFIGURATION_PROBLEM'],
        description: expect.stringMatching(
          /: (\w+) "shoot--p--x-a-z1[^"]*" is invalid: no \(worker pool "a", spec.pools\[0\]\). Correct the value that the API server refuses$/,
        ),
      })
      expect(await seed.deploymentOf(a)).toEqual(before)
      const classNameOf = async (name: string) =>
        (await seed.deploymentOf(name)).spec?.template.spec?.class?.name
      const made = (await seed.machineObjects('MachineClass')).map(({ metadata }) => metadata.name)
      expect(made.filter(name => name.startsWith(b))).toHaveLength(2)
      expect(made).toContain(await classNameOf(a))
      expect(await classNameOf(b)).not.toBe(undefined)
      seed.interfereWith({})
      await seed.reconcile()
      await seed.converge()
      expect((await seed.live()).status?.lastError).toBeUndefined()
      expect(await seed.machineObjects('MachineClass')).toHaveLength(2)
    },
  )

  test('with its first MachineDeployment refused by the API server records its inputs', async () => {
    const seed = await newSeed()
    seed.interfereWith({
      before: ({ verb, resource }) => {
        if (verb === 'create' && resource === 'machinedeployments')
          throw new KubernetesError(422, 'Invalid', 'no')
      },
    })
    await seed.step()
    expect((await seed.live()).status?.providerStatus).toEqual({ kind: 'BoxStatus', sizes: ['large'] })
  })

  test.each([
    ['secrets', /^create secrets shoot--p--x-a-/],
    ['machineclasses', /^create machineclasses shoot--p--x-a-/],
    ['machinedeployments', /^(create|patch) machinedeployments shoot--p--x-a-/],
  ] as const)('with a %s refused by the API server retains the record of its inputs', async (_, refused) => {
    const seed = await newSeed({ pools: [{}, {}] })
    await seed.converge()
    const before = (await seed.live()).status?.providerStatus
    expect(before).toEqual({ kind: 'BoxStatus', sizes: ['large'] })
    const small = { machineType: 'small', providerConfig: { lid: 'red' } }
    await seed.reconcile([small, small])
    seed.interfereWith({
      before: request => {
        if (!refused.test(requestText(request))) return
        throw new KubernetesError(422, 'Invalid', `"${request.name}" is invalid: no`)
      },
    })
    await seed.step()
    expect((await seed.live()).status?.lastOperation?.state).toBe('Error')
    expect((await seed.live()).status?.providerStatus).toEqual(before)
    seed.interfereWith({})
    await seed.reconcile()
    await seed.converge()
    expect((await seed.live()).status?.providerStatus).toEqual({ kind: 'BoxStatus', sizes: ['small'] })
  })

  test('that all pools share stops the step before any write', async () => {
    const seed = await newSeed({
      provider: {
        desired: () => {
          throw configurationProblem('no status of the infrastructure')
        },
      },
    })
    await seed.step()
    expect((await seed.live()).status?.lastError?.description).toBe(
      'Error reconciling Worker: failed to generate the machine deployments: no status of the infrastructure',
    )
    expect(writesOf(seed.requests).filter(call => call.startsWith('create'))).toEqual([])
  })
})

test('a pool with a problem is not marked for hibernation, because its machines stay', async () => {
  const seed = await newSeed({ pools: [{}, {}] })
  await seed.converge()
  await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
  await seed.reconcile([{ machineType: 'unknown' }, {}])
  await seed.step()
  const marked = (await seed.machineObjects('Machine')).filter(
    ({ metadata }) => metadata.labels?.['force-deletion'] === 'True',
  )
  expect(marked.map(({ metadata }) => metadata.labels?.name)).toEqual([b])
})

test('an incomplete answer of a provider deletes nothing', async () => {
  let isBroken = false
  const seed = await newSeed({
    provider: {
      desired: input => {
        const desired = tinyProvider.desired(input)
        return isBroken ? { ...desired, pools: [] } : desired
      },
    },
  })
  await seed.converge()
  isBroken = true
  await seed.reconcile()
  await seed.step()
  expect((await seed.live()).status?.lastOperation?.state).toBe('Error')
  expect(await seed.machineObjects('MachineDeployment')).toHaveLength(1)
})
