import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { type RealCluster, startRealCluster } from '../../real-cluster.ts'
import { describeWith } from '../../with-part.ts'
import { coreResource, type Pod } from './kubelet/pod.ts'
import { type PodMachine, startPodMachine } from './start-pod-machine.ts'

/** Serves its environment and files. `/kill` ends it, `/get` asks another Pod, `/ready` may be closed. */
const program = `
const { createServer, get } = require('node:http')
const { readFileSync, writeFileSync, appendFileSync } = require('node:fs')
let ready = true
const note = text => { console.log(text) }
createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x')
  if (pathname === '/env') return response.end(JSON.stringify(process.env))
  if (pathname === '/who') return response.end(JSON.stringify([process.getuid(), process.getgid(), process.pid, require('node:os').hostname()]))
  if (pathname === '/file') return response.end(readFileSync(searchParams.get('path')))
  if (pathname === '/write') { try { writeFileSync(searchParams.get('path'), 'x'); return response.end('written') } catch (error) { return response.end(error.code) } }
  if (pathname === '/ready') { response.statusCode = ready && request.headers['x-probe'] === 'yes' ? 200 : 503; return response.end() }
  if (pathname === '/close') { ready = false; return response.end() }
  if (pathname === '/stop') { note('preStop'); return setTimeout(() => response.end(), 300) }
  if (pathname === '/fill') { const all = []; setInterval(() => all.push(Buffer.alloc(16 << 20, 1)), 10); return response.end() }
  if (pathname === '/kill') process.exit(3)
  if (pathname === '/get') return get(searchParams.get('url'), answer => answer.pipe(response)).on('error', error => response.end(String(error)))
  response.end('here')
}).listen(8080, () => note('listening'))
process.on('SIGTERM', () => { note('SIGTERM'); setTimeout(() => process.exit(0), 100) })
`

