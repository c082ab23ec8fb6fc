import { describe, expect, test } from 'vitest'
import { createSteppedSeed, functionPromises } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { BackupBucket } from '../../../shared/contract/objects.ts'
import {
  passwordSecret,
  scriptedCloud,
} from '../../../terraform-free-infra/openstack/account/testing/scripted-cloud.ts'
import { simulatedSecret } from '../provider/testing/simulated-cloud.ts'
import { swiftCloud } from '../provider/testing/swift-cloud.ts'
import { definition } from './function.ts'
import { planBackupBucket } from './plan.ts'

const name = 'cloud--openstack--plain'

const bucket: BackupBucket = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'BackupBucket',
  metadata: { name },
  spec: {
    type: 'openstack',
    region: 'RegionOne',
    secretRef: { name: 'backupprovider', namespace: 'garden' },
  },
}

const data = Object.fromEntries(Object.entries(simulatedSecret).map(([key, text]) => [key, btoa(text)]))
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'backupprovider', namespace: 'garden' },
  data,
}

const setUp = () => {
  const swift = swiftCloud()
  const seed = createSteppedSeed({
    definition,
    cloud: swift.cloud,
    clock: swift.clock,
    objects: [secret],
    waits: 'advance',
  })
  const one = seed.object({ name })
  return {
    ...swift,
    seed,
    one,
    apply: async () => {
      swift.calls.length = 0
      return Object((await seed.apply(bucket)).status)
    },
    /** Deletes. Returns the status if the deletion failed. */
    remove: async () => {
      swift.calls.length = 0
      const left = await seed.remove(bucket)
      return left && Object(left.status)
    },
    plan: (destroy = false) =>
      planBackupBucket({
        object: bucket,
        secret: { name: 'backupprovider', namespace: 'garden', labels: {}, data: simulatedSecret },
        connection: swift.connection,
        clock: seed.clock,
        signal: new AbortController().signal,
        destroy,
      }),
  }
}

const keys = (count: number) => Array.from({ length: count }, (_, index) => `entry/${index} + ü`)

const finalizers = ['extensions.gardener.cloud/backupbucket']
const bulkAnswer = { 'Number Deleted': 0, 'Number Not Found': 0, 'Response Body': '', Errors: [] }

describe('a bucket', () => {
  test('is created once, and an unchanged one costs one read', async () => {
    const { apply, calls, names } = setUp()
    expect((await apply()).lastOperation.state).toBe('Succeeded')
    expect(calls).toEqual(['login', `HEAD ${name}`, `PUT ${name}`])
    expect(names()).toEqual([name])
    await apply()
    expect(calls).toEqual([`HEAD ${name}`])
  })

  test('that exists is adopted without a write', async () => {
    const { apply, calls, fill } = setUp()
    fill(name, ['kept'])
    expect((await apply()).lastOperation.state).toBe('Succeeded')
    expect(calls).toEqual(['login', `HEAD ${name}`])
  })

  test('that vanished is created again, and the log says that its backups are lost', async () => {
    const { apply, vanish, names, seed } = setUp()
    await apply()
    vanish(name)
    await apply()
    expect(names()).toEqual([name])
    expect(seed.lines.map(({ message }) => message)).toContain(
      'container was missing and is created again; its earlier backups are lost',
    )
  })

  test('that Swift refuses with 403 has a code', async () => {
    const { apply, refuse } = setUp()
    refuse('PUT', 403, 40)
    expect((await apply()).lastError).toMatchObject({
      codes: ['ERR_INFRA_UNAUTHORIZED'],
      description: expect.stringContaining(`creating container ${name}: Swift answered with HTTP status 403`),
    })
  })
})

