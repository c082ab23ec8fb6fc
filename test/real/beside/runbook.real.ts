import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { route53Account } from '../../../functions/aws/dnsrecord/testing/route53-account.ts'
import { knativeDefinitions } from '../../../sandbox/knative/knative.ts'
import { hasKubectl } from '../../../sandbox/kubernetes/testing/kubectl.ts'
import { type Aws, createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { annotations, labels } from '../../../shared/contract/constants.ts'
import { allCrds } from '../../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { accessManifests, define } from '../definitions.ts'
import { type RealCluster, startRealCluster } from '../real-cluster.ts'
import { describeWith } from '../with-part.ts'
import {
  controllerDeployments,
  controllerRegistrations,
  gardenDefinitions,
  providerAws,
  registeredIn,
  registeredOf,
} from './garden-objects.ts'
import { type Landscape, startLandscape } from './landscape.ts'
import { type RunbookStep, runbookSteps, splits } from './runbook-page.ts'
import { openRunbookShell, type RunbookShell } from './runbook-shell.ts'

const { resource } = kinds.DNSRecord
const key = { name: 'rose-external', namespace: 'shoot--garden--rose' }
const steps = await runbookSteps()
const there = steps.filter(({ section }) => section === 'Switch kinds to Trellis')
const back = steps.filter(({ section }) => section === 'Switch back')
const table = await splits()

test('the runbook has five steps there and back, a split for each file, and a way back from each step', () => {
  expect(there.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4])
  expect(back.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
  for (const { number, blocks } of there.slice(0, 4)) {
    expect(blocks.some(({ role, output }) => role === 'check' && output !== undefined)).toBe(true)
    expect(blocks.some(({ role }) => role === 'abort')).toBe(number > 0)
  }
  expect(table.map(({ file }) => file)).toHaveLength(4)
})

describeWith('kube', 'the runbook of docs/beside-go.md on kube-apiserver', programs => {
  describe.skipIf(!hasKubectl())('(needs kubectl on the PATH)', () => {
    let cluster: RealCluster
    let kubeconfig: string
    let aws: Aws
    let endpoint: { readonly url: string; close(): Promise<void> }
    let landscape: Landscape
    const shells: RunbookShell[] = []

    beforeAll(async () => {
      cluster = await startRealCluster(programs)
      kubeconfig = await cluster.server.kubeconfig()
      await define(cluster.kubernetes, [...allCrds(), ...knativeDefinitions(), ...gardenDefinitions])
      aws = createAws()
      endpoint = await aws.listen()
      const zone = await route53Account(aws).createZone('example.com')
      await route53Account(aws).change(zone, {
        Action: 'CREATE',
        ResourceRecordSet: {
          Name: 'api.rose.example.com',
          Type: 'A',
          TTL: 120,
          ResourceRecords: [{ Value: '203.0.113.10' }],
        },
      })
      const namespaces = ['extension-provider-aws-x7k2p', 'extension-trellis-aws-b4n9t'].map(name => ({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, labels: { [labels.role]: 'extension' } },
      }))
      await cluster.create([
        ...(await accessManifests()),
        ...namespaces,
        ...(await shootObjects()),
        ...providerAws,
      ])
      await cluster.create([await servedByGo(zone)])
      await cluster.kubernetes.patch(resource, key, goStatus(zone), { subresource: 'status' })
      landscape = await startLandscape(cluster, aws)
    })
    afterAll(async () => {
      for (const shell of shells) await shell.close()
      await landscape?.close()
      await endpoint?.close()
      await cluster?.close()
    })

    const open = async (of?: readonly string[]): Promise<RunbookShell> => {
      const shell = await openRunbookShell({ kubeconfig, endpoint: endpoint.url, ...(of && { kinds: of }) })
      shells.push(shell)
      return shell
    }
    const registered = async () => {
      const { kubernetes } = cluster
      return registeredOf(
        await kubernetes.get(controllerDeployments, { name: 'provider-aws' }),
        await kubernetes.get(controllerRegistrations, { name: 'provider-aws' }),
      )
    }
    const step = (of: readonly RunbookStep[], number: number): RunbookStep => {
      const found = of.find(one => one.number === number)
      if (found === undefined) throw new Error(`the page has no step ${number}`)
      return found
    }
    const request = () =>
      cluster.kubernetes.patch(resource, key, {
        metadata: { annotations: { [annotations.operation]: 'reconcile' } },
      })
    const isAnswered = async () => {
      const object = await cluster.kubernetes.get(resource, key)
      const isOpen = object?.metadata.annotations?.[annotations.operation] !== undefined
      return !isOpen && Object(object?.status).lastOperation?.state === 'Succeeded'
    }
    const writes = () => aws.calls.all().filter(({ action }) => action === 'ChangeResourceRecordSets')

    beforeEach(async () => {
      aws.calls.clear()
      // Every test begins with a Go extension that answers.
      const answered = landscape.byGo.length
      await request()
      await expect.poll(() => landscape.byGo.length).toBeGreaterThan(answered)
    })

    test('each step prints what the page shows; no request is lost, and no record changes', async () => {
      const start = await registered()
      const shell = await open()
      await shell.follow(step(there, 0))
      await shell.follow(step(there, 1))
      const byGo = landscape.byGo.length
      await request()
      await shell.follow(step(there, 2))
      expect(await isAnswered()).toBe(false)
      await shell.follow(step(there, 3))
      // Trellis answers the request that was made while no extension served the kind.
      await expect.poll(isAnswered).toBe(true)
      await shell.follow(step(there, 4))
      expect(landscape.byGo).toHaveLength(byGo)
      expect(await registered()).toEqual(await registeredIn('dnsrecord.yaml'))

      for (const one of back) await shell.follow(one)
      expect(await registered()).toEqual(start)
      expect(landscape.byGo.length).toBeGreaterThan(byGo)
      const object = await cluster.kubernetes.get(resource, key)
      expect(object?.metadata.annotations ?? {}).not.toHaveProperty([annotations.step])
      expect(writes()).toEqual([])
      expect([...landscape.overlaps]).toEqual([])
    })

    test.each([1, 2, 3])('a switch that is aborted after step %i ends with the Go extension', async last => {
      const start = await registered()
      const shell = await open()
      for (let number = 0; number <= last; number++) await shell.follow(step(there, number))
      await request()
      for (let number = last; number > 0; number--) await shell.abort(step(there, number))
      await expect.poll(isAnswered).toBe(true)
      expect(await registered()).toEqual(start)
      const byGo = landscape.byGo.length
      await request()
      await expect.poll(() => landscape.byGo.length).toBeGreaterThan(byGo)
      expect(writes()).toEqual([])
      expect([...landscape.overlaps]).toEqual([])
    })

    test.each(table)('$file is the result of the steps for its kinds', async ({ file, kinds: moved }) => {
      const start = await registered()
      const shell = await open(moved)
      for (const number of [0, 1, 2, 3]) await shell.follow(step(there, number))
      expect(await registered()).toEqual(await registeredIn(file))
      for (const number of [2, 3, 4]) await shell.follow(step(back, number))
      expect(await registered()).toEqual(start)
      expect([...landscape.overlaps]).toEqual([])
    })

    test('the check of step 3 finds both extensions if step 1 was left out', async () => {
      const shell = await open()
      for (const number of [0, 2]) await shell.follow(step(there, number))
      const { blocks } = step(there, 3)
      const [install, check] = blocks
      await shell.run(install?.commands ?? '')
      await expect
        .poll(() => shell.run(`${check?.commands.trim()} || true`))
        .toMatch(/✗ .*gardener-extension-provider-aws runs\s+beside aws-dnsrecord/)
      for (const number of [3, 2]) await shell.abort(step(there, number))
      expect([...landscape.overlaps]).toEqual(['dnsrecord'])
    })
  })
})

/** The objects of the shoot in the example for DNSRecords. */
const shootObjects = (): Promise<readonly KubernetesObject[]> => exampleObjects('shoot.yaml')

const exampleObjects = async (file: string): Promise<readonly KubernetesObject[]> => {
  const text = await readFile(new URL(`../../../examples/dnsrecord/${file}`, import.meta.url), 'utf8')
  return parseAllDocuments(text).map(document => document.toJS() as KubernetesObject)
}

/** The example's record after its reconcile by the Go extension. */
const servedByGo = async (zone: string): Promise<KubernetesObject> => {
  const found = (await exampleObjects('zone-records.yaml')).find(({ metadata }) => metadata.name === key.name)
  if (found === undefined) throw new Error('the example has no rose-external')
  return {
    ...found,
    metadata: { ...key, finalizers: [kinds.DNSRecord.finalizer()] },
    spec: { ...Object(found.spec), zone },
  }
}

const goStatus = (zone: string) => ({
  status: {
    observedGeneration: 1,
    zone,
    lastOperation: {
      type: 'Create',
      state: 'Succeeded',
      progress: 100,
      description: 'Successfully reconciled DNSRecord',
      lastUpdateTime: '2026-01-01T00:00:00Z',
    },
  },
})
