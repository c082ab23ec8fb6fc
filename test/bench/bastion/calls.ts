import { startAccount } from '../../../functions/aws/bastion/testing/account.ts'
import { stepsOver } from '../../../functions/aws/bastion/testing/steps.ts'
import { atMost, type Benchmark, type Figure } from '../figure.ts'
import { goExtension } from '../measured-elsewhere.ts'

/**
 * Counts the AWS calls in the life of one bastion. Instances appear and disappear at once, as when Go's calls were
 * counted.
 */
export const bastionCalls: Benchmark = {
  name: 'bastion-calls',
  run: async () => {
    const account = startAccount()
    await account.makeNetwork()
    const { until } = stepsOver(account.aws.requestHandler, account.clock)
    const cost = async (operation: 'reconcile' | 'remove') => {
      account.aws.calls.clear()
      const { waits } = await until(operation)
      const writes = account.writes().length
      return { calls: account.actions().length, reads: account.actions().length - writes, writes, waits }
    }
    const create = await cost('reconcile')
    const idle = await cost('reconcile')
    const remove = await cost('remove')
    // Each wait except the last read is three reads that find no change.
    const withoutWaits = ({ calls, waits }: typeof create) => calls - 3 * Math.max(0, waits.length - 1)
    const figures: Figure[] = [
      {
        name: 'new bastion: calls of AWS',
        value: withoutWaits(create),
        unit: 'requests',
        target: atMost(13),
        reference: goExtension(13),
        with: 'one look after the first wait counted',
      },
      {
        name: 'unchanged bastion: reads of AWS',
        value: idle.reads,
        unit: 'requests',
        target: atMost(4),
        reference: goExtension(5),
      },
      { name: 'unchanged bastion: writes to AWS', value: idle.writes, unit: 'requests', target: atMost(0) },
      {
        name: 'deleted bastion: calls of AWS',
        value: withoutWaits(remove),
        unit: 'requests',
        target: atMost(10),
        reference: goExtension(10),
        with: 'one look after the first wait counted',
      },
    ]
    return figures
  },
}
