import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageVersion } from '../../build/project/package-version.ts'
import { readerRole } from '../../cli/doctor/testing/reader-role.ts'
import { readyObject } from '../../cli/sandbox/ready-object.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { deployedObjects, deploymentOf } from '../../knative/knative.ts'
import { knativeDefinitions } from '../../sandbox/knative/knative.ts'
import { formatMicroseconds } from '../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { verticalPodAutoscalers } from '../definitions/vertical-pod-autoscaler.ts'
import { define, definitionsBesides, haveDefinitionsBesides } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

const namespace = 'extension-trellis-x7k2p'
const program = fileURLToPath(new URL('../../cli/trellis.mjs', import.meta.url))

/** The definitions of Gardener, the machine controller and Knative if available, otherwise ours. */
const definitionsOfSeed = async (): Promise<readonly KubernetesObject[]> =>
  haveDefinitionsBesides
    ? (
        await Promise.all(
          [
            'extensions.gardener.cloud_',
            'machine.sapcloud.io_',
            'resources.gardener.cloud_',
            'eventing.knative.dev_',
            'serving.knative.dev_services',
            'sources.knative.dev_sinkbindings',
          ].map(definitionsBesides),
        )
      ).flat()
    : [...allCrds(), ...machineCrds(), ...resourceCrds(), ...knativeDefinitions()]

const doctor = (kubeconfig: string, ...args: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly output: string; readonly error: string }>(resolve => {
    execFile(
      process.execPath,
      [program, 'doctor', '--kubeconfig', kubeconfig, ...args],
      (error, output, errors) => resolve({ code: error?.code ?? 0, output, error: errors }),
    )
  })

describeWith('kube', 'trellis doctor on kube-apiserver', programs => {
  let cluster: RealCluster
  let reader = ''
  let installed: readonly KubernetesObject[] = []

  const setStatus = async (object: KubernetesObject) => {
    const { status } = readyObject(object)
    if (status === undefined) return
    const { name, namespace: inside } = object.metadata
    await cluster.kubernetes.patch(
      await cluster.resourceOf(object),
      { name, ...(inside !== undefined && { namespace: inside }) },
      { status },
      { subresource: 'status' },
    )
  }

  beforeAll(async () => {
    cluster = await startRealCluster(programs)
    await define(cluster.kubernetes, [...(await definitionsOfSeed()), verticalPodAutoscalers])
    installed = deployedObjects(
      deploymentOf({
        name: 'trellis-eu',
        namespace,
        functions: (await findFunctions()).filter(({ name }) => /^(aws|local)-/.test(name)),
        extensions: [],
        libraryVersion: await packageVersion(),
        image: name => `registry.example.org/trellis/${name}:1`,
      }),
    )
    await cluster.create(installed)
    for (const object of installed) await setStatus(object)
    const renewTime = formatMicroseconds(Date.now())
    await cluster.create([
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'trellis-bridge', namespace },
        spec: { holderIdentity: 'bridge-5c9f-x2_8d1f', leaseDurationSeconds: 3_600, renewTime },
      },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'doctor', namespace } },
      readerRole(),
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'doctor' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: readerRole().metadata.name,
        },
        subjects: [{ kind: 'ServiceAccount', name: 'doctor', namespace }],
      },
    ])
    reader = await cluster.server.kubeconfig({ namespace, name: 'doctor' })
  })
  afterAll(() => cluster?.close())

  test('finds a healthy installation, with only the rights of its ClusterRole', async () => {
    const { code, output, error } = await doctor(reader)
    expect(error).toBe('')
    expect(output).not.toMatch(/^ {2}[✗?!] /m)
    expect(output).toMatch(/✓ \d+ ServiceAccounts have all permissions that they need/)
    expect(output).toMatch(/✓ (\d+) of \1 programs have version /)
    expect(code).toBe(0)
  })

  test('reports missing permissions, and the command that shows them', async () => {
    const name = 'extensions.gardener.cloud:trellis-eu:aws-dnsrecord'
    const role = installed.filter(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === name)
    const [{ apiVersion, kind } = { apiVersion: '', kind: '' }] = role
    await cluster.kubernetes.delete(await cluster.resourceOf({ apiVersion, kind }), { name })
    const { code, output } = await doctor(reader)
    await cluster.create(role)
    expect(code).toBe(1)
    expect(output).toMatch(
      /✗ the ServiceAccount aws-dnsrecord may not get dnsrecords\.extensions\.gardener\.cloud/,
    )
    expect(output).toContain(`--as system:serviceaccount:${namespace}:aws-dnsrecord`)
  })

  test('suggests a remedy for a registry that refuses access', async () => {
    const service = {
      apiVersion: 'serving.knative.dev/v1',
      kind: 'Service',
      metadata: { name: 'aws-bastion', namespace },
    }
    const message = 'Revision "aws-bastion-00001" failed: unable to fetch image: UNAUTHORIZED'
    await cluster.kubernetes.patch(
      await cluster.resourceOf(service),
      service.metadata,
      { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'RevisionFailed', message }] } },
      { subresource: 'status' },
    )
    const { code, output } = await doctor(reader, '--output', 'json')
    await setStatus(service)
    expect(code).toBe(1)
    expect(output).toMatch(/the registry refuses registry\.example\.org\/trellis\/aws-bastion:1/)
  })

  test('names the objects that cannot be read, if only that permission is missing', async () => {
    await cluster.create([
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'nobody', namespace } },
    ])
    const kubeconfig = await cluster.server.kubeconfig({ namespace, name: 'nobody' })
    const { code, output } = await doctor(kubeconfig, '--namespace', namespace)
    expect(output).toMatch(/! you may not .*list customresourcedefinitions\.apiextensions\.k8s\.io/)
    expect(output).toMatch(/\? .*: you may not list brokers\.eventing\.knative\.dev/)
    expect(output).not.toMatch(/^ {2}✗ /m)
    expect(code).toBe(2)
  })

  test('asks for a new login with an expired token, and reports an unknown context as a usage error', async () => {
    const over = `${reader}.over`
    await writeFile(over, (await readFile(reader, 'utf8')).replace(/token: .*/, 'token: over'))
    const refused = await doctor(over)
    expect(refused).toMatchObject({ code: 2, output: '' })
    expect(refused.error).toMatch(/does not accept the credentials \(401\).*\n +→ sign in again/)
    expect(await doctor(reader, '--context', 'elsewhere')).toMatchObject({
      code: 2,
      error: expect.stringContaining('Check --kubeconfig and --context'),
    })
  })
})

