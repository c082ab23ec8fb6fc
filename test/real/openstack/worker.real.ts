import { afterAll, beforeAll, expect, test } from 'vitest'
import { machinesSeed } from '../../../functions/openstack/worker/testing/machines-seed.ts'
import { recordedMachines } from '../../../functions/openstack/worker/testing/recordings.ts'
import type { CloudRequest } from '../../../shared/runtime/runtime.ts'
import { connectionOf } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { describeWith } from '../with-part.ts'
import { newProject } from './cloud/new-project.ts'
import { plain } from './cloud/rest.ts'
import { admin, secretData } from './cloud/seed.ts'
import { type RunningCloud, startCloud } from './cloud/start-cloud.ts'
import { createFigures } from './lives/figures.ts'

/** Nova's list of groups of a project. */
interface Listed {
  readonly server_groups: readonly { readonly id: string; readonly name: string }[]
}

describeWith('openstack', 'the server groups of Workers in Nova', programs => {
  let cloud: RunningCloud
  const figures = createFigures('Worker')
  beforeAll(async () => {
    cloud = await startCloud(programs, { services: ['key-pairs'] })
  })
  afterAll(async () => {
    figures.print()
    await cloud?.close()
  })

  /** A project with a group of a stranger, whose name begins like an old one of the shoot. */
  const newWorker = async (recording: string) => {
    const project = await newProject(cloud, `p-${recording}-${performance.now().toFixed(0)}`)
    const { token } = await cloud.login(project)
    const recorded = recordedMachines(recording)
    const input: typeof recorded.input = JSON.parse(
      JSON.stringify(recorded.input).replaceAll('http://<identity endpoint>/v3', cloud.authUrl),
    )
    const path = `${cloud.url('compute')}/v2.1/os-server-groups`
    const stranger = `${input.worker.metadata.namespace}-a-abcdefgh`
    const body = { server_group: { name: stranger, policies: ['anti-affinity'] } }
    await plain('POST', path, { token, body })
    const groups = async () =>
      ((await plain('GET', path, { token })).json as Listed).server_groups.filter(
        ({ name }) => name !== stranger,
      )
    let calls: CloudRequest[] = []
    const begin = (options: { readonly operation?: string } = {}) =>
      machinesSeed(input, {
        nova: { connection: { ...connectionOf({ onRequest: call => void calls.push(call) }) } },
        credentials: secretData(cloud.authUrl, project),
        readShootState: async () => ({ spec: { extensions: [] } }),
        ...options,
      })
    type Seed = Awaited<ReturnType<typeof begin>>
    return {
      project,
      recorded,
      begin,
      groups,
      names: async () => (await groups()).map(({ name }) => name).toSorted(),
      hasStranger: async () => (await plain('GET', path, { token })).text.includes(stranger),
      /** Runs a Worker until nothing is due, and returns the cost. */
      led: async (seed: Seed) => {
        calls = []
        const { length } = seed.seed.requests
        const began = performance.now()
        const cpu = process.cpuUsage()
        await seed.run()
        const { user, system } = process.cpuUsage(cpu)
        return {
          calls,
          requests: seed.seed.requests.length - length,
          wallMs: performance.now() - began,
          cpuMs: (user + system) / 1_000,
        }
      },
      /** The status with roles in place of ids, as the recordings have them. */
      statusOf: async (seed: Seed) => {
        const { status } = (await seed.live()) ?? {}
        const all = await groups()
        const text = JSON.stringify(status?.providerStatus ?? null)
        return JSON.parse(
          all.reduce((said, { id, name }) => said.replaceAll(id, `<server group ${name}>`), text),
        )
      },
    }
  }

  test.each(['server-groups', 'restore'])('%s: each recorded step has the same status', async name => {
    const worker = await newWorker(name)
    const seed = await worker.begin()
    const cost: Record<string, Awaited<ReturnType<typeof worker.led>>> = {}
    for (const { action, patch, result } of worker.recorded.steps) {
      if (action === 'delete') await seed.remove()
      else if (action === 'migrate' || action === 'restore') await seed.ask(action)
      else if (action !== 'create') await seed.ask('reconcile', patch)
      cost[action] = await worker.led(seed)
      expect((await seed.live())?.status?.lastError, action).toBeUndefined()
      expect(await worker.statusOf(seed), action).toEqual(result.status?.providerStatus ?? null)
      if (action === 'idle')
        expect(cost[action].calls.filter(({ write }) => write).length).toBeLessThanOrEqual(1)
    }
    expect(await worker.names()).toEqual([])
    expect(await worker.hasStranger()).toBe(true)
    const { create, idle, delete: removed } = cost
    if (create && idle && removed) figures.add(name, { create, idle, delete: removed })
    seed.seed.close()
  })

  test('another seed finds the groups by their names, because its status is empty', async () => {
    const worker = await newWorker('server-groups')
    const former = await worker.begin()
    await worker.led(former)
    const before = await worker.groups()
    expect(before).toHaveLength(2)
    await former.ask('migrate')
    await worker.led(former)
    expect(await worker.groups()).toEqual(before)
    const seed = await worker.begin({ operation: 'restore' })
    const { calls } = await worker.led(seed)
    expect((await seed.live())?.status?.lastOperation?.state).toBe('Succeeded')
    expect(calls.filter(({ write, service }) => write && service !== 'identity')).toEqual([])
    expect(await worker.groups()).toEqual(before)
    await seed.remove()
    await worker.led(seed)
    expect(await worker.names()).toEqual([])
    expect(await worker.hasStranger()).toBe(true)
    for (const one of [former, seed]) one.seed.close()
  })

  test('a group beyond the quota is a problem of its pool, and the deletion leaves nothing', async () => {
    const worker = await newWorker('server-groups')
    const { token } = await cloud.login(admin)
    await plain('PUT', `${cloud.url('compute')}/v2.1/os-quota-sets/${worker.project.projectId}`, {
      token,
      body: { quota_set: { server_groups: 2 } },
    })
    const seed = await worker.begin()
    await worker.led(seed)
    const { lastError } = (await seed.live())?.status ?? {}
    expect(lastError?.codes).toEqual(['ERR_INFRA_QUOTA_EXCEEDED'])
    expect(lastError?.description).toContain('for pool b')
    expect(await worker.names()).toHaveLength(1)
    await seed.remove()
    await worker.led(seed)
    expect(await seed.live()).toBeUndefined()
    expect(await worker.names()).toEqual([])
    seed.seed.close()
  })
})
