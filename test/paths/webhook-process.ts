import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { reviewBody } from '../../sandbox/reviews/reviews.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { webhookPath } from '../../shared/webhooks/admission/admission.ts'
import { usualReviews } from '../recorded/reviews.ts'
import { postReview, registeredPath } from '../webhook/registered-webhook.ts'
import { webhookProcesses } from '../webhook/webhook-process.ts'
import { coverageEnvironment, type RanFiles, ranFiles } from './ran-files.ts'

const core = (plural: string, namespaced: boolean) => ({ group: '', version: 'v1', plural, namespaced })

/**
 * Runs the admission functions of a component from their sources in a separate process. Sends an OperatingSystemConfig
 * to one of them. Returns the functions that ran between the review and its answer.
 */
export const filesOfNodeReview = async (component: string, name: string): Promise<RanFiles> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-paths-'))
  const server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...resourceCrds()] })
  const { url, close } = await server.listen()
  const processes = webhookProcesses()
  try {
    const kubeconfig = join(folder, 'kubeconfig')
    await writeFile(kubeconfig, server.kubeconfig(url), { mode: 0o600 })
    const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
    const definition = (await findWebhooks()).find(
      found => found.name === name && found.component === component,
    )
    if (definition === undefined) throw new Error(`there is no webhook ${name} of ${component}`)
    const { cases, clusters } = usualReviews('controlplane.operatingsystemconfig')
    for (const namespace of new Set(['trellis', ...Object.keys(clusters)]))
      await kubernetes.create(core('namespaces', false), {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
      })
    for (const cluster of Object.values(clusters)) await kubernetes.create(clusterKind.resource, cluster)
    const recorded = cases.find(one => one.response.allowed && one.response.patch !== undefined)
    if (recorded === undefined) throw new Error('no review changes an OperatingSystemConfig')
    const running = processes.start({
      TRELLIS_KUBECONFIG: kubeconfig,
      TRELLIS_COMPONENTS: component,
      TRELLIS_URL: 'https://127.0.0.1:9443',
      TRELLIS_DRAIN_ACCEPT_MS: '0',
      TRELLIS_DRAIN_LIMIT_MS: '1',
      ...coverageEnvironment(folder),
    })
    const { port } = await running.ports
    const path = await registeredPath(kubernetes, webhookPath(definition))
    const { status } = await postReview(port, path, reviewBody(definition, recorded))
    if (status !== 200) throw new Error(`the webhook answered ${status}`)
    running.terminate()
    await running.exited
    const [ran] = await ranFiles(folder)
    if (ran === undefined) throw new Error('the process reported no review')
    return ran
  } finally {
    await processes.killAll()
    await close()
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}
