import type { V1ClusterRole, V1Deployment, V1Role } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import { projectDeployment, seedProcessDeployment } from '../../build/project/project-deployment.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { deployedObjects } from '../deployed-objects.ts'
import type { Deployment } from '../deployment.ts'

const all = await seedProcessDeployment()
const objects = deployedObjects(all)
const ofKnative = deployedObjects(await projectDeployment())

const find = <T>(source: readonly KubernetesObject[], kind: string, name: string): T =>
  source.find(object => object.kind === kind && object.metadata.name === name) as T
const bridgeOf = (deployment: Deployment) =>
  find<V1Deployment>(deployedObjects(deployment), 'Deployment', 'bridge')
const containerOf = (deployment: Deployment) => bridgeOf(deployment).spec?.template.spec?.containers[0]
const variableOf = (deployment: Deployment, name: string): string =>
  containerOf(deployment)?.env?.find(one => one.name === name)?.value ?? ''

interface Program {
  readonly name: string
  readonly memory: string
  readonly env: Readonly<Record<string, string>>
  readonly functions: readonly {
    readonly name: string
    readonly kind: string
    readonly types: readonly string[]
    readonly concurrency: number
  }[]
}
const programsOf = (deployment: Deployment): readonly Program[] =>
  JSON.parse(variableOf(deployment, 'TRELLIS_PROGRAMS'))
const only = (...names: readonly string[]): Deployment => {
  const functions = all.functions.filter(({ name }) => names.includes(name))
  return { ...all, functions, compact: [{ name: 'aws-compact', functions }] }
}

const grants = (source: readonly KubernetesObject[], isWanted: (role: string) => boolean) =>
  source
    .filter(({ kind, metadata }) => kind === 'ClusterRole' && isWanted(metadata.name.split(':')[2] ?? ''))
    .flatMap(role => (role as unknown as V1ClusterRole).rules ?? [])
    .flatMap(({ apiGroups = [], resources = [], resourceNames = [], verbs }) =>
      apiGroups.flatMap(group =>
        resources.flatMap(resource => verbs.map(verb => `${verb} ${group}/${resource} ${resourceNames}`)),
      ),
    )
const sortedSet = (all: readonly string[]) => [...new Set(all)].toSorted()

