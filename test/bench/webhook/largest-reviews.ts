import { definition as mutator } from '../../../functions/aws/webhooks/mutator/webhook.ts'
import { base } from '../../../functions/aws/webhooks/shoot/testing/updated-shoot.ts'
import { largeReviews, moreOfShoot } from '../../../functions/aws/webhooks/testing/large-reviews.ts'
import { gardenWith, namespacedProfileWith } from '../../../functions/aws/webhooks/testing/reviews.ts'
import { definition as validator } from '../../../functions/aws/webhooks/validator/webhook.ts'
import { lookupIn, reviewBody } from '../../../sandbox/reviews/reviews.ts'
import { answerReview } from '../../../shared/webhooks/admission/admission.ts'
import { type Benchmark, below, type Figure, here, percentile } from '../figure.ts'

/** API servers accept requests of 3 MB. */
const bytes = 3_000_000
/** One in so many generated reviews is measured: all of them take an hour. */
const each = 25

/** Measures what a user can make admission compute with one review, beside the time to parse it. */
export const largestReviews: Benchmark = {
  name: 'webhook-large-reviews',
  run: async (): Promise<readonly Figure[]> => {
    const taken: { readonly ms: number; readonly name: string }[] = []
    const lookup = lookupIn(gardenWith())
    let count = 0
    for (const [object, more] of [
      [base(), moreOfShoot],
      [namespacedProfileWith(), []],
    ] as const)
      for (const { name, make } of largeReviews(object, bytes, more)) {
        if (++count % each !== 0) continue
        const objects = make()
        for (const definition of [mutator, validator]) {
          const operation = objects.oldObject === undefined ? 'CREATE' : 'UPDATE'
          const body = Buffer.from(reviewBody(definition, { operation, ...objects } as never))
          // The first answer compiles the code. The second one counts.
          await answerReview(definition, body, lookup)
          const parse = cpuMsOf(() => void JSON.parse(body.toString()))
          const began = cpuMs()
          await answerReview(definition, body, lookup)
          taken.push({ ms: Math.max(cpuMs() - began - parse, 0), name })
        }
      }
    const [slowest] = taken.toSorted((one, other) => other.ms - one.ms)
    const times = taken.map(({ ms }) => ms)
    return [
      {
        name: 'admission of generated reviews of 3 MB: CPU beside the parse, most',
        value: slowest?.ms ?? 0,
        unit: 'ms CPU',
        target: below(50),
        reference: { name: 'half of them', value: percentile(times, 0.5), source: here },
        with: `${taken.length} reviews; most: ${slowest?.name}`,
      },
    ]
  },
}

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const cpuMsOf = (work: () => void): number => {
  const began = cpuMs()
  work()
  return cpuMs() - began
}
