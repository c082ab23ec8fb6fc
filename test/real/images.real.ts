import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findPrograms,
  imageReferences,
  machinePlatform,
  makeImages,
  nodeFlagsOf,
  openLayout,
  pushImages,
  snapshotArgs,
  unpackImage,
  writeBundles,
} from '../../build/images/images.ts'
import { makeMachineBase } from '../../build/images/testing/machine-base.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { giveZone, recordNumber, shootObjects } from './dns-shoot.ts'
import { imageRunner } from './images/image-runner.ts'
import { type Registry, startRefusingRegistry, startRegistry } from './images/registry.ts'
import { regctlAt } from './programs/regctl.ts'
import { reconcileMessage } from './reconcile-message.ts'
import { startServerProcess } from './server-process.ts'
import { startTlsFront } from './tls-front.ts'
import { describeWith } from './with-part.ts'

/**
 * Snapshots of programs that create keys at their warm-up (aws, local, oidc) differ, so that of the seed process does.
 */
const same = ['aws-dnsrecord', 'bridge', 'webhook']
const wanted = [...same, 'seed']
const created = '2026-01-02T03:04:05Z'

describeWith('registry', 'images without a Docker engine', ({ regctl: path, registry: program }) => {
  let folder = ''
  let registry: Registry
  let digests: Readonly<Record<string, string>> = {}
  const regctl = regctlAt(path)
  let base = ''
  const make = async (at: string, names: readonly string[]) => {
    const programs = (await findPrograms()).filter(({ name }) => names.includes(name))
    const bundles = join(folder, at, 'bundles')
    for await (const _ of writeBundles(programs, bundles));
    const layout = join(folder, at, 'images')
    const facts = {
      project: 'trellis',
      version: '1.2.3',
      license: 'Apache-2.0',
      revision: 'abc',
      created,
      base,
    }
    return {
      layout,
      digests: await makeImages({
        programs: names,
        bundles,
        layout,
        platform: machinePlatform(),
        facts,
      }),
    }
  }
  let layout = ''

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trellis-images-'))
    chmodSync(folder, 0o755)
    base = await makeMachineBase(join(folder, 'base'))
    ;({ layout, digests } = await make('one', wanted))
    registry = await startRegistry(program)
  })
  afterAll(async () => {
    await registry?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('are identical to the byte when they are built again in another folder', async () => {
    const sameBase = await makeMachineBase(join(folder, 'another/base'))
    expect(sameBase.split('@')[1]).toBe(base.split('@')[1])
    expect(Object.keys(digests)).toEqual(wanted)
    const { seed: _, ...others } = digests
    expect((await make('another', same)).digests).toEqual(others)
  })

  test('declare their labels, their base, their entry point and their user', async () => {
    const config = (await openLayout(layout).readConfiguration('bridge')).config
    expect(config).toMatchObject({
      Entrypoint: ['/nodejs/bin/node', ...snapshotArgs('/trellis', nodeFlagsOf('bridge'))],
      User: '65532:65532',
      WorkingDir: '/trellis',
      Labels: {
        'org.opencontainers.image.created': created,
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.revision': 'abc',
        'org.opencontainers.image.title': 'bridge',
        'org.opencontainers.image.version': '1.2.3',
      },
    })
    const manifest = JSON.parse(
      await regctl('manifest', 'get', `ocidir://${layout}:bridge`, '--format', 'raw-body'),
    )
    expect(manifest.annotations).toMatchObject({
      'org.opencontainers.image.base.digest': base.split('@')[1],
      'org.opencontainers.image.version': '1.2.3',
    })
  })

  test('of the seed process contain a snapshot of each program that it starts, and list all packages once', async () => {
    const root = join(folder, 'seed-root')
    await unpackImage({ layout, tag: 'seed', into: root })
    const programs = (await findPrograms()).find(({ name }) => name === 'seed')?.starts ?? []
    expect(programs.length).toBeGreaterThan(5)
    const files = filesOf(join(root, 'trellis')).join()
    for (const { name } of programs)
      for (const file of ['main.cjs', 'main.blob', 'kubeconfig.cjs'])
        expect(files).toContain(`programs/${name}/${file}`)
    const sbom = JSON.parse(readFileSync(join(root, 'trellis/sbom.cdx.json'), 'utf8'))
    const names: readonly string[] = sbom.components.map((one: { readonly purl: string }) => one.purl)
    expect(names.some(name => name.includes('client-route-53'))).toBe(true)
    expect(names.length).toBe(new Set(names).size)
  })

  describe('from a registry', () => {
    let pulled = ''
    beforeAll(async () => {
      const prefix = `${registry.host}/acme/trellis`
      const here = regctlAt(path, [`reg=${registry.host},tls=disabled`])
      await pushImages({ layout, registry: prefix, tag: '1.2.3', digests, plainHttp: true })
      pulled = join(folder, 'pulled')
      const reference = imageReferences(prefix, digests)['aws-dnsrecord'] ?? ''
      await here('image', 'copy', reference, `ocidir://${pulled}:function`)
      await unpackImage({ layout: pulled, tag: 'function', into: join(folder, 'root') })
    })

    test('equal the pushed images', async () => {
      expect(await regctl('image', 'digest', `ocidir://${pulled}:function`)).toBe(digests['aws-dnsrecord'])
    })

    test('run as declared: start from the snapshot, are healthy, handle an event, and write nothing', async () => {
      const root = join(folder, 'root')
      const account = join(root, 'var/run/secrets/kubernetes.io/serviceaccount')
      const world = await startKubernetes()
      mkdirSync(account, { recursive: true })
      writeFileSync(join(account, 'token'), 'a-token')
      writeFileSync(join(account, 'ca.crt'), world.ca)
      const kubeconfig = join(folder, 'kubeconfig')
      writeFileSync(kubeconfig, kubeconfigText(world.server, world.ca))
      const config = (await openLayout(pulled).readConfiguration('function')).config ?? {}
      const runner = await imageRunner(root, config)
      console.info(`the image runs ${runner.about}`)
      const before = filesOf(root)
      const [command = '', ...args] = runner.command([...(config.Entrypoint ?? []), ...(config.Cmd ?? [])])
      const variables = Object.fromEntries((config.Env ?? []).map(text => text.split(/=(.*)/s).slice(0, 2)))
      const running = startServerProcess({
        command,
        args,
        env: {
          ...variables,
          PATH: process.env.PATH,
          ...world.env,
          ...(runner.isContained ? {} : { KUBECONFIG: kubeconfig }),
        },
      })
      try {
        const port = await listeningPort(running.output)
        expect((await fetch(`http://127.0.0.1:${port}/health/readiness`)).status).toBe(200)
        expect(await world.reconcile(`http://127.0.0.1:${port}/`)).toEqual({
          status: 204,
          state: 'Succeeded',
        })
      } catch (error) {
        throw new Error(running.output().slice(-4000), { cause: error })
      } finally {
        await running.stop()
        await world.close()
      }
      expect(filesOf(root)).toEqual(before)
    })
  })

  test.each([
    [401, 'it requires other credentials: docker login 127.0.0.1:'],
    [403, 'these credentials may not write there'],
    [404, 'the repository does not exist'],
    [503, 'it is broken or unavailable. Try again later'],
  ])('suggest a remedy if a registry refuses with %i', async (status, todo) => {
    const refusing = await startRefusingRegistry(status)
    try {
      const one = { bridge: digests.bridge ?? '' }
      await expect(
        pushImages({ layout, registry: `${refusing.host}/acme`, tag: '1', digests: one, plainHttp: true }),
      ).rejects.toThrow(todo)
    } finally {
      await refusing.stop()
    }
  })
})