describe('the mode seed-process', () => {
  test('has no object of Knative and no policy for its traffic', () => {
    const monitoring = { namespace: 'garden', prometheus: 'seed' }
    const monitored = deployedObjects({ ...all, monitoring })
    expect(monitored.map(({ kind }) => kind)).toContain('PrometheusRule')
    const text = JSON.stringify([...objects, ...monitored])
    expect(text).not.toContain('knative.dev')
    expect(text).not.toContain('queue-proxy')
    expect(objects.map(({ kind }) => kind)).not.toContain('NetworkPolicy')
    expect(objects.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name)).toEqual([
      'webhook',
      'bridge',
    ])
  })

  test('has the names and selector of the bridge, so that a change of the mode is in place with one Lease', () => {
    const before = find<V1Deployment>(ofKnative, 'Deployment', 'bridge')
    const after = bridgeOf(all)
    expect(after.spec?.selector).toEqual(before.spec?.selector)
    expect(containerOf(all)?.name).toBe(before.spec?.template.spec?.containers[0]?.name)
    const leases = (source: readonly KubernetesObject[]) =>
      find<V1Role>(source, 'Role', 'bridge').rules?.filter(rule => rule.resources?.includes('leases'))
    expect(leases(objects)).toEqual(leases(ofKnative))
  })

  test('has the permissions that bridge and functions have with Knative, but asks for no tokens of pods', () => {
    const isOwn = (role: string) => role !== 'webhook'
    const needed = grants(ofKnative, isOwn).filter(right => !right.includes('/tokenreviews'))
    expect(sortedSet(grants(objects, isOwn))).toEqual(sortedSet(needed))
    expect(grants(objects, role => role === 'webhook')).toEqual(grants(ofKnative, role => role === 'webhook'))
  })

  test('runs one restricted replica, and gives steps in flight the time to end', () => {
    const { spec, metadata } = bridgeOf(all)
    expect(spec?.replicas).toBe(1)
    expect(metadata?.annotations).toMatchObject({
      'high-availability-config.resources.gardener.cloud/replicas': '1',
    })
    expect(spec?.template.spec?.terminationGracePeriodSeconds).toBe(90)
    const container = containerOf(all)
    expect(container?.image).toMatch(/\/seed:/)
    expect(container?.resources).toEqual({
      requests: { cpu: '20m', memory: '96Mi' },
      limits: { memory: '1Gi' },
    })
    expect(container?.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  test('reaches the networks of its functions, and mounts the kubeconfig of the garden only for those that need it', () => {
    const labels = (deployment: Deployment) =>
      Object.keys(bridgeOf(deployment).spec?.template.metadata?.labels ?? {})
    expect(labels(only('aws-infrastructure'))).toContain('networking.gardener.cloud/to-public-networks')
    expect(labels(only('aws-infrastructure'))).not.toContain('networking.gardener.cloud/to-private-networks')
    expect(bridgeOf(all).spec?.template.spec?.volumes).toBeUndefined()
    const gardenAccess: Deployment['gardenAccess'] = ({ name }) =>
      name === 'aws-worker' ? { kubeconfigSecret: 'kubeconfig', tokenSecret: 'token' } : undefined
    const given = { ...all, gardenAccess }
    expect(labels(given)).toContain(
      'networking.resources.gardener.cloud/to-virtual-garden-kube-apiserver-tcp-443',
    )
    expect(containerOf(given)?.volumeMounts).toHaveLength(1)
    const path = containerOf(given)?.volumeMounts?.[0]?.mountPath
    const withKubeconfig = programsOf(given).filter(({ env }) => env.GARDEN_KUBECONFIG !== undefined)
    expect(withKubeconfig.map(({ name, env }) => [name, env.GARDEN_KUBECONFIG])).toEqual([
      ['aws-compact', `${path}/kubeconfig`],
    ])
  })
})

describe('TRELLIS_PROGRAMS', () => {
  test('has each function once, in the program of its provider, with its concurrency', () => {
    const functions = programsOf(all).flatMap(program => program.functions.map(one => ({ ...one, program })))
    expect(functions.map(({ name }) => name)).toEqual(all.functions.map(({ name }) => name))
    for (const { name, kind, types, concurrency, program } of functions) {
      const definition = all.functions.find(one => one.name === name)
      expect({ kind, types }).toEqual({ kind: definition?.kind, types: definition?.types })
      expect(concurrency).toBe(definition && all.serviceOf(definition).concurrency.value)
      expect(program).toMatchObject({ name: expect.stringMatching(/-compact$/), memory: '384Mi' })
    }
  })

  test('has the variables of the compact Service, without those that the seed process sets', () => {
    const [aws] = programsOf({ ...all, logLevel: 'debug' })
    expect(aws?.env).toMatchObject({ TRELLIS_LOG_LEVEL: 'debug', TRELLIS_WEBHOOKS_NAMESPACE: 'trellis' })
    expect(Object.keys(aws?.env ?? {})).not.toContain('TRELLIS_REPORT_TO')
  })

  test('has another fatal report for each program, so that none counts the death of another', () => {
    const reports = programsOf(all).map(
      ({ env }) => /--report-filename=(\S+)/.exec(env.NODE_OPTIONS ?? '')?.[1],
    )
    expect(new Set(reports).size).toBe(reports.length)
    expect(reports).toContain('trellis-fatal-aws-compact.json')
  })

  test('has one program for each function that shares none, with its own memory limit', () => {
    const [program, ...others] = programsOf({ ...only('aws-dnsrecord'), compact: [] })
    expect(others).toEqual([])
    expect(program).toMatchObject({
      name: 'aws-dnsrecord',
      memory: '256Mi',
      functions: [{ name: 'aws-dnsrecord', kind: 'DNSRecord', types: ['aws-route53'] }],
    })
  })
})
