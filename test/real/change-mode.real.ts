import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectDeployment, seedProcessDeployment } from '../../build/project/project-deployment.ts'
import { deployedObjects } from '../../knative/knative.ts'
import { knativeDefinitions } from '../../sandbox/knative/knative.ts'
import { hasKubectl } from '../../sandbox/kubernetes/testing/kubectl.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { verticalPodAutoscalers } from '../definitions/vertical-pod-autoscaler.ts'
import { define } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the kubectl commands of a section of docs/seed-process.md. */
const commandsOf = async (section: string): Promise<readonly string[]> => {
  const page = await readFile(`${root}docs/seed-process.md`, 'utf8')
  const text = page.split(/^## /m).find(one => one.startsWith(section)) ?? ''
  const [, block = ''] = /```sh\n(.*?)```/s.exec(text) ?? []
  return block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map(line => line.replace(/\s+#.*$/, '').trim())
    .filter(line => line.startsWith('kubectl') && !/ (rollout|wait) /.test(line))
}

describeWith('kube', 'a change of the mode with kubectl, by the commands of the page', programs => {
  describe.skipIf(!hasKubectl())('(needs kubectl on the PATH)', () => {
    let cluster: RealCluster
    let kubeconfig: string
    const kubectl = (...args: readonly string[]) =>
      run('kubectl', [`--kubeconfig=${kubeconfig}`, ...args], { cwd: root, maxBuffer: 16 * 1024 * 1024 })
    beforeAll(async () => {
      cluster = await startRealCluster(programs)
      await define(cluster.kubernetes, [...knativeDefinitions(), verticalPodAutoscalers])
      kubeconfig = await cluster.server.kubeconfig()
    })
    afterAll(() => cluster?.close())

    const idOf = ({ apiVersion, kind, metadata }: KubernetesObject) =>
      `${apiVersion} ${kind} ${metadata.name}`
    const present = async (objects: readonly KubernetesObject[]): Promise<readonly string[]> => {
      const found: string[] = []
      for (const object of objects) {
        const { name, namespace } = object.metadata
        const key = { name, ...(namespace !== undefined && { namespace }) }
        if ((await cluster.kubernetes.get(await cluster.resourceOf(object), key)) !== undefined)
          found.push(idOf(object))
      }
      return found
    }

    test('it leaves the objects of the new mode, and no others', async () => {
      const knative = deployedObjects(await projectDeployment())
      const seedProcess = deployedObjects(await seedProcessDeployment())
      const ids = new Set(seedProcess.map(idOf))
      const onlyKnative = knative.filter(object => !ids.has(idOf(object)))
      await kubectl('apply', '--server-side', '-k', 'knative/base')
      expect(await present(knative)).toEqual(knative.map(idOf))

      const there = await commandsOf('From Knative to the seed process')
      expect(there.length).toBeGreaterThan(2)
      for (const command of there) await kubectl(...command.split(/\s+/).slice(1))
      expect(await present(seedProcess)).toEqual(seedProcess.map(idOf))
      expect(await present(onlyKnative)).toEqual([])

      for (const command of await commandsOf('From the seed process to Knative'))
        await kubectl(...command.split(/\s+/).slice(1))
      expect(await present(knative)).toEqual(knative.map(idOf))
      const bridge = { name: 'bridge', namespace: 'trellis' }
      const resource = await cluster.resourceOf({ apiVersion: 'apps/v1', kind: 'Deployment' })
      const text = JSON.stringify(await cluster.kubernetes.get(resource, bridge))
      expect(text).not.toMatch(/TRELLIS_PROGRAMS","value|inject-garden-kubeconfig":/)
    })
  })
})