describe('deleting a bucket', () => {
  test('costs one call without objects, and succeeds without a container', async () => {
    const { apply, remove, calls, vanish } = setUp()
    await apply()
    expect(await remove()).toBeUndefined()
    expect(calls).toEqual([`DELETE ${name}`])
    await apply()
    vanish(name)
    expect(await remove()).toBeUndefined()
  })

  test('deletes its objects in bulk: pages of 1,000 in pieces of 250, and a second pass', async () => {
    const { apply, remove, calls, names, fill } = setUp()
    await apply()
    fill('other', ['a'])
    fill(name, keys(1_250))
    expect(await remove()).toBeUndefined()
    expect(names()).toEqual(['other', 'other/a'])
    expect(calls.map(call => call.split(' ')[0])).toEqual([
      ...['DELETE', 'GET', ...Array(4).fill('POST'), 'GET', 'POST', 'GET', 'DELETE'],
    ])
  })

  test.each([
    ['the bulk middleware', 204, ''],
    ['the bulk middleware, in front of a proxy that knows no such request', 405, ''],
    ['bulk requests of this size', 200, { ...bulkAnswer, 'Response Status': '413 Request Entity Too Large' }],
  ])('deletes its objects one by one without %s', async (_, status, body) => {
    const { apply, remove, names, fill, refuse } = setUp()
    await apply()
    fill(name, keys(20))
    refuse('POST', status, 40, body)
    expect(await remove()).toBeUndefined()
    expect(names()).toEqual([])
  })

  test('in many steps shows its progress, and no step holds more than one page', async () => {
    const { apply, one, fill, names, seed, state } = setUp()
    await apply()
    fill(name, keys(2_001))
    // A page takes 16 seconds: one call for the list, and four at once for the deletion.
    state.wait = () => seed.clock.sleep(8_000)
    await one.delete()
    const waits = await one.run()
    expect(waits.length).toBeGreaterThan(1)
    expect(waits[0]).toMatch(/^Deleting the objects of container cloud--openstack--plain: \d+ deleted$/)
    expect(names()).toEqual([])
  })

  test.each([
    ['409 Conflict', ['ERR_INFRA_DEPENDENCIES']],
    ['403 Forbidden', ['ERR_INFRA_UNAUTHORIZED']],
    ['503 Service Unavailable', undefined],
  ])('reports an object that Swift refuses to delete with %s (D11)', async (status, codes) => {
    const { apply, remove, one, fill, names, openstack } = setUp()
    await apply()
    fill(name, ['a', 'z'])
    openstack.addObject(name, 'locked', 'x', status)
    const { lastError } = await remove()
    expect(lastError.codes).toEqual(codes)
    expect(lastError.description).toContain(`${name}/locked`)
    expect(lastError.description).toContain(status)
    expect(names()).toEqual([name, `${name}/locked`])
    fill(name, ['locked'])
    await one.run({ longestPauseMs: 3_600_000 })
    expect(await one.live()).toBeUndefined()
  })

  test('reports a connection that broke, and continues in the next step (D10)', async () => {
    const { apply, one, fill, names, openstack } = setUp()
    await apply()
    fill(name, ['a'])
    openstack.faults.add({
      service: 'object-store',
      method: 'POST',
      when: 'after',
      effect: { kind: 'drop' },
    })
    await one.delete()
    const waits = await one.run()
    expect(waits[0]).toContain('socket hang up')
    expect(names()).toEqual([])
  })

  test('waits while Swift still counts deleted objects', async () => {
    const { apply, one, fill, refuse, names } = setUp()
    await apply()
    fill(name, ['a'])
    refuse('DELETE', 409, 4)
    await one.delete()
    const waits = await one.run()
    expect(waits[0]).toContain(`Waiting until container ${name} is empty`)
    expect(names()).toEqual([])
  })

  test('warns of what Swift moves to another container', async () => {
    const { apply, remove, fill, seed, refuse } = setUp()
    await apply()
    fill(name, ['a'])
    refuse('GET', 200, 1, [{ name: 'a', slo_etag: 'x' }], { 'x-history-location': 'archive' })
    expect(await remove()).toBeUndefined()
    expect(seed.lines.filter(({ history }) => history === 'archive')).toHaveLength(2)
  })

  test('deletes every version of an object', async () => {
    const answer = (status: number, body: unknown = '') => ({
      status,
      body,
      headers: { 'x-trans-id': 'tx1', 'x-versions-enabled': 'True' },
    })
    const versions = ['1', '2'].map(version_id => ({ name: 'a', version_id }))
    const script = [answer(409), answer(200, []), answer(200, versions), answer(204), answer(204)]
    const cloud = scriptedCloud([...script, answer(200, []), answer(204)])
    const { data: texts } = passwordSecret()
    const encoded = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, btoa(text)]))
    const seed = createSteppedSeed({
      definition,
      connection: cloud.connection,
      objects: [{ ...secret, data: encoded }],
    })
    await seed.object({ name }).create({ ...bucket, metadata: { name, finalizers } })
    expect(await seed.remove(bucket)).toBeUndefined()
    const path = `/v1/AUTH_1/${name}`
    expect(cloud.calls()).toEqual([
      `DELETE ${path}`,
      `GET ${path}?format=json&limit=1000`,
      `GET ${path}?format=json&limit=1000&versions=true`,
      `DELETE ${path}/a?version-id=1`,
      `DELETE ${path}/a?version-id=2`,
      `GET ${path}?format=json&limit=1000&versions=true`,
      `DELETE ${path}`,
    ])
  })

  test('never sends a request whose URL means the account', async () => {
    const { apply, remove, one, calls, fill, refuse } = setUp()
    await apply()
    fill(name, ['..', 'a'])
    refuse('POST', 405, 10)
    expect((await remove()).lastError.description).toContain('it can only be deleted in bulk')
    const deletions = new Set(calls.filter(call => /^DELETE/.test(call)))
    expect([...deletions]).toEqual([`DELETE ${name}`, `DELETE ${name}/a`])
    await one.run({ longestPauseMs: 86_400_000 })
    expect(await one.live()).toBeUndefined()
  })
})

