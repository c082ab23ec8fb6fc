import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readerRole } from '../../cli/doctor/testing/reader-role.ts'
import { readExample } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { define } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

const program = fileURLToPath(new URL('../../cli/trellis.mjs', import.meta.url))

/** A bridge whose settings select all objects. */
const bridgeDeployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'bridge', namespace: 'default', labels: { app: 'bridge' } },
  spec: {
    selector: { matchLabels: { app: 'bridge' } },
    template: {
      metadata: { labels: { app: 'bridge' } },
      spec: { containers: [{ name: 'bridge', image: 'example.org/bridge' }] },
    },
  },
}

describeWith('kube', 'status and trace on kube-apiserver', programs => {
  let cluster: RealCluster
  let reader = ''
  const trellis = (...args: readonly string[]) =>
    new Promise<{ readonly code: unknown; readonly output: string; readonly error: string }>(resolve => {
      execFile(process.execPath, [program, ...args, '--kubeconfig', reader], (error, output, errors) =>
        resolve({ code: error?.code ?? 0, output, error: errors }),
      )
    })

  beforeAll(async () => {
    cluster = await startRealCluster(programs)
    await define(cluster.kubernetes, [...allCrds(), ...machineCrds(), ...resourceCrds()])
    const { beside, object } = await readExample(
      new URL('../../examples/infrastructure/one-zone.yaml', import.meta.url),
    )
    const account = { name: 'reader', namespace: 'default' }
    await cluster.create([
      ...beside,
      object,
      bridgeDeployment,
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
      readerRole(),
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'reader' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: readerRole().metadata.name,
        },
        subjects: [{ kind: 'ServiceAccount', ...account }],
      },
    ])
    const { name, namespace } = object.metadata
    await cluster.kubernetes.patch(
      kinds.Infrastructure.resource,
      { name, ...(namespace !== undefined && { namespace }) },
      {
        status: {
          lastOperation: {
            type: 'Create',
            state: 'Error',
            progress: 50,
            description: 'no',
            lastUpdateTime: '2026-01-01T00:00:00Z',
          },
          lastError: { description: 'too many VPCs', codes: ['ERR_INFRA_QUOTA_EXCEEDED'] },
        },
      },
      { subresource: 'status' },
    )
    reader = await cluster.server.kubeconfig({ namespace: account.namespace, name: account.name })
  })
  afterAll(() => cluster?.close())

  test('status shows the failing shoot, its fix and what comes next, with the rights of doctor', async () => {
    const { code, output } = await trellis('status')
    expect(output).toMatch(/✗ Infrastructure one-zone {2}Create Error/)
    expect(output).toContain('ERR_INFRA_QUOTA_EXCEEDED: too many VPCs')
    expect(output).toMatch(/fix: .*quota/)
    expect(output).toMatch(/next: /)
    expect(output).not.toContain('you may not list')
    expect(code).toBe(1)
  })

  test('trace shows the tree of the shoot, with the rights of doctor', async () => {
    const { output, error } = await trellis('trace', 'shoot--garden--one-zone')
    expect(error).toBe('')
    expect(output).toContain('Infrastructure one-zone')
    expect(output).toContain('too many VPCs')
    expect(output).not.toContain('you may not list')
  })
})
