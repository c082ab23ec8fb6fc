import { provider } from '../../../../sandbox/providers/aws/provider.ts'
import { awsContents } from '../../../../sandbox/providers/aws/simulation/aws-contents.ts'
import {
  type AccountSnapshot,
  createAws,
  isRead,
  scaledServices,
} from '../../../../sandbox/providers/aws/simulator/aws.ts'
import type { VirtualClock } from '../../../../shared/clock/clock.ts'
import { cloudNames } from './cloud-names.ts'
import { countedBytes } from './counted-bytes.ts'
import type { WalkCloud } from './walk-cloud.ts'

export const awsCloud = (clock: VirtualClock, account: AccountSnapshot | undefined): WalkCloud => {
  const aws = createAws({ clock, bytes: countedBytes('world'), ...scaledServices(0) })
  if (account !== undefined) aws.account().restore(account)
  return {
    simulated: { provider: 'aws', aws },
    connection: { requestHandler: aws.requestHandler },
    rows: () => awsContents(aws),
    names: () => cloudNames(awsContents(aws)),
    noteWrites: () => {
      aws.calls.clear()
      return () =>
        aws.calls
          .all()
          .filter(call => !isRead(call))
          .map(({ action, input }) => `${action} ${JSON.stringify(input)}`)
    },
    planOf: kind => (kind in provider.plans ? provider.plan : undefined),
    close: () => {},
  }
}
