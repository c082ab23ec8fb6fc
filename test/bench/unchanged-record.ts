import { isRead } from '../../sandbox/providers/aws/simulator/aws.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { startBenchSeed } from './bench-seed.ts'
import { atMost, type Benchmark } from './figure.ts'
import { goExtension } from './measured-elsewhere.ts'

/** Measures the reconciliation of a record that needs no change. */
export const unchangedRecord: Benchmark = {
  name: 'unchanged',
  run: async () => {
    const { seed, create, reconcile } = await startBenchSeed({ kinds: ['DNSRecord'] })
    try {
      await create([0])
      seed.clouds.aws.calls.clear()
      seed.server.requests.clear()
      await reconcile(0, 1)
      const calls = seed.clouds.aws.calls.all()
      const records = `${kinds.DNSRecord.plural}.${kinds.DNSRecord.resource.group}`
      const { requests } = seed.server
      // The watches are the bridge's, and one patch is the request to reconcile.
      const watches = requests.count({ verb: 'watch' })
      const asked = 1
      if (requests.count({ verb: 'patch', resource: records }) <= asked)
        throw new Error('nothing was written')
      return [
        {
          name: 'unchanged record: reads of AWS',
          value: calls.filter(isRead).length,
          unit: 'requests',
          target: atMost(1),
          // The Go extension writes the record without reading it.
          reference: goExtension(0),
        },
        {
          name: 'unchanged record: writes to AWS',
          value: calls.filter(call => !isRead(call)).length,
          unit: 'requests',
          target: atMost(0),
          reference: goExtension(1),
        },
        {
          name: 'unchanged record: requests to Kubernetes',
          value: requests.count() - watches - asked,
          unit: 'requests',
          target: atMost(6),
          reference: goExtension(5),
        },
      ]
    } finally {
      await seed.close()
    }
  },
}