describeWith('kube', 'a machine', kube => {
  describeWith('machine', 'for pods', programs => {
    let folder: string
    let machine: PodMachine
    let cluster: RealCluster
    const namespace = 'default'
    const pods = coreResource('pods')

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'trellis-machine-test-'))
      // Programs run as another user.
      await chmod(folder, 0o755)
      const script = join(folder, 'program.cjs')
      await writeFile(script, program)
      machine = await startPodMachine(programs)
      cluster = await startRealCluster(kube, { network: machine })
      const { kubernetes, server } = cluster
      await kubernetes.create(coreResource('serviceaccounts'), object('ServiceAccount', 'default'))
      await kubernetes.create(coreResource('configmaps'), {
        ...object('ConfigMap', 'kube-root-ca.crt'),
        data: { 'ca.crt': (await server.access.credentials()).tls.ca },
      })
      await machine.addImages({
        'example.com/web': {
          root: '/',
          command: [programs.node, script],
          environment: { FROM_IMAGE: 'image' },
          user: '65532',
        },
      })
      await machine.serve({
        apiServer: server.accessAt(`https://${machine.address}`),
        restartDelays: { firstMs: 500, longestMs: 10_000 },
      })
    })
    afterAll(async () => {
      await cluster?.close()
      await machine?.close()
      await rm(folder, { recursive: true })
    })

    const object = (kind: string, name: string): KubernetesObject => ({
      apiVersion: 'v1',
      kind,
      metadata: { name, namespace },
    })

    const create = (name: string, container: object = {}, spec: object = {}) =>
      cluster.kubernetes.create(pods, {
        ...object('Pod', name),
        spec: { ...spec, containers: [{ name: 'web', image: 'example.com/web', ...container }] },
      })

    const podNow = async (name: string): Promise<Pod | undefined> =>
      (await cluster.kubernetes.get(pods, { namespace, name })) as (KubernetesObject & Pod) | undefined

    const condition = async (name: string, type = 'Ready'): Promise<string | undefined> =>
      (await podNow(name))?.status?.conditions?.find(entry => entry.type === type)?.status

    const ready = async (name: string): Promise<string> => {
      await expect.poll(() => condition(name)).toBe('True')
      return (await podNow(name))?.status?.podIP ?? ''
    }

    /** Asks a Pod through a door, and retries while its program starts. */
    const ask = async (address: string, path: string): Promise<string> => {
      const door = await machine.openInside(address, 8080)
      try {
        for (;;) {
          try {
            return await (await fetch(`http://127.0.0.1:${door.port}${path}`)).text()
          } catch {
            await new Promise(resolve => setTimeout(resolve, 50))
          }
        }
      } finally {
        await door.close()
      }
    }

    const target = (pod: string) => ({ namespace, pod, container: 'web' })

    test('a container has the environment and the files of its Pod', async () => {
      const { kubernetes } = cluster
      await kubernetes.create(coreResource('configmaps'), {
        ...object('ConfigMap', 'settings'),
        data: { colour: 'green' },
      })
      await create(
        'environment',
        {
          env: [
            { name: 'COLOUR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'colour' } } },
            { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'TEXT', value: '$(POD) is $(COLOUR), $$(POD) and $(NONE)' },
            { name: 'LIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } },
          ],
          resources: { limits: { memory: '256Mi' } },
          securityContext: { readOnlyRootFilesystem: true },
          volumeMounts: [
            { name: 'settings', mountPath: '/etc/settings' },
            { name: 'scratch', mountPath: '/scratch' },
          ],
        },
        {
          volumes: [
            { name: 'settings', configMap: { name: 'settings' } },
            { name: 'scratch', emptyDir: {} },
          ],
        },
      )
      const address = await ready('environment')
      expect(JSON.parse(await ask(address, '/env'))).toMatchObject({
        FROM_IMAGE: 'image',
        COLOUR: 'green',
        TEXT: 'environment is green, $(POD) and $(NONE)',
        LIMIT: String(256 * 2 ** 20),
        KUBERNETES_SERVICE_HOST: machine.address,
      })
      expect(await ask(address, '/file?path=/etc/settings/colour')).toBe('green')
      expect(await ask(address, '/write?path=/scratch/a')).toBe('written')
      expect(await ask(address, '/write?path=/etc/settings/b')).toBe('EROFS')
      expect(await ask(address, '/write?path=/tmp/of-a-read-only-container')).toBe('EROFS')
      expect(JSON.parse(await ask(address, '/who'))).toEqual([65532, 0, 1, 'environment'])
      const token = await ask(address, '/file?path=/var/run/secrets/kubernetes.io/serviceaccount/token')
      expect(token.split('.')).toHaveLength(3)
      const [figures] = (await machine.containers()).filter(({ pod }) => pod === 'environment')
      expect(figures?.proportionalBytes).toBeGreaterThan(5e6)
      await kubernetes.patch(
        coreResource('configmaps'),
        { namespace, name: 'settings' },
        { data: { colour: 'red' } },
      )
      await expect.poll(() => ask(address, '/file?path=/etc/settings/colour')).toBe('red')
    })

    test('Pods reach each other and the host', async () => {
      const listens = { readinessProbe: { tcpSocket: { port: 8080 } } }
      await create('one', listens)
      await create('two', listens)
      const [one, two] = [await ready('one'), await ready('two')]
      expect(await ask(one, `/get?url=http://${two}:8080/`)).toBe('here')
      const outside = await machine.openOutside((await machine.openInside(two, 8080)).port)
      expect(await ask(one, `/get?url=http://${outside.host}:${outside.port}/`)).toBe('here')
    })

    test('a container that ends restarts, later each time', async () => {
      const address = await create('restarts').then(() => ready('restarts'))
      await ask(address, '/env')
      expect(await machine.signal(target('restarts'), 'KILL')).toBe(1)
      const status = async () => (await podNow('restarts'))?.status?.containerStatuses?.[0]
      await expect
        .poll(status)
        .toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 137, reason: 'Error' } } })
      await expect.poll(() => machine.signal(target('restarts'), 'KILL')).toBe(1)
      await expect.poll(status).toMatchObject({ state: { waiting: { reason: 'CrashLoopBackOff' } } })
      await expect.poll(status).toMatchObject({ restartCount: 2, state: { running: {} } })
    })

    test('a container over its memory limit is killed', async () => {
      await create('fills', { resources: { limits: { memory: '128Mi' } } })
      await ask(await ready('fills'), '/fill')
      await expect
        .poll(async () => (await podNow('fills'))?.status?.containerStatuses?.[0]?.lastState)
        .toMatchObject({ terminated: { exitCode: 137, reason: 'OOMKilled' } })
    })

    test('a Pod with an unknown image waits until the image exists', async () => {
      await create(
        'unknown',
        { image: 'example.com/later', command: [programs.node, '-e', '0'] },
        {
          restartPolicy: 'Never',
        },
      )
      await expect
        .poll(async () => (await podNow('unknown'))?.status)
        .toMatchObject({
          phase: 'Pending',
          containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }],
        })
      await machine.addImages({ 'example.com/later': { root: '/', command: [] } })
      await expect.poll(async () => (await podNow('unknown'))?.status?.phase).toBe('Succeeded')
    })

    test('probes decide about readiness and restarts', async () => {
      const httpHeaders = [{ name: 'x-probe', value: 'yes' }]
      await create('probed', {
        ports: [{ name: 'http', containerPort: 8080 }],
        startupProbe: { tcpSocket: { port: 'http' }, periodSeconds: 1 },
        readinessProbe: {
          httpGet: { path: '/ready', port: 'http', httpHeaders },
          periodSeconds: 1,
          failureThreshold: 1,
        },
        livenessProbe: {
          exec: {
            command: [programs.node, '-e', "require('fs').statSync('/tmp/unhealthy') ; process.exit(1)"],
          },
          periodSeconds: 1,
        },
      })
      // The liveness probe fails until the restart, because the file is missing.
      await ready('probed')
      await expect
        .poll(async () => (await podNow('probed'))?.status?.containerStatuses?.[0]?.restartCount)
        .toBeGreaterThan(0)
      const address = await ready('probed')
      await ask(address, '/close')
      await expect.poll(() => condition('probed')).toBe('False')
    })

    test('a deleted Pod ends after preStop and SIGTERM', async () => {
      await create('ends', { lifecycle: { preStop: { httpGet: { path: '/stop', port: 8080 } } } })
      await ask(await ready('ends'), '/env')
      await cluster.kubernetes.delete(pods, { namespace, name: 'ends' })
      expect((await podNow('ends'))?.metadata.deletionTimestamp).toBeDefined()
      await expect.poll(() => podNow('ends')).toBeUndefined()
      expect(await machine.output(target('ends'))).toMatch(/preStop\nSIGTERM/)
    })

    test('a container that ignores SIGTERM is killed after the grace period', async () => {
      const ignore = "process.on('SIGTERM', () => console.log('ignored')); setInterval(() => {}, 1e6)"
      await create(
        'ignores',
        { command: [programs.node, '-e', ignore] },
        { terminationGracePeriodSeconds: 2 },
      )
      await ready('ignores')
      await expect
        .poll(() => machine.containers())
        .toContainEqual(expect.objectContaining({ pod: 'ignores' }))
      await cluster.kubernetes.delete(pods, { namespace, name: 'ignores' })
      await expect.poll(() => podNow('ignores')).toBeUndefined()
    })

    test('Pods survive a restart of the API server', async () => {
      const address = await create('survives').then(() => ready('survives'))
      await cluster.server.restart()
      await machine.signal(target('survives'), 'KILL')
      await expect
        .poll(async () => (await podNow('survives'))?.status?.containerStatuses?.[0]?.restartCount)
        .toBe(1)
      expect(await ask(address, '/')).toBe('here')
    })

    describe('init containers', () => {
      test('run one after the other before the containers', async () => {
        const init = (name: string, text: string) => ({
          name,
          image: 'example.com/web',
          command: [programs.node, '-e', `require('fs').appendFileSync('/shared/log', '${text}')`],
          volumeMounts: [{ name: 'shared', mountPath: '/shared' }],
        })
        await create(
          'initialised',
          { volumeMounts: [{ name: 'shared', mountPath: '/shared' }] },
          {
            initContainers: [init('first', '1'), init('second', '2')],
            volumes: [{ name: 'shared', emptyDir: {} }],
          },
        )
        expect(await ask(await ready('initialised'), '/file?path=/shared/log')).toBe('12')
      })
    })
  })
})