test('a plan changes nothing, and names the container and the number of its objects', async () => {
  const { plan, fill, calls } = setUp()
  expect(await plan()).toEqual({ actions: [{ kind: 'create', sentence: `create container ${name}` }] })
  expect(await plan(true)).toEqual({ actions: [] })
  fill(name, keys(1))
  expect(await plan()).toEqual({ actions: [] })
  const sentence = `delete container ${name} with 1 object`
  expect(await plan(true)).toEqual({ actions: [{ kind: 'delete', sentence }] })
  expect(calls.filter(call => !/^(?:login|HEAD|GET)/.test(call))).toEqual([])
})

for (const { promise, hold } of functionPromises({
  definition,
  example: { object: bucket, beside: [secret] },
  cloud: ({ clock }) => swiftCloud({ clock }).cloud,
  made: [name],
  marksOwner: false,
  waits: 'advance',
}))
  test(`openstack-backupbucket: ${promise}`, hold)

test.each(['before', 'after'] as const)(
  'a bucket with objects is deleted after a crash %s any action, and others stay',
  async when => {
    for (let action = 1; action <= 8; action++) {
      const { apply, remove, fill, names, seed } = setUp()
      await apply()
      fill(name, ['a', 'b/c + ü', 'd%2F'])
      fill('other', ['a'])
      seed.dieAt(action, when)
      expect(await remove(), `action ${action}`).toBeUndefined()
      expect(names()).toEqual(['other', 'other/a'])
    }
  },
)

test('credentials of another project neither make a second container nor take the first one for deleted', async () => {
  const { seed, apply, remove, calls } = setUp()
  expect((await apply()).state).toMatchObject({ Project: expect.any(String) })
  const former = { state: { Project: 'another-project' } }
  await seed.kubernetes.patch(
    kinds.BackupBucket.resource,
    { name },
    { status: former },
    { subresource: 'status' },
  )
  expect((await apply()).lastError).toMatchObject({
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    description: expect.stringContaining('was created in the project another-project'),
  })
  expect((await remove())?.lastError?.description).toContain('Use credentials of the former project')
  expect(calls.filter(call => !JSON.stringify(call).includes('auth/tokens'))).toEqual([])
})
