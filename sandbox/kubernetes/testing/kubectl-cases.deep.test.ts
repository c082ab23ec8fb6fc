import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../shared/clock/clock.ts'
import { verticalPodAutoscalers } from '../../../test/definitions/vertical-pod-autoscaler.ts'
import { knativeDefinitions } from '../../knative/knative.ts'
import { createApiServer } from '../api-server.ts'
import { hasKubectl, type Kubectl, openKubectl } from './kubectl.ts'
import { kubectlCases } from './kubectl-cases.ts'

describe.skipIf(!hasKubectl())('kubectl with the API server of the sandbox', () => {
  const undo: (() => unknown)[] = []
  let kubectl: Kubectl
  beforeAll(async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'trellis' } }
    const server = createApiServer({
      clock: systemClock,
      objects: [...knativeDefinitions(), verticalPodAutoscalers, namespace],
    })
    const listener = await server.listen()
    const folder = await mkdtemp(join(tmpdir(), 'trellis-kubeconfig-'))
    undo.push(() => rm(folder, { recursive: true }), listener.close, server.close)
    await writeFile(join(folder, 'kubeconfig'), server.kubeconfig(listener.url))
    kubectl = await openKubectl(join(folder, 'kubeconfig'))
    undo.push(kubectl.close)
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  test.each(kubectlCases)('$what', async one => {
    expect(await kubectl.printed(one)).toEqual([...one.prints].sort())
  })

  test('the manifests of knative/ pass a dry run, which stores nothing', async () => {
    const manifests = join(import.meta.dirname, '../../..', 'knative/base')
    const args = ['-n', 'trellis', '-k', manifests]
    const text = await kubectl.run('apply', '--dry-run=server', ...args)
    const lines = text.split('\n').filter(line => line !== '' && !line.includes('Warning'))
    expect(lines.length).toBeGreaterThan(15)
    for (const line of lines) expect(line).toMatch(/ (created|configured|unchanged) \(server dry run\)$/)
    expect(await kubectl.run('get', 'deploy,ksvc,triggers,brokers', '-n', 'trellis')).toContain(
      'No resources',
    )
  })
})