/** If the image does not run in its own root, the account of a pod cannot be mounted there. */
const kubeconfigText = (server: string, ca: string): string =>
  JSON.stringify({
    clusters: [
      { name: 'c', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
    ],
    users: [{ name: 'u', user: { token: 'a-token' } }],
    contexts: [{ name: 'one', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'one',
  })

const filesOf = (root: string) => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()

const listeningPort = async (output: () => string): Promise<number> => {
  for (;;) {
    const port = /"port":(\d+),"msg":"listening"/.exec(output())?.[1]
    if (port !== undefined) return Number(port)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Starts the API server and AWS as a pod reaches them, with an object that has an event. */
const startKubernetes = async () => {
  const clock = systemClock
  const server = createApiServer({ clock, objects: [...allCrds(), ...shootObjects] })
  const aws = createAws({ clock })
  giveZone(aws.account())
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const [listener, cloud] = await Promise.all([server.listen(), aws.listen()])
  const front = await startTlsFront(listener.port)
  return {
    ca: front.ca,
    server: `https://127.0.0.1:${front.port}`,
    env: {
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String(front.port),
      AWS_ENDPOINT_URL: cloud.url,
      TRELLIS_PORT: '0',
      TRELLIS_ADDRESS: '127.0.0.1',
    },
    reconcile: async (url: string) => {
      const object = await kubernetes.create(kinds.DNSRecord.resource, recordNumber(1))
      const { headers, body } = reconcileMessage('DNSRecord', object)
      const { status } = await fetch(url, { method: 'POST', headers, body })
      const after = await kubernetes.get(kinds.DNSRecord.resource, {
        name: object.metadata.name,
        namespace: object.metadata.namespace ?? '',
      })
      const { lastOperation } = (after?.status ?? {}) as {
        readonly lastOperation?: { readonly state?: string }
      }
      return { status, state: lastOperation?.state }
    },
    close: async () => {
      await Promise.all([front.close(), listener.close(), cloud.close()])
      server.close()
    },
  }
}