describeWith('kube', 'trellis doctor on kube-apiserver without Knative', programs => {
  test('finds the namespace of a seed process, and no problem', async () => {
    const cluster = await startRealCluster(programs)
    try {
      await define(cluster.kubernetes, [
        ...allCrds(),
        ...machineCrds(),
        ...resourceCrds(),
        verticalPodAutoscalers,
      ])
      const functions = (await findFunctions()).filter(({ name }) => /^(aws|local)-/.test(name))
      const objects = deployedObjects(
        deploymentOf({ namespace, mode: 'seed-process', functions, extensions: [] }),
      )
      await cluster.create(objects)
      for (const { kind, apiVersion, metadata } of objects.filter(({ kind: of }) => of === 'Deployment')) {
        const resource = await cluster.resourceOf({ kind, apiVersion })
        const status = { replicas: 1, updatedReplicas: 1, availableReplicas: 1, readyReplicas: 1 }
        await cluster.kubernetes.patch(resource, metadata, { status }, { subresource: 'status' })
      }
      const renewTime = formatMicroseconds(Date.now())
      await cluster.create([
        {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name: 'trellis-bridge', namespace },
          spec: { holderIdentity: 'bridge-5c9f-x2_8d1f', leaseDurationSeconds: 3_600, renewTime },
        },
      ])
      const { code, output, error } = await doctor(await cluster.server.kubeconfig())
      expect(error).toBe('')
      expect(output).not.toMatch(/^ {2}[✗?!] /m)
      expect(output).toMatch(/✓ \d+ of the \d+ functions of this version are in the seed process/)
      expect(output).toMatch(/✓ 1 ServiceAccounts have all permissions that they need/)
      expect(code).toBe(0)
    } finally {
      await cluster.close()
    }
  })
})
