import { declaredHealthOf, deploymentCheck } from '../../../shared/health/health.ts'
import { deployments, namespaces } from '../../../shared/kubernetes/core-resources.ts'
import { below, percentile } from '../figure.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { healthy } from './healthy-seed.ts'
import { nowMs } from './lags.ts'
import { completed, newObject } from './objects.ts'

const [shoots, name] = [40, 'acme']

/** An author's Extension, whose health depends on a Deployment that the bridge watches for nothing else. */
const health = { conditions: [{ type: 'SystemComponentsHealthy', checks: [deploymentCheck(name)] }] }

/** Measures the time from a change of a Deployment to the event of the health check that it causes. */
export const changeToCheck = bridgeBenchmark({
  name: 'bridge-health-latency',
  goals: {
    median: {
      name: `change of a Deployment → check of an Extension, ${shoots} shoots, p50`,
      unit: 'ms',
      target: below(1_000),
    },
    slowest: { name: 'the same, slowest', unit: 'ms', target: below(1_000) },
  },
  measure: async seed => {
    const places = Array.from({ length: shoots }, (_, index) => `shoot--bench--${index}`)
    const extensions = places.map(namespace => completed(newObject('Extension', 'one', namespace)))
    const types = [String(Object(extensions[0]?.object.spec).type)]
    for (const place of places) {
      await seed.kubernetes.create(namespaces, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: place },
      })
      await seed.kubernetes.create(deployments, deploymentIn(place))
    }
    await seed.store(
      extensions.map(({ kind, object }) => ({ kind, object: healthy(object, 'SystemComponentsHealthy', 0) })),
    )
    const sink = await seed.sink()
    await seed.bridge(sink.url, {
      TRELLIS_SERVED: `Extension/${types}`,
      TRELLIS_HEALTH: JSON.stringify(declaredHealthOf({ kind: 'Extension', types, health })),
    })
    // The round of the start checks all of them.
    await sink.until(() => sink.checks.length >= shoots)
    const lags: number[] = []
    for (const place of places) {
      const isCheck = ({ namespace, reason }: { namespace: string; reason: string }) =>
        namespace === place && reason === 'changed'
      const status = { conditions: [{ type: 'Available', status: 'False' }] }
      await seed.kubernetes.patch(
        deployments,
        { name, namespace: place },
        { status },
        { subresource: 'status' },
      )
      const changed = nowMs()
      await sink.until(() => sink.checks.some(isCheck))
      lags.push((sink.checks.find(isCheck)?.at ?? Infinity) - changed)
    }
    return { median: percentile(lags, 0.5), slowest: Math.max(...lags) }
  },
})

const deploymentIn = (namespace: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: name }] } },
  },
})
