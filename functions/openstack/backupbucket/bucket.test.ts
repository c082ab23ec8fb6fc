import { describe, expect, test } from 'vitest'
import { createSteppedSeed, functionPromises } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { swiftCloud } from '../provider/swift/testing/swift-cloud.ts'
import { secretData } from '../provider/testing/served-cloud.ts'
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

const data = Object.fromEntries(Object.entries(secretData).map(([key, text]) => [key, btoa(text)]))
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'backupprovider', namespace: 'garden' },
  data,
}

const setUp = () => {
  const swift = swiftCloud()
  const seed = createSteppedSeed({ definition, cloud: swift.cloud, objects: [secret], waits: 'advance' })
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
        secret: { name: 'backupprovider', namespace: 'garden', labels: {}, data: secretData },
        connection: swift.connection,
        clock: seed.clock,
        signal: new AbortController().signal,
        destroy,
      }),
  }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `entry/${index} + ü`)

describe('a bucket', () => {
  test('is created once, and an unchanged one costs one read', async () => {
    const { apply, calls, containers } = setUp()
    expect((await apply()).lastOperation.state).toBe('Succeeded')
    expect(calls).toEqual(['login', `HEAD ${name}`, `PUT ${name}`])
    expect([...containers.keys()]).toEqual([name])
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
    const { apply, containers, seed } = setUp()
    await apply()
    containers.clear()
    await apply()
    expect([...containers.keys()]).toEqual([name])
    expect(seed.lines.map(({ message }) => message)).toContain(
      'container was missing and is created again; its earlier backups are lost',
    )
  })

  test('that Swift refuses with 403 has a code', async () => {
    const { apply, faults } = setUp()
    const refused = { status: 403, headers: { 'x-trans-id': 'tx1' }, body: '<html>Forbidden</html>' }
    faults.push(...Array.from({ length: 40 }, () => ({ call: 'PUT', answer: refused })))
    expect((await apply()).lastError).toMatchObject({
      codes: ['ERR_INFRA_UNAUTHORIZED'],
      description: expect.stringContaining(`creating container ${name}: Swift answered with HTTP status 403`),
    })
  })
})

