import { base } from '../../../functions/aws/webhooks/shoot/testing/updated-shoot.ts'
import { updatesGarden } from '../../../functions/aws/webhooks/shoot/testing/updates-garden.ts'
import { withOther } from '../../../functions/aws/webhooks/testing/reviews.ts'
import { definition } from '../../../functions/aws/webhooks/validator/webhook.ts'
import { lookupIn, reviewBody } from '../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { answerReview } from '../../../shared/webhooks/admission/admission.ts'
import { type Benchmark, below, type Figure, here, percentile } from '../figure.ts'

const reviews = 2_000
const pools = 30

/** Measures a review of a large Shoot in which each pool rolls, beside one in which nothing changes. */
export const shootWarnings: Benchmark = {
  name: 'webhook-warnings',
  run: async (): Promise<readonly Figure[]> => {
    const former = shootWith('50Gi')
    const [rolls, same] = [await timesOf(former, shootWith('60Gi')), await timesOf(former, former)]
    const p99 = (times: readonly Taken[], of: keyof Taken) =>
      percentile(
        times.map(taken => taken[of]),
        0.99,
      )
    const p50 = percentile(
      rolls.map(({ ms }) => ms),
      0.5,
    )
    const name = 'admission of a Shoot that warns of rolls'
    const unchanged = (value: number) => ({ name: 'an unchanged Shoot', value, source: here })
    return [
      {
        name: `${name}: p99`,
        value: p99(rolls, 'ms'),
        unit: 'ms',
        target: below(30),
        reference: unchanged(p99(same, 'ms')),
        with: `${pools} pools, p50 ${p50.toFixed(1)} ms, without HTTP`,
      },
      {
        name: `${name}: CPU, p99`,
        value: p99(rolls, 'cpuMs'),
        unit: 'ms CPU',
        target: below(30),
        reference: unchanged(p99(same, 'cpuMs')),
        with: `${pools} pools`,
      },
    ]
  },
}

/** One review. */
interface Taken {
  readonly ms: number
  /** CPU time of this thread, which does not collect all garbage. */
  readonly cpuMs: number
}

const shootWith = (size: string): KubernetesObject => {
  const shoot = base()
  const [pool] = Object(shoot.spec).provider.workers as readonly { readonly volume: object }[]
  return withOther(shoot, {
    'spec.provider.workers': Array.from({ length: pools }, (_, index) => ({
      ...pool,
      name: `pool${index}`,
      volume: { ...pool?.volume, size },
    })),
  })
}

const timesOf = async (oldObject: KubernetesObject, object: KubernetesObject): Promise<readonly Taken[]> => {
  const body = Buffer.from(reviewBody(definition, { operation: 'UPDATE', object, oldObject }))
  const lookup = lookupIn(updatesGarden())
  const times: Taken[] = []
  for (let done = 0; done < reviews; done++) {
    const [began, cpu] = [performance.now(), process.threadCpuUsage()]
    const { outcome } = await answerReview(definition, body, lookup)
    const { user, system } = process.threadCpuUsage(cpu)
    times.push({ ms: performance.now() - began, cpuMs: (user + system) / 1000 })
    if (outcome !== 'allowed') throw new Error(`the review was ${outcome}`)
  }
  // The first ones compile the code, as in a process that has just started.
  return times.slice(reviews / 10)
}