describe('deleting a bucket', () => {
  test('costs one call without objects, and succeeds without a container', async () => {
    const { apply, remove, calls, containers } = setUp()
    await apply()
    expect(await remove()).toBeUndefined()
    expect(calls).toEqual([`DELETE ${name}`])
    await apply()
    containers.clear()
    expect(await remove()).toBeUndefined()
  })

  test.each([
    ['in bulk', {}],
    ['one by one without the bulk middleware', { bulk: false }],
    ['one by one if the cloud allows fewer in bulk', { mostDeletes: 100 }],
  ])('deletes its objects %s', async (_, options) => {
    const { apply, remove, calls, containers, fill, options: given } = setUp()
    await apply()
    const other = fill('other', ['a'])
    fill(name, names(2_100))
    Object.assign(given, options)
    expect(await remove()).toBeUndefined()
    expect([...containers.keys()]).toEqual(['other'])
    expect([...other.objects]).toEqual(['a'])
    if (given.bulk && given.mostDeletes > 1_000)
      // Pages of 1,000 in pieces of 250, and a second pass that finds nothing.
      expect(calls.map(call => call.split(' ')[0])).toEqual([
        ...['DELETE', 'GET', ...Array(4).fill('POST'), 'GET', ...Array(4).fill('POST'), 'GET', 'POST'],
        ...['GET', 'DELETE'],
      ])
  })

  test('in many steps shows its progress, and no step holds more than one page', async () => {
    const { apply, one, fill, containers, seed, state } = setUp()
    await apply()
    fill(name, names(5_000))
    // A deletion of 1,000 objects takes 16 seconds.
    state.wait = () => seed.clock.sleep(4_000)
    await one.delete()
    const waits = await one.run()
    expect(waits.length).toBeGreaterThan(1)
    expect(waits[0]).toMatch(/^Deleting the objects of container cloud--openstack--plain: \d+ deleted$/)
    expect(containers.size).toBe(0)
  })

  test.each([
    ['409 Conflict', ['ERR_INFRA_DEPENDENCIES']],
    ['403 Forbidden', ['ERR_INFRA_UNAUTHORIZED']],
    ['503 Service Unavailable', undefined],
  ])('reports an object that Swift refuses to delete with %s (D11)', async (status, codes) => {
    const { apply, remove, one, fill, options } = setUp()
    await apply()
    const container = fill(name, ['a', 'locked', 'z'])
    options.refused = { locked: status }
    const { lastError } = await remove()
    expect(lastError.codes).toEqual(codes)
    expect(lastError.description).toContain(`${name}/locked`)
    expect(lastError.description).toContain(status)
    expect([...container.objects]).toEqual(['locked'])
    options.refused = {}
    await one.run({ longestPauseMs: 3_600_000 })
    expect(await one.live()).toBeUndefined()
  })

  test('reports a connection that broke, and continues in the next step (D10)', async () => {
    const { apply, one, fill, faults, containers } = setUp()
    await apply()
    fill(name, ['a'])
    faults.push({ call: 'POST ', answer: new Error('socket hang up'), applies: true })
    await one.delete()
    const waits = await one.run()
    expect(waits[0]).toContain('socket hang up')
    expect(containers.size).toBe(0)
  })

  test('waits while Swift still counts deleted objects', async () => {
    const { apply, one, fill, options, seed, containers } = setUp()
    await apply()
    fill(name, ['a'])
    options.ghosts.push('a')
    await one.delete()
    const waits = await one.run({
      until: () => {
        if (seed.requests.length > 30) options.ghosts.length = 0
        return false
      },
    })
    expect(waits[0]).toContain(`Waiting until container ${name} is empty`)
    expect(containers.size).toBe(0)
  })

  test('deletes every version, and warns of those in a container of history', async () => {
    const { apply, remove, calls, fill, seed } = setUp()
    await apply()
    fill(name, ['a?1', 'a?2', 'b?1'], { 'x-versions-enabled': 'True' })
    expect(await remove()).toBeUndefined()
    expect(calls.filter(call => call.startsWith(`DELETE ${name}/`))).toHaveLength(3)
    await apply()
    fill(name, ['a'], { 'x-history-location': 'archive' })
    expect(await remove()).toBeUndefined()
    expect(seed.lines).toContainEqual(expect.objectContaining({ history: 'archive' }))
  })

  test('never sends a request whose URL means the account', async () => {
    const { apply, remove, one, calls, fill, options } = setUp()
    await apply()
    fill(name, ['..', 'a'])
    options.bulk = false
    expect((await remove()).lastError.description).toContain('it can only be deleted in bulk')
    expect(calls).not.toContain('DELETE ')
    options.bulk = true
    await one.run({ longestPauseMs: 3_600_000 })
    expect(await one.live()).toBeUndefined()
  })
})

test('a plan changes nothing, and names the container and the number of its objects', async () => {
  const { plan, fill, calls } = setUp()
  expect(await plan()).toEqual({ actions: [{ kind: 'create', sentence: `create container ${name}` }] })
  expect(await plan(true)).toEqual({ actions: [] })
  fill(name, names(1))
  expect(await plan()).toEqual({ actions: [] })
  const sentence = `delete container ${name} with 1 object`
  expect(await plan(true)).toEqual({ actions: [{ kind: 'delete', sentence }] })
  expect(calls.filter(call => !/^(?:login|HEAD|GET)/.test(call))).toEqual([])
})

for (const { promise, hold } of functionPromises({
  definition,
  example: { object: bucket, beside: [secret] },
  cloud: () => swiftCloud().cloud,
  made: [name],
  marksOwner: false,
  waits: 'advance',
}))
  test(`openstack-backupbucket: ${promise}`, hold)
